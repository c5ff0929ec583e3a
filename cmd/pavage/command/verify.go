package command

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pavage/pavage/job"
)

type verifyVerb struct {
	*Call
	jsonFlag
	request     job.Verify
	Certificate string `flag:"FILE" doc:"check a certificate FILE instead of counting"`
	Solver      string `flag:"COMMAND" doc:"check the count with this SAT solver or model counter, a COMMAND with {} for the file"`
}

func newVerify(c *Call) *cobra.Command {
	v := &verifyVerb{Call: c, request: job.Verify{Method: job.AutoMethod}}
	return c.Verb(&cobra.Command{
		Use:   "verify PUZZLE",
		Short: "Check a count by other means, or check a certificate",
		Long: `Count the tilings of a puzzle, and find the same number in ways that share as
little as possible with the count. The output is the number, the facts that were
established (+), and the facts that were not (?). The exit code is 4 if anything
disagrees, and then both numbers are written; 3 if a limit was reached before
the end; 1 if the program of --solver is missing or gives no answer.

--method auto, the default, lists up to twenty million tilings with a SAT
solver. For larger counts it checks spots (a spot is all tilings that share some
placements), or uses the method dimer where a sweep would need too long. See
pavage help methods.

--solver runs a program of yours on the formula that "pavage convert --to
dimacs" writes; {} stands for the name of the file. A model counter must find
the same count. A SAT solver must find one tiling, and no more after all listed
tilings are excluded.

--certificate checks a file of "pavage count --certificate" step by step,
without a count or a search. Two levels of states that do not fit in --memory
are kept in files in --disk. With --distinct the file must prove the count up to
symmetry too.`,
		Example: `  pavage verify name:pentominoes-3x20
  pavage verify --board 16x16 --piece domino=any --piece monomino=any --spots 100
  pavage verify --board 6x6 --piece domino=any --solver 'minisat {}'
  pavage count --board 8x8 --piece domino=any --certificate dominoes.cert
  pavage verify --board 8x8 --piece domino=any --certificate dominoes.cert`,
	}, v.run, []string{"engine", "threads", "memory", "disk", "timeout"}, v, &v.request)
}

func (v *verifyVerb) run(ctx context.Context) error {
	r := &v.request
	if r.Engine = v.Config.Engine; r.Engine == job.EngineSAT && !v.Given("engine") {
		r.Engine = "" // verify ignores the setting engine: sat, which is for count
	}
	err := cmp.Or(
		v.alone("certificate", "solver", "method", "limit", "spots", "small", "seed", "engine"),
		v.alone("solver", "method", "limit", "spots", "small", "seed", "distinct"))
	if err != nil {
		return err
	}
	r.Puzzle = v.Puzzle
	w := v.watch("", true)
	var found *job.Verified
	switch {
	case v.Certificate != "":
		found, err = v.runCheck(ctx, w)
	case v.Given("solver"):
		w.Limits.Programs = true
		found, err = do(ctx, w, &job.Solve{Puzzle: r.Puzzle, Conditions: r.Conditions, Command: v.Solver, Engine: r.Engine})
	default:
		found, err = do(ctx, w, r)
	}
	return answer(v.Call, v.jsonFlag, v.write, found, err)
}

func (v *verifyVerb) runCheck(ctx context.Context, w *watcher) (*job.Verified, error) {
	file, err := os.Open(v.Certificate)
	if err != nil {
		return nil, usage("--certificate: %w", err)
	}
	defer file.Close()
	info, err := file.Stat()
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, usage("--certificate: %s is a directory, expected a file", v.Certificate)
	}
	w.Input, w.InputBytes = file, info.Size()
	r := v.request
	return do(ctx, w, &job.Check{Puzzle: r.Puzzle, Conditions: r.Conditions, Distinct: r.Distinct, Name: v.Certificate})
}

func (v *verifyVerb) write(o *job.Verified) error {
	if o.Count == "" {
		return nil
	}
	verdict := "agrees"
	switch {
	case o.Disagreement != "":
		verdict = "DISAGREES: " + o.Disagreement
	case o.Agrees == nil:
		verdict = "undecided"
	}
	var b strings.Builder
	fmt.Fprintln(&b, o.Count)
	if o.Distinct != nil {
		fmt.Fprintf(&b, "%s up to %s\n", o.Distinct.Count, o.Distinct.UpTo)
	}
	fmt.Fprintln(&b, verdict)
	for _, s := range o.Established {
		writeEntry(&b, "  +", s, 4, verdictWidth, anyLines)
	}
	for _, s := range o.Open {
		writeEntry(&b, "  ?", s, 4, verdictWidth, anyLines)
	}
	_, err := io.WriteString(v.Out, b.String())
	return err
}

const verdictWidth = 78 // columns of a terminal
