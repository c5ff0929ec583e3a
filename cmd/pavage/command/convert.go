package command

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

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
		Long: `Write a puzzle in the format of other programs. If a format cannot express a
puzzle, the puzzle is refused: so a file that is written has the same number of
tilings.

  dimacs       a formula for SAT solvers and model counters, whose models are
               the tilings, one to one; comments name the placement of each
               variable, and "c p show" lines name the variables to project on
  cover        the exact cover: items (cells and pieces) with their bounds, and
               options (placements), one a line; verbs accept it as a puzzle,
               unless they need a board
  dlx          the exact cover as Knuth's DLX1, DLX2 and DLX3 read it
  xmpuzzle     a file of BurrTools
  puzzle       a puzzle file; json is the same in JSON, for programs
  graphillion  the decision diagram of all tilings, as Graphillion dumps it
  sapporo      the diagram as SAPPOROBDD exports it
  zdd          the diagram as Knuth's DLX6 prints it, for the file of dlx
  dot          the diagram as a drawing for Graphviz
  universe     the placements of the variables of graphillion and sapporo, which
               are numbered from 1, in the order of the diagram

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

func (v *convertVerb) run(ctx context.Context) error {
	v.request.Puzzle = v.Puzzle
	w := v.watch(job.Compiling, true)
	if v.Output != "-" {
		_, err := toFile(ctx, w, "output", v.Output, &v.request)
		return err
	}
	w.Output = w
	_, err := do(ctx, w, &v.request)
	return err
}
