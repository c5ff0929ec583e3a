package job

import (
	"context"
	"encoding/json"
	"io"
	"slices"
	"strconv"

	"github.com/pavage/pavage/bdd"
	"github.com/pavage/pavage/bdd/interchange"
	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/exchange"
	"github.com/pavage/pavage/internal/kit/interrupt"
	"github.com/pavage/pavage/tiling"
	"github.com/pavage/pavage/verify"
)

// Convert asks for a puzzle in the format of another program. Watch.Output receives the file.
type Convert struct {
	Puzzle Puzzle `json:"puzzle"`
	To     string `json:"to" flag:"FORMAT" words:"cover dimacs puzzle json dlx xmpuzzle graphillion sapporo zdd dot universe" doc:"the format to write: cover, dimacs, puzzle, json, dlx, xmpuzzle, graphillion, sapporo, zdd, dot or universe"`
}

// converted is what a conversion writes to a file. Variable v of the diagram stands for option
// o = diagram.Options[v] of the problem. Some formats write this variable as v+1, others as o+1.
type converted struct {
	model   *tiling.Model
	diagram *count.Compiled // nil if the format is not for diagrams
	memory  int64
	out     io.Writer
}

type conversion struct {
	diagrams bool // the format is for diagrams
	write    func(context.Context, converted) error
}

var conversions = map[string]conversion{
	"cover": {false, func(_ context.Context, c converted) error {
		return c.model.Problem.WriteText(c.out)
	}},
	"dimacs": {false, func(ctx context.Context, c converted) error {
		formula, err := verify.Encode(ctx, c.model.Problem, c.memory)
		if err != nil {
			return err
		}
		return exchange.WriteFormula(c.out, formula, c.model.Problem, c.placement)
	}},
	"puzzle":   writeAs("puzzle"),
	"json":     writeAs("json"),
	"dlx":      writeAs("dlx"),
	"xmpuzzle": writeAs("xmpuzzle"),
	"graphillion": {true, func(ctx context.Context, c converted) error {
		return interchange.WriteGraphillion(ctx, c.out, c.diagram.Diagram)
	}},
	"sapporo": {true, func(ctx context.Context, c converted) error {
		return interchange.WriteSAPPORO(ctx, c.out, c.diagram.Diagram)
	}},
	"zdd": {true, func(ctx context.Context, c converted) error {
		return interchange.WriteKnuth(ctx, c.out, c.diagram.Diagram, func(v int) int { return c.diagram.Options[v] + 1 })
	}},
	"dot": {true, func(_ context.Context, c converted) error {
		name := func(v int) string { return c.placement(c.diagram.Options[v]) }
		return c.diagram.Diagram.WriteDOT(c.out, bdd.DOT{Name: name, Counts: c.diagram.Counts})
	}},
	// This JSON array has a text for each variable: the number and the name of the placement.
	"universe": {true, func(_ context.Context, c converted) error {
		names := make([]string, len(c.diagram.Options))
		for v, o := range c.diagram.Options {
			names[v] = strconv.Itoa(o) + " " + c.placement(o)
		}
		lines := json.NewEncoder(c.out)
		lines.SetEscapeHTML(false)
		lines.SetIndent("", " ")
		return lines.Encode(names)
	}},
}

func writeAs(format string) conversion {
	return conversion{false, func(ctx context.Context, c converted) error {
		return exchange.Write(ctx, format, c.out, c.model)
	}}
}

func (c converted) placement(option int) string { return placementName(c.model, option) }

// Kind implements [Request].
func (*Convert) Kind() Kind { return "convert" }

func (r *Convert) check() error {
	if slices.Contains([]string{"puzzle", "json", "xmpuzzle"}, r.To) {
		return r.Puzzle.whole() // these formats cannot express conditions
	}
	return nil
}

func (r *Convert) predict(ctx context.Context, w *work) Forecast {
	if !slices.Contains([]string{"cover", "puzzle", "json", "dlx", "xmpuzzle"}, r.To) {
		return Forecast{}
	}
	m, err := r.model(ctx, w)
	if err != nil || m.Problem == nil {
		return Forecast{Seconds: optionSeconds, Known: err == nil}
	}
	return Forecast{Seconds: optionSeconds * float64(len(m.Problem.Options)), Bytes: m.Bytes(), Least: m.Bytes(), Known: true}
}

func (r *Convert) do(ctx context.Context, w *work) (*Converted, error) {
	out, err := w.output()
	if err != nil {
		return nil, err
	}
	c := converted{out: interrupt.Writer(ctx, out)}
	to := conversions[r.To]
	if !to.diagrams {
		c.model, err = r.model(ctx, w)
	} else {
		var s *subject
		if s, err = w.subject(ctx, &r.Puzzle, &Conditions{}, true); err == nil {
			c.model = s.model
			c.diagram, err = s.load(ctx, w)
		}
	}
	if err != nil {
		return nil, err
	}
	c.memory = w.limits.Memory
	return &Converted{Title: c.model.Puzzle.Title, To: r.To}, to.write(ctx, c)
}

func (r *Convert) model(ctx context.Context, w *work) (*tiling.Model, error) {
	if r.To != "json" {
		return w.conditioned(ctx, &r.Puzzle, &Conditions{})
	}
	m, err := w.unplaced(ctx, r.Puzzle.inside())
	if err == nil && !m.IsAbstract() {
		w.warn(m.Puzzle.Warnings())
	}
	return m, err
}

// Converted is the answer to [Convert], in addition to the file.
type Converted struct {
	Title string `json:"title"`
	To    string `json:"to"`
}

func (w *work) compile(ctx context.Context, m *tiling.Model) (*count.Compiled, error) {
	c, err := count.Compile(ctx, m.Problem, w.options(Compiling))
	if err != nil {
		return nil, err
	}
	w.note(Detail, "compiled", "states", c.Result.States, "nodes", c.Result.Nodes, "bytes", c.Result.Bytes,
		"count", c.Result.Count.String(), "seconds", w.seconds())
	return c, nil
}
