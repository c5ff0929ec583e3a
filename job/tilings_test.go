package job

import (
	"bytes"
	"testing"

	"github.com/pavage/pavage/render"
	"github.com/pavage/pavage/tiling"
)

// TestTilingsMayBeKept: a caller that keeps tilings has them all at the end; lines, whose memory is
// used again, are of the same tilings.
func TestTilingsMayBeKept(t *testing.T) {
	seed := Whole(5)
	for _, r := range []Request{
		&Sample{Puzzle: Puzzle{Board: "4x4", Pieces: []string{"domino=any"}}, Number: 50, Seed: &seed},
		&Sample{Puzzle: Puzzle{Board: "4x4", Pieces: []string{"domino=any"}}, Number: 50, Seed: &seed, Method: "sweep"},
		&List{Puzzle: Puzzle{Board: "2x3", Pieces: []string{"domino=0..2"}, Cover: "at-most"}},
	} {
		var kept []render.Tiling
		var puzzle *tiling.Puzzle
		_, err := Run(t.Context(), r, Limits{}, Watch{
			Begin:  func(p *tiling.Puzzle) error { puzzle = p; return nil },
			Tiling: func(one render.Tiling) error { kept = append(kept, one); return nil },
		})
		if err != nil {
			t.Fatal(err)
		}
		var got, want bytes.Buffer
		later := render.FormatOf("json").Begin(&got, puzzle, render.Options{})
		for _, one := range kept {
			if err := later.Add(one); err != nil {
				t.Fatal(err)
			}
		}
		lines := Lines(&want)
		lines.Answer = nil
		if _, err := Run(t.Context(), r, Limits{}, lines); err != nil || len(kept) < 10 {
			t.Fatal(len(kept), err)
		}
		if got.String() != want.String() {
			t.Errorf("%s: kept\n%s, want\n%s", r.Kind(), got.String(), want.String())
		}
	}
}

// TestLinesAllocate nothing for the placements of a tiling.
func TestLinesAllocate(t *testing.T) {
	p := &Puzzle{Board: "2x3", Pieces: []string{"domino=any"}}
	w := &work{lines: new(render.Lines)}
	m, err := w.conditioned(t.Context(), p, &Conditions{})
	if err != nil {
		t.Fatal(err)
	}
	options := []int{0, 2, 6}
	if n := testing.AllocsPerRun(100, func() { w.of(m, options, render.Tiling{}) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
