package order

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/engine/sweep"
	"github.com/pavage/pavage/internal/test/puzzletest"
	"github.com/pavage/pavage/internal/test/testkit"
)

// mixed has puzzles of all kinds. The forecast alone would choose the worst order of the bars.
var mixed = []string{
	ofAllSizes("3x14", "1xk", 14),
	ofAllSizes("2x20", "1xk", 20),
	ofAllSizes("4x10", "1xk", 10),
	ofAllSizes("6x8", "1xk", 8),
	ofAllSizes("7x7", "1xk", 4),
	ofAllSizes("9x9", "kxk", 9),
	ofAllSizes("6x12", "kxk", 6),
	"{board: 7x9, cover: at-most, pieces: [{name: a, box: 5x5, copies: 0..7}, {name: b, box: 4x4, copies: 0..7}, {name: c, box: 3x3, copies: 0..7}, {name: d, box: 2x2, copies: 0..7}]}",
	"{board: 4x15, pieces: [pentominoes]}",
	"{board: 3x20, pieces: [pentominoes]}",
	"{board: 6x6, pieces: [{set: tetrominoes, copies: any}, {name: monomino, copies: 0..4}]}",
	"{board: 8x8, pieces: [{set: tetrominoes, copies: any}]}",
	"{board: 5x8, pieces: [{set: pentominoes, copies: any}]}",
	"{board: 9x9, pieces: [{name: L3, copies: any}]}",
	"{lattice: triangle, board: {rhombus: [4, 9]}, pieces: [hexiamonds]}",
	"{lattice: hexagon, board: 4x7, pieces: [tetrahexes]}",
}

// whole returns the number of states of all levels, or infinity if they are over most.
func whole(t *testing.T, a *automaton.Automaton, most int64) float64 {
	t.Helper()
	x := newTrial(a, sweep.Config{})
	if err := x.sweep(context.Background(), most); err != nil {
		t.Fatal(err)
	}
	if !x.ended() {
		return math.Inf(1)
	}
	return float64(x.run.Effort().States)
}

// TestBestOrders wants an order with at most 1.5 times the states of the best.
func TestBestOrders(t *testing.T) {
	for i, puzzle := range mixed {
		if i%2 > 0 && testkit.Size(0, 1) == 0 {
			continue
		}
		p := puzzletest.Parse(t, puzzle).Problem
		chosen, err := Compile(context.Background(), p, sweep.Config{})
		if err != nil {
			t.Fatal(err)
		}
		took := whole(t, chosen, 1<<23)
		all, err := automaton.Candidates(context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		least := took
		for _, x := range all {
			least = min(least, whole(t, x.Automaton, int64(least)+1))
		}
		if took > 1.5*least {
			t.Errorf("%s: the order chosen has %.0f states, another one %.0f", puzzle, took, least)
		}
		again, err := Compile(context.Background(), p, sweep.Config{Threads: 4})
		if err != nil || !slices.Equal(again.Order, chosen.Order) {
			t.Errorf("%s: another order with four threads, %v", puzzle, err)
		}
	}
}
