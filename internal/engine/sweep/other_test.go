package sweep

import (
	"context"
	"encoding/binary"
	"hash/fnv"
	"testing"

	"github.com/pavage/pavage/internal/engine/automaton"
)

// levelsOf returns a hash of all levels of a run, states and counts.
func levelsOf(t *testing.T, a *automaton.Automaton) uint64 {
	t.Helper()
	h := fnv.New64a()
	r := Start(a, Config{Value: Count{}, Threads: 1})
	for range a.Steps() {
		if _, err := r.Step(context.Background()); err != nil {
			t.Fatal(err)
		}
		err := r.EachState(func(s automaton.State, ways []uint64) error {
			return binary.Write(h, binary.LittleEndian, append(s[:], ways...))
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return h.Sum64()
}

// TestOtherOrder: another order has other states and the same number of ways. The columns of a
// square do not count as another order than the rows.
func TestOtherOrder(t *testing.T) {
	ctx := context.Background()
	for _, c := range [][]string{{"6x6", "L3=any"}, {"9x9", "L3=any"}, {"1x60", "domino=any", "monomino=any"}, {"8x8", "domino=any"}, {"4x5", "pentominoes=0..1"}} {
		p := problem(t, c[0], c[1:]...)
		order, err := automaton.OtherOrder(ctx, p)
		if err != nil || order == nil {
			t.Fatalf("%v: %v, %v", c, order, err)
		}
		other, err := automaton.Compile(ctx, p, order)
		if err != nil {
			t.Fatal(err)
		}
		best, err := automaton.Compile(ctx, p)
		if err != nil {
			t.Fatal(err)
		}
		if levelsOf(t, best) == levelsOf(t, other) {
			t.Errorf("%v: the other order meets the same levels", c)
		}
	}
	if order, err := automaton.OtherOrder(ctx, problem(t, "1x1", "monomino=any")); err != nil || order != nil {
		t.Errorf("one cell has another order, %v; %v", order, err)
	}
}
