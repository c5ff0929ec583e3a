package band

import (
	"testing"

	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/test/puzzletest"
)

// TestUsualBand: the default band has about half a row.
func TestUsualBand(t *testing.T) {
	for _, c := range []struct {
		text string
		want int
	}{
		{"{board: 1x1, pieces: [monomino]}", 1},
		{"{board: 10x10, pieces: [{set: tetrominoes, copies: any}]}", 5},
		{"{board: 12x12, pieces: [{set: tetrominoes, copies: any}]}", 6},
		{"{board: 16x16, pieces: [{set: tetrominoes, copies: any}]}", 8},
		{"{board: 16x16, pieces: [{name: domino, copies: any}]}", 7},
		{"{board: 6x10, pieces: [pentominoes]}", 6},
		{"{board: 8x8, pieces: [{set: tetrominoes, copies: any}, {name: monomino, copies: 0..3}]}", 4},
		{"{lattice: hexagon, board: 8x8, pieces: [{set: tetrahexes, copies: any}]}", 4},
		{"{lattice: triangle, board: 6x12, pieces: [{set: hexiamonds, copies: any}]}", 3},
		{"{board: 4x4x4, pieces: [{set: tetracubes, copies: any}]}", 7},
	} {
		a, err := automaton.Compile(t.Context(), puzzletest.Parse(t, c.text).Problem)
		if err != nil {
			t.Fatal(err)
		}
		if got := usualBand(a); got != c.want {
			t.Errorf("%s: bands of %d steps, want %d", c.text, got, c.want)
		}
	}
}
