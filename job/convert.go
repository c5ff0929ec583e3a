package job

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/pavage/pavage/bdd/interchange"
	"github.com/pavage/pavage/exchange"
	"github.com/pavage/pavage/internal/poll"
	"github.com/pavage/pavage/render"
	"github.com/pavage/pavage/tiling"
	"github.com/pavage/pavage/verify"
)

// Convert asks for a puzzle in the format of other programs. Watch.Output takes it.
type Convert struct {
	Puzzle Puzzle `json:"puzzle"`
	To     string `json:"to" doc:"cover, dimacs, puzzle, dlx, xmpuzzle, graphillion, sapporo, zdd, dot or universe"`
}

// conversion writes a model in another format.
type conversion func(context.Context, *work, io.Writer, *tiling.Model) error

// conversions are by the name that Convert.To has.
var conversions = []struct {
	name  string
	write conversion
}{
	{"cover", writeCover},
	{"dimacs", writeDIMACS},
	{"puzzle", writeAs("puzzle")},
	{"dlx", writeAs("dlx")},
	{"xmpuzzle", writeAs("xmpuzzle")},
	{"graphillion", ofDiagram(unnamed(interchange.WriteGraphillion))},
	{"sapporo", ofDiagram(unnamed(interchange.WriteSAPPORO))},
	{"zdd", ofDiagram(writeKnuth)},
	{"dot", ofDiagram(writeDOT)},
	{"universe", ofDiagram(writeUniverse)},
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
func (*Convert) Kind() Kind { return ConvertKind }

// Check implements [Request].
func (r *Convert) Check() error {
	if !slices.Contains(Conversions(), r.To) {
		return bad("{to} is %.40q, want one of %q", r.To, Conversions())
	}
	return r.Puzzle.check()
}

// Run does the work.
func (r *Convert) Run(ctx context.Context, l Limits, w Watch) (*Converted, error) {
	return run[Converted](ctx, r, l, w)
}

func (r *Convert) do(ctx context.Context, w *work) (Answer, error) {
	out, err := w.output()
	if err != nil {
		return nil, err
	}
	m, err := w.model(ctx, &r.Puzzle)
	if err != nil {
		return nil, err
	}
	for _, c := range conversions {
		if c.name == r.To {
			err = c.write(ctx, w, out, m)
		}
	}
	return &Converted{Title: m.Puzzle.Title, To: r.To}, err
}

// Converted is the answer to [Convert], beside what was written.
type Converted struct {
	Title string `json:"title"`
	To    string `json:"to"`
}

func writeCover(ctx context.Context, _ *work, w io.Writer, m *tiling.Model) error {
	_, err := m.Problem.WriteTo(poll.Writer(ctx, w))
	return err
}

func writeDIMACS(ctx context.Context, k *work, w io.Writer, m *tiling.Model) error {
	formula, err := verify.EncodeWithin(ctx, m.Problem, k.limits.Memory)
	if err != nil {
		return err
	}
	return formula.WriteDIMACS(poll.Writer(ctx, w), func(option int) string { return placementName(m, option) })
}

// placementName is the piece and the cells of a placement, as JSON has them.
func placementName(m *tiling.Model, option int) string {
	if m.IsAbstract() {
		return strings.Join(m.Problem.Words(option), " ")
	}
	t := render.Tiling{Placements: m.Placements[option : option+1]}
	p := t.JSON(m.Puzzle).Placements[0]
	cells, err := json.Marshal(p.Cells)
	if err != nil { // numbers always have a JSON
		return p.Piece
	}
	return fmt.Sprintf("%s %s", p.Piece, cells)
}
