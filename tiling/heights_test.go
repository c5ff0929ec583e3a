package tiling

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/pavage/pavage/internal/test/oracle"
)

// heightBoard returns the model and the tilings of a puzzle with placements of two cells.
func heightBoard(t *testing.T, text string) (*Model, [][]Placement) {
	t.Helper()
	p, err := parse("f", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	m, err := p.Model(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	solutions, err := oracle.Solutions(m.Problem)
	if err != nil {
		t.Fatal(err)
	}
	var tilings [][]Placement
	for _, s := range solutions {
		var tiling []Placement
		for _, o := range s {
			tiling = append(tiling, m.Placements[o])
		}
		tilings = append(tilings, tiling)
	}
	return m, tilings
}

func told(h *Heights) string {
	var b strings.Builder
	for k, c := range h.Corners {
		if k > 0 && c.Y != h.Corners[k-1].Y {
			b.WriteString("/ ")
		}
		b.WriteString(h.Values[k].RatString() + " ")
	}
	return strings.TrimSpace(b.String())
}

// TestHeights: the heights of the running example.
func TestHeights(t *testing.T) {
	m, tilings := heightBoard(t, "board: 2x3\npieces: [{name: domino, copies: any}]")
	var all []string
	for _, tiling := range tilings {
		h, err := m.Puzzle.Board.Heights(tiling, nil)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, told(h))
	}
	want := []string{
		"0 -1 0 -1 / 1 2 1 -2 / 0 -1 0 -1",   // ab de, cf
		"0 -1 0 -1 / 1 -2 -3 -2 / 0 -1 0 -1", // ad, bc ef
		"0 -1 0 -1 / 1 -2 1 -2 / 0 -1 0 -1",  // ad, be, cf
	}
	if fmt.Sprintf("%q", all) != fmt.Sprintf("%q", want) {
		t.Errorf("%q, want %q", all, want)
	}
}

// TestHeightsGoUpAndDown: along each side of a cell of each tiling the height changes by the step
// that Heights defines, seen from both cells, and the mean heights are the means of the heights.
func TestHeightsGoUpAndDown(t *testing.T) {
	for _, text := range []string{
		"board: 4x4\npieces: [{name: domino, copies: any}]",
		"board: |\n  ####\n  #..#\n  #..#\n  ####\npieces: [{name: domino, copies: any}]", // a hole with two cells of each colour
		"board: |\n  ##..\n  ##..\n  ..##\n  ..##\npieces: [{name: domino, copies: any}]", // parts that meet in a corner
		"board: |\n  ##.##\n  ##.##\npieces: [{name: domino, copies: any}]",               // parts that do not meet
		"lattice: triangle\nboard: {hexagon: [1, 2, 2]}\npieces: [{name: lozenge, copies: any}]",
		"lattice: triangle\nboard: {hexagon: [1, 1, 3]}\npieces: [{name: lozenge, copies: any}]",
	} {
		m, tilings := heightBoard(t, text)
		b := m.Puzzle.Board
		in, sums := make([]int64, len(m.Placements)), map[Corner]*big.Rat{}
		for _, tiling := range tilings {
			h, err := b.Heights(tiling, nil)
			if err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			checkHeights(t, b, tiling, h)
			for k, c := range h.Corners {
				if sums[c] == nil {
					sums[c] = new(big.Rat)
				}
				sums[c].Add(sums[c], h.Values[k])
			}
			for i, p := range m.Placements {
				for _, q := range tiling {
					if &p.Cells[0] == &q.Cells[0] {
						in[i]++
					}
				}
			}
		}
		var shares []*big.Rat
		for _, n := range in {
			shares = append(shares, big.NewRat(n, int64(len(tilings))))
		}
		mean, err := b.Heights(m.Placements, shares)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		for k, c := range mean.Corners {
			if want := sums[c].Quo(sums[c], big.NewRat(int64(len(tilings)), 1)); mean.Values[k].Cmp(want) != 0 {
				t.Errorf("%s: mean height %v at %v, want %v", text, mean.Values[k], c, want)
			}
		}
	}
}

func checkHeights(t *testing.T, b *Board, tiling []Placement, h *Heights) {
	t.Helper()
	at, owner := map[Corner]int64{}, map[Cell]int{}
	for k, c := range h.Corners {
		at[c] = h.Values[k].Num().Int64()
	}
	for i, p := range tiling {
		for _, c := range p.Cells {
			owner[b.Cells[c]] = i + 1
		}
	}
	for _, c := range b.Cells {
		outline, sign := b.Lattice.Outline(c), int64(1)
		if (c[1]+c[2])%2 == 0 {
			sign = -1
		}
		for k, step := range b.Lattice.Steps(c) {
			want := sign
			if owner[c.Plus(step)] == owner[c] {
				want = -sign * int64(len(outline)-1)
			}
			if got := at[outline[(k+1)%len(outline)]] - at[outline[k]]; got != want {
				t.Errorf("along side %d of %v the height goes up by %d, want %d", k, c, got, want)
			}
		}
	}
}

// TestNoHeights: if a puzzle has no heights, a one-line error gives the reason.
func TestNoHeights(t *testing.T) {
	for text, want := range map[string]string{
		"board: 4x4\nwrap: rows\npieces: [{name: domino, copies: any}]":      "no heights: the board wraps (rows), so a corner would have several heights",
		"board: 1x2x2\nlattice: cube\npieces: [{name: domino, copies: any}]": "no heights: the board is solid, expected a flat one",
		"board: 2x2\nlattice: hexagon\npieces: [{name: dihex, copies: any}]": "no heights: the cells of the hexagon lattice cannot be black and white so that neighbours differ",
		"board: 1x3\npieces: [I3]":                                                        "no heights: a placement that covers the cell 0,0 is not of two cells with a side in common",
		"board: 1x3\npieces: [domino, monomino]":                                          "no heights: a placement that covers the cell 0,2 is not of two cells with a side in common",
		"board: 1x3\ncover: at-most\npieces: [domino]":                                    "no heights: the cell 0,2 is not covered exactly once",
		"board: |\n  ####\n  #.##\n  ###.\n  ####\npieces: [{name: domino, copies: any}]": "no heights: on a way around a hole the heights would change by 4, expected holes with as many black as white cells of a chessboard",
	} {
		m, tilings := heightBoard(t, text)
		if len(tilings) == 0 {
			t.Fatalf("%s: no tiling", text)
		}
		if h, err := m.Puzzle.Board.Heights(tilings[0], nil); err == nil || err.Error() != want {
			t.Errorf("%s: %v, error %v, want %s", text, h, err, want)
		}
	}
}
