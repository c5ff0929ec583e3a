package command

import (
	"context"

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
		Short: "Write a puzzle in the format of another program",
		Long: `Write a puzzle in the format of another program. A format that cannot express
the puzzle is refused, so a file that is written has the same number of tilings.
A PUZZLE may be a file of another program too. "pavage help formats" describes
all formats.`,
		Example: `  pavage convert name:pentominoes-6x10 --to dimacs -o pentominoes.cnf
  pavage convert --board 2x3 --piece domino=any --to cover
  pavage convert name:queens-8 --to dlx
  pavage convert --board 2x3 --piece domino=any --to graphillion`,
	}, v.run, []string{"threads", "memory", "timeout"}, v, &v.request)
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
