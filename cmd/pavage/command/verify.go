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
	Certificate string `flag:"FILE" doc:"check this certificate, a FILE, and count nothing"`
	Solver      string `flag:"COMMAND" doc:"let this SAT solver or model counter check the count, a COMMAND with {} for the file"`
}

func newVerify(c *Call) *cobra.Command {
	v := &verifyVerb{Call: c, request: job.Verify{Method: job.AutoMethod}}
	return c.Verb(&cobra.Command{
		Use:   "verify PUZZLE",
		Short: "Check a count by other means, or check a certificate",
		Long: `Count the tilings of a puzzle, and find the same number in ways that share as
little as possible with the count. The output is the number, what was
established (+), and what was not (?). The exit code is 4 if anything disagrees,
and then both numbers are written. It is 3, undecided, if a limit was reached
before the end, and 1, undecided, if the program of --solver is missing or gives
no answer.

--method list lists all tilings with a SAT solver, checks each one by its cells
and copies, and compares the set with a decision diagram of all tilings.
--method spots draws random tilings and fixes so many placements of each that
few tilings contain all of them. It counts each such spot with the SAT solver,
with an engine, and in the diagram, then everything once more, modulo random
primes, in another order of the cells. --method dimer, for dominoes, lozenges
and other pieces of two cells, counts the tilings with and without random
placements, everything once more with the cells in another order, modulo random
primes, and by a sweep if the board is not too wide. --method auto, the default,
lists up to twenty million tilings, and checks spots of larger counts, or is
dimer where a sweep would take too long.

--solver runs a program of yours on the formula that "pavage convert --to
dimacs" writes; {} stands for the name of the file. A model counter must find
the same count. A SAT solver must find one tiling, and no other one after all
listed tilings are excluded.

--certificate checks a file of "pavage count --certificate" step by step,
without a count or a search. Two levels of states that do not fit in --memory
are kept in files in --disk. With --distinct the file has to prove the count up
to symmetry too; without it, it may.`,
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
		r.Engine = "" // a setting for count
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

// runCheck is verify --certificate.
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

// write writes the result; text only where there is a count.
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
	text := o.Count + "\n"
	if o.Distinct != nil {
		text += fmt.Sprintf("%s up to %s\n", o.Distinct.Count, o.Distinct.UpTo)
	}
	text += verdict + "\n"
	for _, s := range o.Established {
		text += paragraph("  + ", s)
	}
	for _, s := range o.Open {
		text += paragraph("  ? ", s)
	}
	_, err := io.WriteString(v.Out, text)
	return err
}

// paragraphWidth fits a terminal.
const paragraphWidth = 78

func paragraph(mark, text string) string {
	all, line := "", mark
	for i, word := range strings.Fields(text) {
		switch {
		case i == 0:
			line += word
		case len(line)+1+len(word) > paragraphWidth:
			all += line + "\n"
			line = strings.Repeat(" ", len(mark)) + word
		default:
			line += " " + word
		}
	}
	return all + line + "\n"
}
