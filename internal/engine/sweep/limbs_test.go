package sweep

import (
	"bytes"
	"context"
	"errors"
	"math/big"
	"strings"
	"testing"

	"github.com/pavage/pavage/internal/engine/automaton"
)

// TestLimbsAreNeeded: a level has one limb more than the level before it only if some count needs
// it, whether its step is merged or repeated, on any number of threads.
func TestLimbsAreNeeded(t *testing.T) {
	a, err := automaton.Compile(context.Background(), problem(t, "60x6", "domino=any", "monomino=any"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []Config{
		{Value: Count{}, Threads: 1, once: true},
		{Value: Count{}, Threads: 3, once: true, chunk: 10},
		{Value: Count{}, Threads: 2},
	} {
		r := New[[1]uint64](a, c)
		widened := 0
		for range a.Steps() {
			was := r.in.words
			if _, err := r.Step(context.Background()); err != nil {
				t.Fatal(err)
			}
			if r.in.words == was {
				continue
			}
			widened++
			if widest := r.in.Widest(); r.in.words != was+1 || widest <= 64*was {
				t.Errorf("%+v, level %d: %d limbs after %d, for %d bits", c, r.at, r.in.words, was, widest)
			}
		}
		if bits := r.Total().BitLen(); widened != (bits+63)/64-1 || widened < 3 {
			t.Errorf("%+v: widened %d times, to %d bits", c, widened, bits)
		}
	}
}

// TestResidues compares runs with residues with a run with counts: at every level their sums are
// the residues of the sums of counts.
func TestResidues(t *testing.T) {
	moduli := []uint64{2, 1_000_000_007, MaxModulus - 25}
	for _, pieces := range [][]string{{"domino=any", "monomino=any"}, {"tetrominoes=any"}} {
		a, err := automaton.Compile(context.Background(), problem(t, "30x4", pieces...))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []Config{
			{Threads: 1, once: true, Value: Residues(moduli)},
			{Threads: 3, chunk: 20, Value: Residues(moduli)},
			{Threads: 2, Value: Residues(moduli[1:2])},
		} {
			r := New[[1]uint64](a, c)
			run := New[[1]uint64](a, Config{Value: Count{}})
			for range a.Steps() {
				advance(t, r)
				advance(t, run)
				got, err := r.Residues()
				if err != nil {
					t.Fatal(err)
				}
				for i, m := range c.Value.(Residues) {
					modulus := new(big.Int).SetUint64(m)
					if want := new(big.Int).Mod(run.Total(), modulus); want.Uint64() != got[i] {
						t.Fatalf("%v, %+v, level %d: %d modulo %d, want %d", pieces, c, r.at, got[i], m, want)
					}
				}
			}
			if repeats := r.repeats.times > 0; repeats == c.once {
				t.Errorf("%+v: repeated %d times", c, r.repeats.times)
			}
		}
	}
}

// TestResiduesAreNotCounts: a run with counts has no residues, and a run with residues does not
// resume it.
func TestResiduesAreNotCounts(t *testing.T) {
	a, err := automaton.Compile(context.Background(), problem(t, "8x8", "domino=any"))
	if err != nil {
		t.Fatal(err)
	}
	r := New[[1]uint64](a, Config{Value: Count{}})
	for range 20 {
		advance(t, r)
	}
	if got, err := r.Residues(); len(got) > 0 || err != nil {
		t.Errorf("residues %v, %v", got, err)
	}
	for _, r := range []Run{r, New[[1]uint64](a, Config{})} { // with and without counts
		_, err := Resume(a, bytes.NewReader(saved(t, r)), Config{Value: Residues{5, 7}})
		if !errors.Is(err, ErrForeign) || !strings.Contains(err.Error(), "this sweep computes residues or weights") {
			t.Errorf("with residues: %v", err)
		}
	}
}
