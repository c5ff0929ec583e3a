package job

import (
	"context"
	"encoding/json"
	"io"
	"strconv"

	"github.com/pavage/pavage/bdd"
	"github.com/pavage/pavage/bdd/interchange"
	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/internal/kit/interrupt"
	"github.com/pavage/pavage/tiling"
)

// A diagram's variable v is the option Options[v] of what was compiled. Formats that number
// variables by their places, from 1, have v+1; those that number options have Options[v]+1,
// as in the file that convert --to dlx writes.

// diagramWriter writes the diagram of all tilings of a model.
type diagramWriter func(context.Context, io.Writer, *tiling.Model, *count.Compiled) error

// compile makes the diagram of all tilings.
func (w *work) compile(ctx context.Context, m *tiling.Model) (*count.Compiled, error) {
	c, err := count.Compile(ctx, m.Problem, w.options(Compiling))
	if err != nil {
		return nil, err
	}
	w.note(Detail, "compiled", "states", c.Result.States, "nodes", c.Result.Nodes, "bytes", c.Result.Bytes,
		"count", c.Result.Count.String(), "seconds", w.seconds())
	return c, nil
}

// unnamed writes a diagram that needs no names.
func unnamed(write func(context.Context, io.Writer, *bdd.Diagram) error) diagramWriter {
	return func(ctx context.Context, w io.Writer, _ *tiling.Model, c *count.Compiled) error {
		return write(ctx, interrupt.Writer(ctx, w), c.Diagram)
	}
}

func writeKnuth(ctx context.Context, w io.Writer, _ *tiling.Model, c *count.Compiled) error {
	return interchange.WriteKnuth(ctx, interrupt.Writer(ctx, w), c.Diagram, func(v int) int { return c.Options[v] + 1 })
}

func writeDOT(ctx context.Context, w io.Writer, m *tiling.Model, c *count.Compiled) error {
	return c.Diagram.WriteDOT(interrupt.Writer(ctx, w), bdd.DOT{
		Name:   func(v int) string { return placementName(m, c.Options[v]) },
		Counts: c.Counts,
	})
}

// writeUniverse writes what the variables stand for, a string each in a JSON array: the
// number of a placement, and the placement.
func writeUniverse(ctx context.Context, w io.Writer, m *tiling.Model, c *count.Compiled) error {
	names := make([]string, len(c.Options))
	for v, o := range c.Options {
		names[v] = strconv.Itoa(o) + " " + placementName(m, o)
	}
	lines := json.NewEncoder(interrupt.Writer(ctx, w))
	lines.SetEscapeHTML(false)
	lines.SetIndent("", " ")
	return lines.Encode(names)
}
