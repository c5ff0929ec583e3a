package job

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/pavage/pavage/render"
)

// TestTrees: the 192 spanning trees of 3x3 cells, and the spanning trees of other small boards, are
// drawn equally often, and each draw is a tree.
func TestTrees(t *testing.T) {
	for _, c := range []struct {
		puzzle Puzzle
		trees  int
	}{
		{Puzzle{Board: "3x3", Pieces: []string{"domino=any"}}, 192},
		{Puzzle{Board: "2x2x2", Pieces: []string{"domino=any"}}, 384},
		{Puzzle{Board: "1x5", Pieces: []string{"domino=any"}}, 1},
		{Puzzle{Board: "1x1", Pieces: []string{"domino=any"}}, 1},
		{Puzzle{Lattice: "triangle", Board: "hexagon:1", Pieces: []string{"lozenge=any"}}, 6},
		{Puzzle{Lattice: "hexagon", Board: "hexagon:2", Pieces: []string{"# #=any"}}, 320}, // the wheel of 6 spokes
	} {
		seed, n := Whole(1), Whole(100*c.trees)
		tally := map[string]int{}
		m, err := (&work{}).conditioned(t.Context(), &c.puzzle, &Conditions{})
		if err != nil {
			t.Fatal(err)
		}
		cells := len(m.Puzzle.Board.Cells)
		taken := Watch{Tiling: func(one render.Tiling) error {
			part := make([]int, cells) // of each cell, a cell that it is connected with
			for i := range part {
				part[i] = i
			}
			root := func(i int) int {
				for part[i] != i {
					i = part[i]
				}
				return i
			}
			for _, p := range one.Placements {
				a, b := root(p.Cells[0]), root(p.Cells[1])
				if a == b {
					t.Fatalf("%v: %v has a cycle", c.puzzle, one.Numbers)
				}
				part[a] = b
			}
			if len(one.Placements) != cells-1 || !one.Tree {
				t.Fatalf("%v: %d edges of %d cells", c.puzzle, len(one.Placements), cells)
			}
			tally[fmt.Sprint(one.Numbers)]++
			return nil
		}}
		r := Sample{Puzzle: c.puzzle, Number: n, Seed: &seed, Tree: true}
		a, err := Do(t.Context(), &r, Limits{}, taken)
		if err != nil || a.Method != "trees" || a.Drawn != n {
			t.Fatalf("%v: %+v, %v", c.puzzle, a, err)
		}
		chi := 0.0
		for _, k := range tally {
			chi += float64(k-100) * float64(k-100) / 100
		}
		if len(tally) != c.trees {
			t.Fatalf("%v: %d trees, want %d", c.puzzle, len(tally), c.trees)
		}
		if c.trees == 1 {
			continue
		}
		if p := (distuv.ChiSquared{K: float64(c.trees - 1)}).Survival(chi); p < 1e-4 {
			t.Errorf("%v: trees are not fair: chi-square has a tail of %g", c.puzzle, p)
		}
	}
}

// TestGraphTrees: the 12 spanning trees of a square and its diagonal, which is there twice, are drawn.
func TestGraphTrees(t *testing.T) {
	for _, p := range []Puzzle{
		{From: "dlx", Text: "a b c d\na b\nb c\nc d\nd a\na c\na c\n"},
		{From: "edges", Text: "a b\nb c\nc d\nd a\na c\na c\n"},
	} {
		seen, seed := map[string]bool{}, Whole(1)
		r := Sample{Puzzle: p, Number: 12, Seed: &seed, Tree: true, Unique: true}
		taken := func(one render.Tiling) error { seen[fmt.Sprint(one.Numbers)] = true; return nil }
		if _, err := Do(t.Context(), &r, Limits{}, Watch{Tiling: taken}); err != nil || len(seen) != 12 {
			t.Errorf("%s: %d trees, %v", p.From, len(seen), err)
		}
	}
}

// TestNoTrees: trees that cannot be drawn are errors about the request.
func TestNoTrees(t *testing.T) {
	dominoes := Puzzle{Board: "3x3", Pieces: []string{"domino=any"}}
	for want, r := range map[string]Sample{
		"expected tree without {distinct}, {weights}":       {Puzzle: dominoes, Weights: []string{"domino=2"}},
		"expected tree without {distinct}":                  {Puzzle: dominoes, Distinct: DistinctUsual},
		"{grow} and conditions, and without ranks":          {Puzzle: dominoes, Conditions: Conditions{With: []string{"0,0"}}},
		"expected {method} trees, or tree without {method}": {Puzzle: dominoes, Method: "sweep"},
		"the piece L3 has 3 cells, expected 2":              {Puzzle: Puzzle{Board: "3x3", Pieces: []string{"domino=any", "L3=any"}}},
		"some cells have no connection to the other cells":  {Puzzle: Puzzle{Board: "##.##", Pieces: []string{"domino=any"}}},
		"any number of copies":                              {Puzzle: Puzzle{Board: "4x4", Pieces: []string{"domino=3"}}},
		"a puzzle that covers every cell":                   {Puzzle: Puzzle{Board: "4x4", Pieces: []string{"domino=any"}, Cover: "at-most"}},
		"exactly once, but the item u1 has other bounds":    {Puzzle: Puzzle{Example: "queens-8"}},
		"some items have no connection to the other items":  {Puzzle: Puzzle{Text: "item a 1\nitem b 1\nitem c 1\noption a b\n"}},
		"exactly once, but the item c has other bounds":     {Puzzle: Puzzle{Text: "item a 1\nitem b 1\nitem c 0..1\noption a b c\noption a c\n"}},
	} {
		r.Tree, r.Number = true, 1
		_, err := Do(t.Context(), &r, Limits{}, Watch{})
		for field, name := range map[string]string{"{distinct}": "distinct", "{weights}": "weights", "{grow}": "grow", "{method}": "method"} {
			want = strings.ReplaceAll(want, field, name)
		}
		kind := BadInput
		if errors.Is(err, ErrNoTiling) {
			kind = Failure
		}
		if KindOf(err) != kind || strings.Contains(want, "no connection") != (kind == Failure) || !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	r := Sample{Puzzle: dominoes, Number: 193, Unique: true, Tree: true}
	if _, err := Do(t.Context(), &r, Limits{}, Watch{}); err == nil {
		t.Error("193 different trees of 3x3 cells")
	}
}
