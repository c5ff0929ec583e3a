package sweep

import (
	"context"
	"errors"
	"math/big"
	"testing"

	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/test/testkit"
)

// TestMemoryIsCounted: after every step the counted memory is the memory in use, except for the
// sample of that step, which the next step frees.
func TestMemoryIsCounted(t *testing.T) {
	p := problem(t, "14x7", "tetrominoes=any", "monomino=any")
	a, err := automaton.Compile(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []Config{{Value: Count{}}, {Keep: KeepArcs}, {Value: Count{}, Keep: KeepArcs, Threads: 3, chunk: 500}} {
		r := New[[1]uint64](a, c)
		for range a.Steps() / 2 {
			arcs, err := r.Step(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			if err := r.check(); err != nil {
				t.Fatalf("%+v: %v", c, err)
			}
			if arcs != nil && r.store.lent < 4*int64(len(arcs.Start)+2*len(arcs.Child)) {
				t.Fatalf("%+v, level %d: %d bytes are lent, and more of them are arcs", c, r.at, r.store.lent)
			}
		}
		if repeated := r.repeats.bytes > 0; repeated != (c.Value != nil && c.Keep == KeepNothing) {
			t.Errorf("%+v: repetition %v", c, repeated)
		}
		if r.in.n < 5_000 {
			t.Errorf("only %d states", r.in.n)
		}
		if peak := r.Effort().Bytes; peak < r.store.used.Load() {
			t.Errorf("peak %d, used %d", peak, r.store.used.Load())
		}
	}
}

// TestSerialPartsAreCancelled ends the context of a step at its n-th look, for some n. The step
// ends with the error of the context.
func TestSerialPartsAreCancelled(t *testing.T) {
	p := problem(t, "7x7", "tetrominoes=any", "monomino=any")
	a, err := automaton.Compile(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	at := func() *Sweep[[1]uint64] {
		r := New[[1]uint64](a, Config{Value: Count{}, Keep: KeepArcs, Threads: 1})
		for range 20 {
			if _, err := r.Step(context.Background()); err != nil {
				t.Fatal(err)
			}
		}
		return r
	}
	for n := 0; ; n += testkit.Size(3, 1) {
		ctx := testkit.AfterLooks(t, n)
		_, err := at().Step(ctx)
		if !ctx.Ended() {
			if err != nil || n < 15 {
				t.Errorf("%d looks, error %v", n, err)
			}
			return
		}
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("ended at look %d: error %v", n, err)
		}
	}
}

// TestTotalCarries adds counts whose sums overflow their limbs, without a big number for each
// count.
func TestTotalCarries(t *testing.T) {
	const full = ^uint64(0)
	l := Level[[1]uint64]{n: 3, width: width{words: 2}, counts: [][]uint64{{full, full, full, full}, {full, full}}}
	want := new(big.Int).Lsh(big.NewInt(1), 128)
	want.Sub(want, big.NewInt(1)).Mul(want, big.NewInt(3))
	if got := l.total(); got.Cmp(want) != 0 {
		t.Errorf("%v, want %v", got, want)
	}
	big := Level[[1]uint64]{width: width{words: 3}, counts: make([][]uint64, 200)}
	for i := range big.counts {
		big.counts[i] = make([]uint64, 3*SlabStates)
	}
	if n := testing.AllocsPerRun(1, func() { big.total() }); n > 100 {
		t.Errorf("the sum of %d counts made %.0f allocations, want no more than one sum", 200*SlabStates, n)
	}
}
