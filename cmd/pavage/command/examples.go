package command

import (
	"context"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/pavage/pavage/job"
)

type examplesVerb struct {
	*app
	json bool
}

func newExamples(a *app) *cobra.Command {
	v := &examplesVerb{app: a}
	cmd := &cobra.Command{
		Use:   "examples [WORD]",
		Short: "List the puzzles that are inside the program",
		Long: `List the puzzles that are inside the program, each with its title. With WORD,
only those that have this word in their name or title are listed.

Every verb that takes a PUZZLE takes one of these as name:EXAMPLE.`,
		Example: `  pavage examples
  pavage examples cube
  pavage count name:soma`,
		RunE: a.run(v.run),
	}
	cmd.Flags().BoolVar(&v.json, "json", false, "write one JSON object")
	cmd.ValidArgsFunction = cobra.NoFileCompletions
	return cmd
}

func (v *examplesVerb) run(ctx context.Context, args []string) error {
	r := &job.Examples{}
	switch len(args) {
	case 0:
	case 1:
		r.Word = args[0]
	default:
		return usage("%d words given, want one or none", len(args))
	}
	b, err := r.Run(ctx, v.limits, job.Watch{})
	switch {
	case err != nil:
		return err
	case v.json:
		return writeJSON(v.Out, b)
	case len(b.Examples) == 0:
		fmt.Fprintf(v.Err, "no example has %.40q in its name or title\n", r.Word)
		return nil
	}
	t := tabwriter.NewWriter(v.Out, 0, 0, 2, ' ', 0)
	for _, e := range b.Examples {
		fmt.Fprintf(t, "%s\t%s\n", e.Name, e.Title)
	}
	return t.Flush()
}
