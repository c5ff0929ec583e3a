package bdd

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pavage/pavage/internal/test/testkit"
)

// TestSelect compares with the list of the sets that have this number of the variables.
func TestSelect(t *testing.T) {
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 15))
		vars := 1 + rng.IntN(9)
		d := listed(t, vars, randomSets(rng, vars))
		chosen := rng.Perm(vars)[:rng.IntN(vars+1)]
		slices.Sort(chosen)
		low := rng.IntN(len(chosen)+3) - 1
		high := low - 1 + rng.IntN(len(chosen)+2)
		var want [][]int
		for set := range d.AllSets() {
			has := 0
			for _, v := range set {
				if slices.Contains(chosen, v) {
					has++
				}
			}
			if low <= has && has <= high {
				want = append(want, set)
			}
		}
		got, err := d.Select(t.Context(), chosen, low, high, Limits{})
		if err != nil {
			t.Fatal(err)
		}
		checkCanonical(t, got)
		if !got.Equal(listed(t, vars, want)) {
			t.Fatalf("seed %d: %d..%d of %v: %v, want %v", seed, low, high, chosen, slices.Collect(got.AllSets()), want)
		}
	}
}

// TestSelectBoard: the parts of a family by the number of some variables in its sets are disjoint,
// and together all of it; equal to the results of the set operations.
func TestSelectBoard(t *testing.T) {
	d := build(t, boardSpec(5, 6, small3))
	var chosen []int
	for v := 0; v < d.Vars(); v += 11 {
		chosen = append(chosen, v)
	}
	sum, all := count(t, d), count(t, d)
	for k := 0; k <= len(chosen); k++ {
		exactly := must[*Diagram](t)(d.Select(t.Context(), chosen, k, k, Limits{}))
		checkCanonical(t, exactly)
		sum.Sub(sum, count(t, exactly))
		above := must[*Diagram](t)(d.Select(t.Context(), chosen, k+1, len(chosen), Limits{}))
		below := must[*Diagram](t)(d.Select(t.Context(), chosen, 0, k, Limits{}))
		rest := must[*Diagram](t)(combine(t.Context(), Difference, d, above, Limits{}))
		if !rest.Equal(below) {
			t.Errorf("at most %d: %v sets, want %v", k, count(t, below), count(t, rest))
		}
	}
	if sum.Sign() != 0 {
		t.Errorf("%v of %v sets are missing", sum, all)
	}
}

func TestSelectLimits(t *testing.T) {
	d := build(t, boardSpec(5, 6, small3))
	for _, vars := range [][]int{{-1}, {d.Vars()}, {1, 1}, {2, 1}} {
		if _, err := d.Select(t.Context(), vars, 0, 1, Limits{}); !errors.Is(err, ErrInvalid) {
			t.Errorf("variables %v: error %v", vars, err)
		}
	}
	chosen := []int{0, 5, 30, 60, 80, 110}
	whole := must[*Diagram](t)(d.Select(t.Context(), chosen, 2, 3, Limits{}))
	for _, l := range []Limits{{Bytes: d.Bytes()}, {Bytes: 4 * d.Bytes()}, {Nodes: int64(whole.Size()) / 2}} {
		if _, err := d.Select(t.Context(), chosen, 2, 3, l); !errors.Is(err, ErrLimit) {
			t.Errorf("limits %+v: error %v", l, err)
		}
	}
	for left := 0; ; left += 50 {
		ctx := testkit.AfterLooks(t, left)
		if _, err := d.Select(ctx, chosen, 2, 3, Limits{}); err == nil {
			break
		} else if !errors.Is(err, context.DeadlineExceeded) || ctx.Late() > 1 {
			t.Fatalf("ended after %d looks: %v, %d looks more", left, err, ctx.Late())
		}
	}
}
