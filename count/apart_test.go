package count

import (
	"context"
	"testing"

	"github.com/pavage/pavage/internal/test/puzzletest"
)

// TestCoversWithoutOrders: a cover whose orders do not list its cells needs at most twice the
// states of the same cover with orders. Sweeping the pieces as well needed 54 to over a thousand
// times the states.
func TestCoversWithoutOrders(t *testing.T) {
	for _, puzzle := range []string{
		"{board: 4x16, cover: at-most, pieces: [{name: a, box: 4x4, copies: 0..1}, {name: b, box: 3x3, copies: 0..1}, {name: c, box: 2x2, copies: 0..1}]}",
		"{board: 4x16, cover: at-most, pieces: [{set: trominoes, copies: 1}, {name: domino, copies: 1}, {name: monomino, copies: 1}]}",
		"{board: 4x12, cover: at-most, pieces: [{set: tetrominoes, copies: 1}]}",
		"{board: 3x20, pieces: [pentominoes]}",
		"{board: 5x5, pieces: [{set: pentominoes, copies: 0..1}]}",
	} {
		p := *puzzletest.Parse(t, puzzle).Problem
		want, err := Count(context.Background(), &p, Sweep, Options{})
		if err != nil {
			t.Fatal(err)
		}
		p.Orders = nil
		for _, e := range []Engine{Auto, Sweep} {
			got, err := Count(context.Background(), &p, e, Options{})
			if err != nil || got.Count.Cmp(want.Count) != 0 || got.Engine == Sweep && got.States > 2*want.States {
				t.Fatalf("%s by %s: %v, %v, want %v in %d states", puzzle, e, got, err, want.Count, want.States)
			}
		}
	}
}
