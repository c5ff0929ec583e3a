package frontier

import (
	"context"
	"testing"
)

// TestLimbsAreNeeded: a level has another limb than the one before it only
// where some count needs it, whether its step is merged or repeated, and on any
// number of threads.
func TestLimbsAreNeeded(t *testing.T) {
	a, err := Compile(context.Background(), problem(t, "60x6", "domino=any", "monomino=any"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []Config{
		{Counts: true, Threads: 1, once: true},
		{Counts: true, Threads: 3, once: true, chunk: 10},
		{Counts: true, Threads: 2},
	} {
		r := newRun[[1]uint64](a, c)
		widened := 0
		for range a.Steps() {
			was := r.in.limbs
			if _, err := r.Step(context.Background()); err != nil {
				t.Fatal(err)
			}
			if r.in.limbs == was {
				continue
			}
			widened++
			if widest := r.in.widest(); r.in.limbs != was+1 || widest <= 64*was {
				t.Errorf("%+v, level %d: %d limbs after %d, for %d bits", c, r.at, r.in.limbs, was, widest)
			}
		}
		if bits := r.Total().BitLen(); widened != (bits+63)/64-1 || widened < 3 {
			t.Errorf("%+v: widened %d times, to %d bits", c, widened, bits)
		}
	}
}
