package command

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pavage/pavage/job"
)

type examplesVerb struct {
	*Call
	jsonFlag
}

func newExamples(c *Call) *cobra.Command {
	v := &examplesVerb{Call: c}
	return c.Verb(&cobra.Command{
		Use:   "examples [WORD]",
		Short: "List the puzzles that are inside the program",
		Long: `List the puzzles inside the program, or the puzzles with WORD in their name,
title or kind. A line has the name, the kind, the known number of tilings and
the title; the line below it has the source. The kind is the lattice of the
board, or cover for an exact cover without a board. Every command with a PUZZLE
accepts an example as name:EXAMPLE.`,
		Example: `  pavage examples
  pavage examples cube
  pavage count name:soma`,
	}, v.run, nil, v)
}

func (v *examplesVerb) run(ctx context.Context) error {
	if len(v.Args) > 1 {
		return usage("%d words given, expected at most one word", len(v.Args))
	}
	r := &job.Examples{Word: strings.Join(v.Args, "")}
	b, err := job.Do(ctx, r, v.Limits, job.Watch{})
	switch {
	case err != nil:
		return err
	case v.AsJSON:
		return v.JSON(b)
	case len(b.Examples) == 0:
		fmt.Fprintf(v.Err, "no example has %.40q in its name, title or kind\n", r.Word)
		return nil
	}
	var name, kind, count int
	for _, e := range b.Examples {
		name, kind, count = max(name, len(e.Name)), max(kind, len(e.Kind)), max(count, len(e.Count))
	}
	for _, e := range b.Examples {
		digits := e.Count
		if len(digits) > maxCountWidth {
			digits = fmt.Sprintf("%d digits", len(digits))
		}
		_, err := fmt.Fprintf(v.Out, "%-*s  %-*s  %*s  %s\n%*s%s\n",
			name, e.Name, kind, e.Kind, min(count, maxCountWidth), digits, e.Title, name+2, "", e.Source)
		if err != nil {
			return err
		}
	}
	return nil
}

const maxCountWidth = 12
