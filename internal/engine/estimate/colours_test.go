package estimate

import (
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/engine/sweep"
)

// TestColoursAreForeseen: a row of cells with edges of eight colours, whose levels are known.
func TestColoursAreForeseen(t *testing.T) {
	const cells, colours = 30, 8
	p := &cover.Problem{Colours: make([]string, colours)}
	for i := range 2*cells + 1 {
		p.Items = append(p.Items, cover.Item{Min: min(1, i/(cells+1)), Max: 1}) // edges, then cells
	}
	for c := range cells {
		for k := range int32(colours * colours) {
			p.Options = append(p.Options, cover.Option{
				{Item: c, Times: 1, Colour: k%colours + 1}, {Item: c + 1, Times: 1, Colour: k/colours + 1}, {Item: cells + 1 + c, Times: 1},
			})
		}
	}
	a, err := automaton.Compile(t.Context(), p)
	if err != nil || !a.Coloured() {
		t.Fatal(err, "no fields")
	}
	for _, base := range []int{4, 1000} {
		e, err := Of(t.Context(), a, sweep.Config{Threads: 1}, Sampling{States: base})
		if err != nil {
			t.Fatal(err)
		}
		_, peak := e.Peak()
		if e.Certain() != (base == 1000) || !e.Certain() && (e.Error < foreseenError || e.Sampled != e.Exact) || peak < colours*colours/2 || peak > 2*colours*colours {
			t.Errorf("from %d states on: a level of %v states, error %v, made up to %d of %d", base, peak, e.Error, e.Exact, a.Steps())
		}
	}
}
