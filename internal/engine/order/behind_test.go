package order

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/engine/sweep"
	"github.com/pavage/pavage/internal/test/puzzletest"
)

// ofAllSizes returns a board with boxes of all sizes up to most, any number of each.
func ofAllSizes(board, box string, most int) string {
	var pieces []string
	for k := 1; k <= most; k++ {
		pieces = append(pieces, fmt.Sprintf("{name: b%d, box: %s, copies: any}", k, strings.ReplaceAll(box, "k", fmt.Sprint(k))))
	}
	return "{board: " + board + ", pieces: [" + strings.Join(pieces, ", ") + "]}"
}

// inOrder returns the automaton of a puzzle in the given order.
func inOrder(t *testing.T, puzzle string, order int) *automaton.Automaton {
	t.Helper()
	p := puzzletest.Parse(t, puzzle).Problem
	orders, err := automaton.Orders(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	a, err := automaton.Compile(context.Background(), p, orders[order])
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestForecasts compares the forecasts of all levels, from the first with 2,000 states on, with
// the true sizes, within a factor. With typical sets in proportion the forecast for the first
// puzzle is ten thousand times too high.
func TestForecasts(t *testing.T) {
	for _, x := range []struct {
		puzzle string
		order  int
		factor float64
	}{
		{ofAllSizes("12x12", "kxk", 12), 0, 2},
		{ofAllSizes("10x10", "kxk", 10), 2, 12}, // the longest levels are at the end
		{ofAllSizes("5x12", "1xk", 12), 2, 3},
		{ofAllSizes("3x14", "1xk", 14), 2, 1.5},
		{ofAllSizes("3x14", "1xk", 14), 0, 12},
		{"{board: 10x10, cover: at-most, pieces: [{name: s, box: 2x2, copies: 0..7}, {name: m, box: 3x3, copies: 0..7}, {name: l, box: 4x4, copies: 0..7}]}", 0, 8},
		{"{board: 8x8, pieces: [{set: tetrominoes, copies: any}]}", 0, 4},
		{"{board: 4x15, pieces: [pentominoes]}", 0, 2},
		{"{board: 16x16, pieces: [{name: domino, copies: any}]}", 0, 6},
	} {
		a := inOrder(t, x.puzzle, x.order)
		sizes := truth(t, a)
		all, met, at := 0.0, 0.0, -1
		for level, n := range sizes {
			all += n
			if at < 0 {
				met += n
				if n >= 2000 {
					at = level
				}
			}
		}
		told := met + a.Remaining(at, int(sizes[at]))
		if told > x.factor*all || told < all/x.factor {
			t.Errorf("%s: %.3g states expected at level %d of %d, met %.3g", x.puzzle, told, at, len(sizes), all)
		}
		for _, n := range a.Behind(at, sizes[at]) {
			met += n
		}
		if met < 0.999*told || met > 1.001*told {
			t.Errorf("%s: levels of %.3g states, %.3g in all", x.puzzle, met, told)
		}
	}
}

// truth returns the number of states of each level.
func truth(t *testing.T, a *automaton.Automaton) []float64 {
	t.Helper()
	run := sweep.Start(a, sweep.Config{})
	all := []float64{1}
	for run.Level() < a.Steps() {
		if _, err := run.Step(context.Background()); err != nil {
			t.Fatal(err)
		}
		all = append(all, float64(run.States()))
	}
	return all
}
