package count

import (
	"context"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/tiling"
	"github.com/pavage/pavage/tiling/puzzlefile"
)

// benchmarks are the boards whose speed is watched; bench/engines.md and bench/sweep.md have the
// figures.
var benchmarks = []struct {
	name, board string
	engine      Engine
	cover       string
	pieces      []string
}{
	{"dominoes-20x20", "20x20", Sweep, "", []string{"domino=any"}},
	{"monomer-dimer-16x16", "16x16", Sweep, "", []string{"monomino=any", "domino=any"}},
	{"tetrominoes-10x10", "10x10", Sweep, "", []string{"tetrominoes=any"}},
	{"pentominoes-6x10", "6x10", Sweep, "", []string{"pentominoes"}},
	{"mono-dom-tro-8x8", "8x8", Sweep, "", []string{"monomino=any", "domino=any", "trominoes=any"}},
	{"mono-dom-tro-8x8", "8x8", Diagram, "", []string{"monomino=any", "domino=any", "trominoes=any"}},
	{"dominoes-8x8", "8x8", Diagram, "", []string{"domino=any"}},
}

// squares11 is four sizes of squares, each 0..7 times, packed on 11x11.
const squares11 = `{board: 11x11, cover: at-most, pieces: [
  {name: a, box: 5x5, copies: 0..7}, {name: b, box: 4x4, copies: 0..7},
  {name: c, box: 3x3, copies: 0..7}, {name: d, box: 2x2, copies: 0..7}]}`

func BenchmarkCount(b *testing.B) {
	p, err := puzzlefile.Parse("squares11", []byte(squares11))
	if err != nil {
		b.Fatal(err)
	}
	b.Run("board=squares-0..7-11x11/engine=sweep", func(b *testing.B) { benchmark(b, p, Sweep) })
	for _, bm := range benchmarks {
		b.Run("board="+bm.name+"/engine="+string(bm.engine), func(b *testing.B) {
			p, err := puzzlefile.Inline(bm.board, bm.pieces, bm.cover, "")
			if err != nil {
				b.Fatal(err)
			}
			benchmark(b, p, bm.engine)
		})
	}
}

// benchmark reports states, nodes and bytes beside the time; one thread.
func benchmark(b *testing.B, p *tiling.Puzzle, e Engine) {
	m, err := p.Model(context.Background())
	if err != nil {
		b.Fatal(err)
	}
	var r *Result
	for b.Loop() {
		r = countFor(b, m.Problem, e)
	}
	b.ReportMetric(float64(r.States), "states")
	b.ReportMetric(float64(r.Arcs), "arcs")
	b.ReportMetric(float64(r.Nodes), "nodes")
	b.ReportMetric(float64(r.Bytes), "peak-bytes")
}

func countFor(tb testing.TB, p *cover.Problem, e Engine) *Result {
	tb.Helper()
	r, err := Count(context.Background(), p, e, Options{Limits: Limits{Threads: 1}})
	if err != nil {
		tb.Fatal(err)
	}
	return r
}
