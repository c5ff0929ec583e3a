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
	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/tiling"
	"github.com/pavage/pavage/verify"
)

// Convert asks for a puzzle in the format of other programs. Watch.Output takes it.
type Convert struct {
	Puzzle Puzzle `json:"puzzle"`
	To     string `json:"to" flag:"FORMAT" choices:"conversions" doc:"the format: cover, dimacs, puzzle, json, dlx, xmpuzzle, graphillion, sapporo, zdd, dot or universe"`
}

// conversion writes a model in another format.
type conversion func(context.Context, *work, io.Writer, *tiling.Model) error

// conversions are by the name that Convert.To has.
var conversions = []struct {
	name    string
	write   conversion
	diagram diagramWriter // in place of write, of a format for diagrams
}{
	{"cover", writeCover, nil},
	{"dimacs", writeDIMACS, nil},
	{"puzzle", writeAs("puzzle"), nil},
	{"json", writeAs("json"), nil},
	{"dlx", writeAs("dlx"), nil},
	{"xmpuzzle", writeAs("xmpuzzle"), nil},
	{"graphillion", nil, unnamed(interchange.WriteGraphillion)},
	{"sapporo", nil, unnamed(interchange.WriteSAPPORO)},
	{"zdd", nil, writeKnuth},
	{"dot", nil, writeDOT},
	{"universe", nil, writeUniverse},
}

// writeAs writes in a format of package exchange.
func writeAs(format string) conversion {
	return func(ctx context.Context, _ *work, w io.Writer, m *tiling.Model) error {
		return exchange.Write(ctx, format, w, m)
	}
}

// Conversions are the values of Convert.To.
func Conversions() []string {
	var names []string
	for _, c := range conversions {
		names = append(names, c.name)
	}
	return names
}

// Kind implements [Request].
func (*Convert) Kind() Kind { return "convert" }

// Check implements [Request].
func (r *Convert) Check() error {
	if !slices.Contains(Conversions(), r.To) {
		return bad("{to} is %.40q, want %s", r.To, wording.List(Conversions()))
	}
	if err := r.Puzzle.check(); err != nil || !slices.Contains([]string{"puzzle", "json", "xmpuzzle"}, r.To) {
		return err
	}
	return r.Puzzle.whole() // these formats know no conditions
}

// key implements keyer.
func (r Convert) key(p *sought) (any, bool) {
	r.Puzzle = p.digest(painted)
	return r, true
}

// predict implements Predict: nothing is known of formats that need more than the placements.
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
	c := conversions[slices.Index(Conversions(), r.To)]
	if c.diagram == nil {
		m, err := r.model(ctx, w)
		if err != nil {
			return nil, err
		}
		return &Converted{Title: m.Puzzle.Title, To: r.To}, c.write(ctx, w, out, m)
	}
	s, err := w.subject(ctx, &r.Puzzle, &Conditions{}, true)
	if err != nil {
		return nil, err
	}
	d, err := s.load(ctx, w)
	if err != nil {
		return nil, err
	}
	return &Converted{Title: s.model.Puzzle.Title, To: r.To}, c.diagram(ctx, out, s.model, d)
}

// model is what is written where there is no diagram: the puzzle alone, if that is enough.
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

// Converted is the answer to [Convert], beside what was written.
type Converted struct {
	Title string `json:"title"`
	To    string `json:"to"`
}

func writeCover(ctx context.Context, _ *work, w io.Writer, m *tiling.Model) error {
	err := m.Problem.WriteText(interrupt.Writer(ctx, w))
	return err
}

func writeDIMACS(ctx context.Context, k *work, w io.Writer, m *tiling.Model) error {
	formula, err := verify.Encode(ctx, m.Problem, k.limits.Memory)
	if err != nil {
		return err
	}
	return exchange.WriteFormula(interrupt.Writer(ctx, w), formula, m.Problem, func(option int) string { return placementName(m, option) })
}

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
