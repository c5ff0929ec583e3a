package bdd

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestImport: the sets of a diagram whose variables have other names are its sets with
// the other names, in whatever order they are.
func TestImport(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 3))
	for range 200 {
		vars := 1 + rng.IntN(8)
		sets := randomSets(rng, vars)
		to := rng.Perm(vars + 3)[:vars]
		if rng.IntN(3) == 0 {
			slices.Sort(to)
		}
		var renamed [][]int
		for _, set := range sets {
			var as []int
			for _, v := range set {
				as = append(as, to[v])
			}
			slices.Sort(as)
			renamed = append(renamed, as)
		}
		s := newStore(t, vars+3, Limits{})
		f := must[Family](t)(s.Import(t.Context(), listed(t, vars, sets), to))
		if got := must[*Diagram](t)(s.Freeze(t.Context(), f)); !got.Equal(listed(t, vars+3, renamed)) {
			t.Fatalf("%v as %v: %v", sets, to, slices.Collect(got.AllSets()))
		}
	}
}

// TestImportMisuse: variables that are not different, not the store's, or too few; nodes
// over a child of an earlier variable.
func TestImportMisuse(t *testing.T) {
	s, d := newStore(t, 3, Limits{}), listed(t, 2, [][]int{{0, 1}})
	for _, to := range [][]int{nil, {1}, {1, 1}, {0, 3}, {-1, 0}} {
		if _, err := s.Import(t.Context(), d, to); !errors.Is(err, ErrInvalid) {
			t.Errorf("%v: %v", to, err)
		}
	}
	one := must[Family](t)(s.Node(1, s.Empty(), s.Unit()))
	for _, v := range []int{-1, 1, 2, 3} {
		if _, err := s.Node(v, s.Empty(), one); !errors.Is(err, ErrInvalid) {
			t.Errorf("variable %d over variable 1: %v", v, err)
		}
	}
	if _, err := s.Node(0, Family(99), one); !errors.Is(err, ErrInvalid) {
		t.Errorf("a child of another store: %v", err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	big := build(t, powerSet(20))
	if _, err := newStore(t, 20, Limits{}).Import(ended, big, slices.Sorted(slices.Values(rand.Perm(20)))); err == nil {
		t.Error("imported after the end")
	}
}
