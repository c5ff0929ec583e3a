package count

import (
	"math/rand/v2"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/oracle"
	"github.com/pavage/pavage/internal/test/puzzletest"
)

func TestUnbalanced(t *testing.T) {
	for puzzle, want := range map[string]bool{
		"{board: 8x8, pieces: [pentominoes]}":                                                  true,
		"{board: 8x8, pieces: [pentominoes, O4]}":                                              false,
		"{board: 6x11, pieces: [pentominoes]}":                                                 true,
		"{board: 6x11, cover: at-most, pieces: [pentominoes]}":                                 false,
		"{board: 5x11, cover: at-most, pieces: [pentominoes]}":                                 true,
		"{board: 3x3, pieces: [{name: domino, copies: any}]}":                                  true,
		"{board: 3x3, pieces: [{name: domino, copies: 0..3}, {name: L3, copies: any}]}":        false,
		"{board: 4x4, pieces: [{name: domino, copies: 9..}]}":                                  true,
		"{board: 4x4, pieces: [{name: domino, copies: 0..7}, {name: monomino, copies: 0..1}]}": true,
		"{board: 4x4, pieces: [{name: domino, copies: 0..7}, {name: monomino, copies: 0..2}]}": false,
		"{board: 2x2, pieces: [{name: domino, copies: any}, {name: I3, copies: 1}]}":           true, // does not fit
		"{board: 2x2, pieces: [{name: domino, copies: any}, {name: I3, copies: any}]}":         false,
		"{board: \"ooo\\n###\", pieces: [{name: domino, copies: any}]}":                        false,
		"{board: \"..o\\n###\\n.#.\", pieces: [{name: L3, copies: 2}]}":                        true,
		"{board: 3x3x3, pieces: [soma]}":                                                       false,
	} {
		m := puzzletest.Parse(t, puzzle)
		if got := Unbalanced(m.Problem); got != want {
			t.Errorf("%s: unbalanced %v, want %v", puzzle, got, want)
		}
	}
}

// TestUnbalancedColours: two pieces of two cells have room on three, if they agree on one.
func TestUnbalancedColours(t *testing.T) {
	piece := func(cell int) cover.Option {
		return cover.Option{{Item: 0, Times: 1, Colour: 1}, {Item: cell, Times: 1}, {Item: 3, Times: 1}}
	}
	p := &cover.Problem{
		Items:   []cover.Item{{Max: 1}, {Min: 1, Max: 1}, {Min: 1, Max: 1}, {Min: 2, Max: 2}},
		Colours: []string{"R"}, Options: []cover.Option{piece(1), piece(2)}, Orders: [][]int{{0, 1, 2}},
	}
	if n, err := oracle.Count(p); n != 1 || err != nil || Unbalanced(p) {
		t.Errorf("%d solutions, %v, unbalanced %v", n, err, Unbalanced(p))
	}
}

// TestUnbalancedHasNoSolution: covers that Unbalanced reports have no solution.
func TestUnbalancedHasNoSolution(t *testing.T) {
	said := 0
	for seed := range uint64(20_000) {
		p := oracle.RandomGrid(rand.New(rand.NewPCG(seed, 11)))
		if !Unbalanced(p) {
			continue
		}
		said++
		n, err := oracle.Count(p)
		if err != nil {
			t.Fatal(err)
		}
		if n > 0 {
			t.Fatalf("seed %d: unbalanced, with %d solutions\n%s", seed, n, text(p))
		}
	}
	if said < 100 {
		t.Errorf("only %d covers are unbalanced", said)
	}
}
