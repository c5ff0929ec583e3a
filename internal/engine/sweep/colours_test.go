package sweep

import (
	"slices"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/automaton"
)

// matching is a row of cells with three edges that have to match their neighbours', each in one of
// the given number of colours, and a counter of the cells whose edges are of one colour.
func matching(cells, colours int) *cover.Problem {
	p := &cover.Problem{Colours: make([]string, colours)}
	for range cells {
		p.Items = append(p.Items, cover.Item{Min: 1, Max: 1})
	}
	for range 3 * (cells + 1) {
		p.Items = append(p.Items, cover.Item{Max: 1})
	}
	p.Items = append(p.Items, cover.Item{Min: 2, Max: 4})
	last := len(p.Items) - 1
	for c := range cells {
		for which := range colours * colours * colours {
			for shift := range 2 {
				option := cover.Option{{Item: c, Times: 1}}
				mixed := which
				for side := range 2 {
					for edge := range 3 {
						use := cover.Use{Item: cells + 3*(c+side) + edge, Times: 1, Colour: int32(mixed%colours) + 1}
						if edge == 2 {
							use.Colour = int32((mixed+side*shift)%colours) + 1
						}
						option = append(option, use)
						mixed /= colours
					}
					mixed = which*(shift+2) + side
				}
				if mixed%3 == 0 {
					option = append(option, cover.Use{Item: last, Times: 1})
				}
				repeats := func(o cover.Option) bool { return cover.Compare(o, option) == 0 }
				if !slices.ContainsFunc(p.Options, repeats) {
					p.Options = append(p.Options, option)
				}
			}
		}
	}
	return p
}

// TestColouredLevels: levels with fields are the same for any threads and tasks, with repetition
// and without, in little memory and on disk.
func TestColouredLevels(t *testing.T) {
	p := matching(12, 4)
	if err := p.Validate(); err != nil {
		t.Fatal(err)
	}
	a, err := automaton.Compile(t.Context(), p)
	if err != nil || !a.Coloured() {
		t.Fatal(err, "no fields")
	}
	total, effort, levels := trace(t, a, Config{Value: Count{}, Keep: KeepArcs, Threads: 1})
	if total.Sign() == 0 || effort.States < 2000 {
		t.Fatalf("%v solutions, %d states", total, effort.States)
	}
	for _, c := range []Config{
		{Threads: 1, chunk: 7, Keep: KeepArcs},
		{Threads: 3, chunk: 50, Keep: KeepArcs},
		{Threads: 8, chunk: 500, Keep: KeepArcs},
		{Threads: 2},
		{Threads: 1, once: true},
		{Threads: 2, Memory: 1 << 19, Disk: t.TempDir()},
	} {
		c.Value = Count{}
		got, gotEffort, gotLevels := trace(t, a, c)
		if got.Cmp(total) != 0 || gotEffort.States != effort.States || c.Keep == KeepArcs && gotLevels != levels {
			t.Errorf("%+v: %v %+v, want %v %+v (same arcs: %v)", c, got, gotEffort, total, effort, gotLevels == levels)
		}
	}
}
