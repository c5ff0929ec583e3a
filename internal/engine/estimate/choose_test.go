package estimate

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/engine/sweep"
	"github.com/pavage/pavage/internal/test/puzzletest"
	"github.com/pavage/pavage/internal/test/testkit"
)

// TestChoose wants the order that meets fewest states of those looked into, or
// one that is as good up to a third, on boards where profiles alone say another
// or leave a doubt. The first two are for the long run.
func TestChoose(t *testing.T) {
	testkit.Serial(t)
	boards := [][]string{
		{"11x11", "monomino=any", "domino=any"},
		{"5x9", "tetrominoes=0..2", "domino=any"},
		{"8x8", "tetrominoes=any"},
		{"14x14", "domino=any"},
		{"7x7", "monomino=any", "domino=any", "I3=any", "L3=any"},
		{"5x8", "pentominoes=any"},
	}
	for _, x := range boards[testkit.Size(4, 0):] {
		p := puzzletest.Inline(t, x[0], x[1:]...).Problem
		all, err := Choose(context.Background(), p, sweep.Config{}, small(1), small(2))
		if err != nil || len(all) < 2 {
			t.Fatalf("%v: %d choices, %v", x, len(all), err)
		}
		states := make([]float64, len(all))
		for i, c := range all {
			states[i] = (&Estimate{States: truth(t, c.Automaton)}).Total()
			t.Logf("%v order %d: %.0f states, %.0f expected", x, c.Index, states[i], c.Estimate.Total())
		}
		if least := slices.Min(states); states[0] > 1.34*least {
			t.Errorf("%v: order %d has %.0f states, another %.0f", x, all[0].Index, states[0], least)
		}
	}
}

func TestNothingToChoose(t *testing.T) {
	if all, err := Choose(context.Background(), puzzletest.Inline(t, "3x3", "domino=7").Problem, sweep.Config{}, small(1), small(2)); err != nil || len(all) != 0 {
		t.Errorf("a problem that cannot meet its bounds: %d choices, %v", len(all), err)
	}
	p := puzzletest.Parse(t, "{board: 16x16x16, pieces: [{name: slab, box: 16x16x8, copies: 2, motions: fixed}]}").Problem
	if all, err := Choose(context.Background(), p, sweep.Config{}, small(1), small(2)); !errors.Is(err, automaton.ErrTooWide) {
		t.Errorf("too wide: %d choices, %v", len(all), err)
	}
}
