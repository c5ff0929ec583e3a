package command

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pavage/pavage/config"
	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/job"
)

type verifyVerb struct {
	*app
	source
	request             job.Verify
	json                bool
	certificate, solver string
}

func newVerify(a *app) *cobra.Command {
	v := &verifyVerb{app: a}
	cmd := &cobra.Command{
		Use:   "verify PUZZLE",
		Short: "Check a count by other means, or check a certificate",
		Long: `Check a count by other means. The program counts the tilings of a puzzle, and
then finds the same number in ways that share as little as possible with the
count. The output is the number, what was established (+), and what was not
(?).

--method list lists all tilings with a SAT solver. It checks each one by its
cells and copies, and compares the set with a decision diagram of all tilings.

--method spots looks at parts of the count. It draws random tilings and fixes
so many placements of each that few tilings contain all of them. It counts each
such part with the SAT solver, with an engine, and in the diagram. Then it
counts everything once more, modulo random primes, in another order of the
cells.

--method determinants is for dominoes, lozenges and other pieces of two cells,
where these can be counted by a determinant. For some random placements it
counts the tilings with and without them, and everything once more with the
cells in another order, modulo random primes. If the board is not too wide, it
counts by a sweep as well.

--method auto, the default, lists up to twenty million tilings, and looks at
parts of larger counts. If a determinant has counted, and a sweep would take too
long, it takes determinants.

--solver runs a program of yours on the formula that "pavage convert --to
dimacs" writes; {} stands for the name of the file. A model counter must find
the same count. A SAT solver must find one tiling, and no other one after all
listed tilings are excluded.

--certificate checks a file that "pavage count --certificate" has written. It
goes through this proof step by step. It does not count or search again. Two
levels of states that do not fit in --memory are kept in files in --disk. With
--distinct the file has to prove the count up to symmetry too; without it, it
may.

The exit code is 4 if anything disagrees, and then both numbers are written. It
is 3, undecided, if a limit was reached before the end, and 1, undecided, if the
program of --solver is missing or gives no answer.`,
		Example: `  pavage verify name:pentominoes-3x20
  pavage verify --board 8x8 --piece domino=any --json
  pavage verify --board 16x16 --piece domino=any --piece monomino=any --cubes 100
  pavage verify --board 6x6 --piece domino=any --solver 'minisat {}'
  pavage count --board 8x8 --piece domino=any --certificate dominoes.cert
  pavage verify --board 8x8 --piece domino=any --certificate dominoes.cert`,
		RunE: a.run(v.run),
	}
	v.takePuzzle(cmd)
	flags, r := cmd.Flags(), &v.request
	flags.BoolVar(&v.json, "json", false, "write one JSON object")
	flags.StringVar(&r.Method, "method", "auto", "how to check, `METHOD`: "+wording.List(job.VerifyMethods()))
	complete(cmd, "method", job.VerifyMethods())
	distinctFlag(cmd, &r.Distinct, "verify also the count of tilings that differ")
	declare(cmd, r)
	flags.StringVar(&v.certificate, "certificate", "", "check this certificate, a `FILE`, and count nothing")
	flags.StringVar(&v.solver, "solver", "", "let this SAT solver or model counter check the count, a `COMMAND` with {} for the file")
	config.Flags(flags, "engine", "threads", "memory", "disk", "timeout")
	return cmd
}

func (v *verifyVerb) run(ctx context.Context, args []string) error {
	if v.request.Engine = v.config.Engine; v.request.Engine == job.EngineSAT && !v.given("engine") {
		v.request.Engine = "" // a setting for count
	}
	switch {
	case v.given("certificate") && v.certificate == "":
		return usage("--certificate is empty, want a file")
	case v.given("solver") && !strings.Contains(v.solver, job.FileMark):
		return usage("--solver is %.60q, want a command with %s for the name of the file", v.solver, job.FileMark)
	}
	err := cmp.Or(
		v.alone("certificate", "solver", "method", "limit", "cubes", "small", "seed", "engine"),
		v.alone("solver", "method", "limit", "cubes", "small", "seed", "distinct"))
	if err != nil {
		return err
	}
	puzzle, err := v.puzzle(ctx, v.In, args)
	if err != nil {
		return err
	}
	w := v.newWatcher("", true)
	var answer *job.Verified
	switch {
	case v.certificate != "":
		answer, err = v.runCheck(ctx, puzzle, w)
	case v.solver != "":
		limits := v.limits
		limits.Programs = true
		answer, err = job.Do(ctx, &job.Solve{Puzzle: puzzle, Conditions: v.request.Conditions, Command: v.solver, Engine: v.request.Engine}, limits, w.watch())
	default:
		v.request.Puzzle = puzzle
		answer, err = job.Do(ctx, &v.request, v.limits, w.watch())
	}
	w.bar.done()
	if answer == nil {
		return err
	}
	if written := v.write(answer); written != nil {
		return written
	}
	return err
}

// runCheck is verify --certificate.
func (v *verifyVerb) runCheck(ctx context.Context, puzzle job.Puzzle, w *watcher) (*job.Verified, error) {
	file, err := os.Open(v.certificate)
	if err != nil {
		return nil, fail(codeUsage, fmt.Errorf("--certificate: %w", err))
	}
	defer file.Close()
	info, err := file.Stat()
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, usage("--certificate: %s is a directory, want a file", v.certificate)
	}
	watch := w.watch()
	watch.Input, watch.InputBytes = file, info.Size()
	return job.Do(ctx, &job.Check{Puzzle: puzzle, Conditions: v.request.Conditions, Distinct: v.request.Distinct, Name: v.certificate}, v.limits, watch)
}

// write writes what was found; text only where there is a count.
func (v *verifyVerb) write(o *job.Verified) error {
	switch {
	case v.json:
		return writeJSON(v.Out, o)
	case o.Count == "":
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
