package command

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pavage/pavage/internal/kit/atomicfile"
	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/job"
)

type convertVerb struct {
	*Call
	request job.Convert
	Output  string `flag:"FILE" short:"o" doc:"the FILE to write, replaced if it exists; - is standard output"`
}

func newConvert(c *Call) *cobra.Command {
	v := &convertVerb{Call: c, Output: "-"}
	return c.Verb(&cobra.Command{
		Use:   "convert PUZZLE --to FORMAT",
		Short: "Write a puzzle in the format of other programs",
		Long: `Write a puzzle in the format of other programs.

--to dimacs writes a formula in conjunctive normal form, for SAT solvers and
model counters. Its models are the tilings, one to one. Comments say which
placement a variable stands for. Some bounds need more variables. The
placements determine these, and "c p show" lines name the variables of the
placements, to project on.

--to cover writes the exact cover: its items (the cells and pieces) with their
bounds, and its options (the placements), one a line. Every verb that takes a
puzzle takes such a file too, unless it needs a board.

--to dlx writes the exact cover as Knuth's programs DLX1, DLX2 and DLX3 read it,
--to xmpuzzle a file of BurrTools, and --to puzzle a puzzle file; --to json
writes the puzzle file in JSON, for programs. If a format cannot say all of a
puzzle, the puzzle is refused: so a file that is written has the same number of
tilings.

The other formats hold a decision diagram of all tilings, which is made first:
--to graphillion the dump of Graphillion, --to sapporo the export of SAPPOROBDD,
--to zdd what Knuth's DLX6 prints, --to dot a drawing for Graphviz. The first
two number their variables from 1, in the order of the diagram; --to universe
writes which placement each of them is, as a JSON list. DLX6 numbers the options
of the file that --to dlx writes.

A PUZZLE may be a file of another program itself. Its first bytes or its name
tell the format, or --from does:

` + readableFormats(),
		Example: `  pavage convert name:pentominoes-6x10 --to dimacs -o pentominoes.cnf
  pavage convert --board 2x3 --piece domino=any --to cover
  pavage convert name:queens-8 --to dlx
  pavage convert --board 2x3 --piece domino=any --to graphillion`,
	}, v.run, []string{"threads", "memory", "timeout"}, v, &v.request)
}

// readableFormats are the values of --from, one a line.
func readableFormats() string {
	var b strings.Builder
	for _, name := range job.Formats() {
		fmt.Fprintf(&b, "  %-11s %s\n", name, job.AboutFormat(name))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func (v *convertVerb) run(ctx context.Context) (err error) {
	switch {
	case v.request.To == "":
		return usage("no format given, want --to %s", wording.List(job.Conversions()))
	case v.Output == "":
		return usage("--output is empty, want a file or -")
	}
	if v.request.Puzzle, err = v.Puzzle(ctx); err != nil {
		return err
	}
	w := v.watch(job.Compiling, true)
	convert := func(out io.Writer) error {
		w.Output = doneWith{w.bar, out}
		_, err := do(ctx, w, &v.request)
		return err
	}
	if v.Output == "-" {
		return convert(v.Out)
	}
	return atomicfile.Write(v.Output, convert)
}

// doneWith is an output before which the bar goes.
type doneWith struct {
	bar *bar
	io.Writer
}

func (d doneWith) Write(b []byte) (int, error) {
	d.bar.done()
	return d.Writer.Write(b)
}
