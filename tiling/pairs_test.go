package tiling

import (
	"slices"
	"testing"
)

// TestPairs compares the placements of Pairs with the placements of the model.
func TestPairs(t *testing.T) {
	for _, a := range []Arguments{
		{Board: "1x1", Pieces: []string{"domino=any"}},
		{Board: "1x7", Pieces: []string{"domino=any"}},
		{Board: "5x4", Pieces: []string{"2x1=any"}},
		{Board: "5x4", Pieces: []string{"1x2=any"}, Motions: "fixed"},
		{Board: "6x7", Pieces: []string{"#..#=any"}},
		{Board: "6x7", Pieces: []string{"#../..#=any"}, Motions: "one-sided"},
		{Board: "6x7", Pieces: []string{"..#/#..=any"}, Motions: "fixed"},
		{Board: "diamond:4", Pieces: []string{"domino=any"}},
		{Board: ".##.##/######/#.##.#/..#..#", Pieces: []string{"domino=any"}},
		{Board: "hexagon:2,3,4", Pieces: []string{"lozenge=any"}},
		{Board: "4x5", Lattice: "hexagon", Pieces: []string{"dihex=any"}},
	} {
		p, err := a.puzzle()
		if err != nil {
			t.Fatal(a, err)
		}
		m, err := p.Model(t.Context())
		if err != nil {
			t.Fatal(a, err)
		}
		pairs := NewPairs(p)
		if pairs == nil || pairs.Number() != m.Number() {
			t.Fatalf("%v: %v, expected %d placements", a, pairs, m.Number())
		}
		for n := range pairs.Number() {
			if got, want := pairs.Placement(n, nil), m.Placement(n, nil); got.Piece != want.Piece || !slices.Equal(got.Cells, want.Cells) {
				t.Fatalf("%v: placement %d is %v, expected %v", a, n, got, want)
			}
			if !slices.Equal(pairs.Places, m.Problem.Places) {
				t.Fatalf("%v: places %v, expected %v", a, pairs.Places, m.Problem.Places)
			}
		}
	}
}

// TestNoPairs has puzzles with other rules.
func TestNoPairs(t *testing.T) {
	for _, a := range []Arguments{
		{Board: "4x4", Pieces: []string{"domino=8"}},
		{Board: "4x4", Pieces: []string{"domino=1.."}},
		{Board: "4x4", Pieces: []string{"domino=any", "monomino=any"}},
		{Board: "4x4", Pieces: []string{"I4=any"}},
		{Board: "4x4", Pieces: []string{"domino=any"}, Cover: "at-most"},
		{Board: "4x4", Pieces: []string{"domino=any"}, Wrap: "rows"},
		{Board: "1x4x4", Pieces: []string{"domino=any"}},
		{Board: "##o", Pieces: []string{"domino=any"}},
	} {
		p, err := a.puzzle()
		if err != nil {
			t.Fatal(a, err)
		}
		if NewPairs(p) != nil {
			t.Errorf("%v: pairs", a)
		}
	}
	for _, text := range []string{
		"{board: 4x4, pieces: [{name: domino, copies: any}], forbid: [{piece: domino, covers: [0, 0]}]}",
		"{board: 4x4, pieces: [{name: domino, copies: any}], groups: [{of: [domino], copies: 8}]}",
		"{board: 4x4, pieces: [{name: domino, copies: any}], colours: {w: white, b: black, pattern: wb/bw}}",
	} {
		p, err := parse("", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if NewPairs(p) != nil {
			t.Errorf("%s: pairs", text)
		}
	}
}

// TestCellLimit refuses boards beyond the limit, and those beyond the memory.
func TestCellLimit(t *testing.T) {
	for _, c := range []struct {
		limit CellLimit
		cells int64
		want  string
	}{
		{CellLimit{}, MaxCells, ""},
		{CellLimit{}, MaxCells + 1, "it has 1048577 cells, expected at most 1048576 cells"},
		{CellLimit{Most: MaxPairedCells}, MaxPairedCells, ""},
		{CellLimit{Most: MaxPairedCells}, MaxPairedCells + 1, "it has 33554433 cells, expected at most 33554432 cells"},
		{CellLimit{MaxPairedCells, 1000}, MaxCells, ""},
		{CellLimit{MaxPairedCells, 1000}, MaxCells + 1, "memory limit reached: it has 1048577 cells, which need 59768889 bytes, but only 1000 bytes are left"},
	} {
		got := ""
		if err := c.limit.Check("it has", c.cells); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%v, %d cells: %q, expected %q", c.limit, c.cells, got, c.want)
		}
	}
	l := CellLimit{Most: MaxPairedCells}
	b, err := Figure(Square, "diamond", []int{2100}, l) // 4200 rows
	if err == nil {
		err = b.ValidateWithin(l)
	}
	if err != nil {
		t.Error(err)
	}
}
