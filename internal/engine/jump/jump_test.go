package jump

import (
	"errors"
	"math/big"
	"slices"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/automaton"
)

// purse is a memory that ends.
type purse struct{ left int64 }

var errSpent = errors.New("spent")

func (p *purse) Take(n int64) error {
	if p.left < n {
		return errSpent
	}
	p.left -= n
	return nil
}

func (p *purse) Give(n int64) { p.left += n }

// chain is the cover of n items in a row by dominoes and single cells.
func chain(t *testing.T, n int) *automaton.Automaton {
	t.Helper()
	p := &cover.Problem{}
	for i := range n {
		p.Items = append(p.Items, cover.Item{Min: 1, Max: 1})
		p.Options = append(p.Options, cover.Option{{Item: i, Times: 1}})
		if i > 0 {
			p.Options = append(p.Options, cover.Option{{Item: i - 1, Times: 1}, {Item: i, Times: 1}})
		}
	}
	a, err := automaton.Compile(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestEqualStates: more equal states than a worker sorts at a time are added up, and all memory is
// given back.
func TestEqualStates(t *testing.T) {
	a := chain(t, 5) // in 8 ways
	const many = 2*tooMany*partStates + 1
	for _, limbs := range []int{1, 2} {
		p := &purse{left: 1 << 40}
		r := New[[1]uint64](a, 0, Config{Limbs: limbs, Threads: 2, Memory: p})
		keys := slices.Repeat([][1]uint64{automaton.Root[[1]uint64](a)}, many)
		if _, err := r.Add(keys, slices.Repeat(append([]uint64{3}, make([]uint64, limbs-1)...), many)); err != nil {
			t.Fatal(err)
		}
		for r.Level() < a.Steps() {
			if _, err := r.Step(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if got := r.Total(); got.Cmp(big.NewInt(3*8*many)) != 0 {
			t.Errorf("%d limbs: %v, want %d", limbs, got, 3*8*many)
		}
		if used := 1<<40 - p.left; used != r.Bytes() {
			t.Errorf("%d limbs: %d bytes are counted, %d are there", limbs, used, r.Bytes())
		}
		if r.Close(); p.left != 1<<40 {
			t.Errorf("%d limbs: %d bytes are not given back", limbs, 1<<40-p.left)
		}
	}
}

// TestSumsOfWaitingCounts: a count of the ordinary level may need a limb more than those that wait.
func TestSumsOfWaitingCounts(t *testing.T) {
	a := chain(t, 3)
	r := New[[1]uint64](a, 0, Config{Limbs: 1, Memory: &purse{left: 1 << 30}})
	root := automaton.Root[[1]uint64](a)
	if _, err := r.Add([][1]uint64{root, root, root}, []uint64{1<<64 - 1, 1<<64 - 1, 4}); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Step(t.Context()); !errors.Is(err, ErrNarrow) {
		t.Fatalf("a step: %v, want %v", err, ErrNarrow)
	}
	states, limbs, err := r.Size(t.Context())
	if err != nil || states != 1 || limbs != 2 {
		t.Errorf("%d states of %d limbs, %v; want 1 of 2", states, limbs, err)
	}
	err = r.Each(t.Context(), limbs, func(_ [][1]uint64, counts []uint64) error {
		if want := []uint64{2, 2}; !slices.Equal(counts, want) {
			t.Errorf("count %d, want %d", counts, want)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	if got, want := r.Total(), new(big.Int).Add(new(big.Int).Lsh(big.NewInt(2), 64), big.NewInt(2)); got.Cmp(want) != 0 {
		t.Errorf("total %v, want %v", got, want)
	}
}

// TestStepsWithoutMemory: wherever memory ends, a step leaves the run as it was, and goes on when
// there is some.
func TestStepsWithoutMemory(t *testing.T) {
	a := chain(t, 20) // in 10946 ways
	failed := 0
	for left := int64(0); left < 1<<15; left += 500 {
		p := &purse{left: 1 << 30}
		r := New[[1]uint64](a, 0, Config{Limbs: 1, Memory: p})
		if _, err := r.Add([][1]uint64{automaton.Root[[1]uint64](a)}, []uint64{1}); err != nil {
			t.Fatal(err)
		}
		for r.Level() < a.Steps() {
			before := r.Total()
			p.left = left
			_, err := r.Step(t.Context())
			if p.left += 1 << 30; err == nil {
				continue
			}
			if failed++; !errors.Is(err, errSpent) || r.Total().Cmp(before) != 0 {
				t.Fatalf("level %d: %v, total %v, before it %v", r.Level(), err, r.Total(), before)
			}
			if _, err := r.Step(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if r.Total().Int64() != 10946 {
			t.Fatalf("%d bytes a step: %v, want 10946", left, r.Total())
		}
	}
	if failed == 0 {
		t.Error("no step was without memory")
	}
}
