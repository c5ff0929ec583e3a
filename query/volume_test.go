package query

import (
	"errors"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/pavage/pavage/internal/test/puzzletest"
	"github.com/pavage/pavage/tiling"
)

// TestVolume: on boards of lozenges and dominoes, some with holes, the weight of each tiling times
// q^(sum of its heights, in steps of a flip) is the same number.
func TestVolume(t *testing.T) {
	q := big.NewRat(2, 3)
	for text, step := range map[string]int64{
		"{lattice: triangle, board: {hexagon: 2}, pieces: [{name: lozenge, copies: any}]}":                        3,
		"{lattice: triangle, board: {hexagon: [1, 2, 3]}, pieces: [{name: lozenge, copies: any}]}":                3,
		"{lattice: triangle, board: {hexagon: [3, 1, 2]}, pieces: [{name: lozenge, copies: any}]}":                3,
		"{lattice: triangle, board: \".^v^v^./^v.v^v^/v^.^v^v/.v^v^v.\", pieces: [{name: lozenge, copies: any}]}": 3,
		"{board: 4x4, pieces: [{name: domino, copies: any}]}":                                                     4,
		"{board: 3x6, pieces: [{name: domino, copies: any}]}":                                                     4,
		"{board: {diamond: 3}, pieces: [{name: domino, copies: any}]}":                                            4,
		"{board: \".####./######/##..##/######/.####.\", pieces: [{name: domino, copies: any}]}":                  4,
		"{board: 2x4, pieces: [{name: lie, box: 1x2, copies: any}, {name: domino, copies: any}]}":                 4,
		"{lattice: triangle, board: 2x7, pieces: [{name: volumes, cells: [[0, 0], [0, 1]], copies: 2..9999}]}":    3,
	} {
		m := puzzletest.Parse(t, strings.ReplaceAll(text, "/", "\\n"))
		weights, err := Weights(m, []string{"volume=2/3"})
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		all := pairings(m, make([]bool, len(m.Puzzle.Board.Cells)))
		var same *big.Rat
		for _, s := range all {
			var placements []tiling.Placement
			product := big.NewRat(1, 1)
			for _, o := range s {
				placements = append(placements, m.Placements[o])
				if weights[o] != nil {
					product.Mul(product, weights[o])
				}
			}
			h, err := m.Puzzle.Board.Heights(placements, nil)
			if err != nil {
				t.Fatal(err)
			}
			sum := new(big.Rat)
			for _, v := range h.Values {
				sum.Add(sum, v)
			}
			// The sums of two tilings differ by a multiple of the step.
			exponent := new(big.Int).Div(sum.Num(), big.NewInt(step)).Int64()
			if product.Mul(product, power(q, int(exponent))); same == nil {
				same = product
			}
			if same.Cmp(product) != 0 {
				t.Errorf("%s: tiling %v has %v, want %v", text, s, product, same)
			}
		}
		if len(all) < 2 {
			t.Errorf("%s: %d tilings", text, len(all))
		}
	}
}

// pairings are the tilings of the cells that are not covered, by pieces with any number of copies.
func pairings(m *tiling.Model, covered []bool) (all [][]int) {
	first := slices.Index(covered, false)
	if first < 0 {
		return [][]int{nil}
	}
	for o, p := range m.Placements {
		if p.Cells[0] != first || covered[p.Cells[1]] {
			continue
		}
		covered[first], covered[p.Cells[1]] = true, true
		for _, s := range pairings(m, covered) {
			all = append(all, append(s, o))
		}
		covered[first], covered[p.Cells[1]] = false, false
	}
	return all
}

// TestNoVolume: puzzles without a volume are errors, and the names of a puzzle go before the rule.
func TestNoVolume(t *testing.T) {
	for text, want := range map[string]string{
		"{board: 2x3, pieces: [{name: L3, copies: any}]}":                                              "the piece L3 is not a domino",
		"{board: 2x3, pieces: [{name: gap, cells: [[0, 0], [0, 2]], copies: any}]}":                    "the piece gap is not a domino",
		"{board: 2x3, pieces: [{name: domino, copies: any}, {name: monomino, copies: any}]}":           "the piece monomino is not a domino",
		"{board: 2x4, wrap: both, pieces: [{name: domino, copies: any}]}":                              "does not wrap",
		"{board: 2x2x2, pieces: [{name: domino, copies: any}]}":                                        "flat board",
		"{lattice: hexagon, board: 2x3, pieces: [{name: pair, cells: [[0, 0], [0, 1]], copies: any}]}": "have no volume",
		"{board: 2x4, cover: at-most, pieces: [{name: domino, copies: any}]}":                          "may stay empty",
		"{board: 500x2, pieces: [{name: domino, copies: any}]}":                                        "a board of 500 rows: its powers have over 4096 bits",
	} {
		m := puzzletest.Parse(t, text)
		for _, w := range []string{"volume=9/10", "volume=0"} {
			if strings.Contains(text, "500x2") {
				w = "volume=" + strings.Repeat("9", 49) + "/1" + strings.Repeat("0", 49)
			}
			all, err := Weights(m, []string{w})
			if !errors.Is(err, ErrQuery) || !strings.Contains(err.Error(), want) && w != "volume=0" {
				t.Errorf("%s: %.200v, %v, want %q", text, all, err, want)
			}
		}
	}
	m := puzzletest.Parse(t, "{board: 2x3, pieces: [{name: volume, shape: \"###\", copies: any}]}")
	if all, err := Weights(m, []string{"volume=1/2"}); err != nil || all[0].RatString() != "1/2" || all[1].RatString() != "1/2" {
		t.Errorf("the piece volume: %v, %v", all, err)
	}
	for _, text := range []string{"volumes=2", "volume+domino=2", "volume:1=2", "volume@0,0=2"} {
		if all, err := Weights(m, []string{text}); err == nil && text != "volume@0,0=2" && text != "volume:1=2" {
			t.Errorf("%s: %v, want an error", text, all)
		}
	}
}
