package bdd

import (
	"context"
	"errors"
	"iter"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pavage/pavage/internal/test/testkit"
)

// collect returns the first n sets.
func collect(t testing.TB, sets iter.Seq2[Weighed, error], n int) (taken []Weighed) {
	t.Helper()
	for w, err := range sets {
		if err != nil {
			t.Fatal(err)
		}
		if taken = append(taken, w); len(taken) >= n {
			break
		}
	}
	return taken
}

// TestBest compares with the sorted list of all sets.
func TestBest(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 17))
		vars := 1 + rng.IntN(9)
		d := listed(t, vars, randomSets(rng, vars))
		weights := randomWeights(rng, vars)
		if seed%2 == 0 { // many of equal weight
			for v := range weights {
				weights[v] = big.NewInt(rng.Int64N(4))
			}
		}
		var want []Weighed
		for set := range d.AllSets() {
			want = append(want, Weighed{set, weightOf(set, weights)})
		}
		slices.Reverse(want) // the order of the ranks
		for sign, sets := range map[int]iter.Seq2[Weighed, error]{
			-1: d.Best(t.Context(), weights, 0), 1: d.Worst(t.Context(), weights, 0),
		} {
			slices.SortStableFunc(want, func(a, b Weighed) int { return sign * a.Weight.Cmp(b.Weight) })
			got := collect(t, sets, len(want)+1)
			if !slices.EqualFunc(got, want, func(a, b Weighed) bool {
				return slices.Equal(a.Set, b.Set) && a.Weight.Cmp(b.Weight) == 0
			}) {
				t.Fatalf("seed %d, order %d, weights %v: sets %v, want %v", seed, sign, weights, got, want)
			}
			if some := collect(t, sets, 2); len(want) > 1 && !slices.Equal(some[1].Set, want[1].Set) {
				t.Fatalf("seed %d: second set %v, want %v", seed, some[1], want[1])
			}
			slices.SortStableFunc(want, func(a, b Weighed) int { return compareRanks(a.Set, b.Set) })
		}
	}
}

// compareRanks: of two sets, the first difference decides, and who has the lower variable
// there comes later.
func compareRanks(a, b []int) int {
	for k := range min(len(a), len(b)) {
		if a[k] != b[k] {
			return b[k] - a[k]
		}
	}
	return len(a) - len(b)
}

// TestBestBoard yields the first sets of a family that is too large to sort.
func TestBestBoard(t *testing.T) {
	d := build(t, boardSpec(6, 7, small3))
	weights := make([]*big.Int, d.Vars())
	for v := range weights {
		weights[v] = big.NewInt(int64(v%3 + 1))
	}
	best := collect(t, d.Best(t.Context(), weights, 0), 3000)
	worst := collect(t, d.Worst(t.Context(), weights, 0), 3000)
	for k := range best {
		for _, w := range []Weighed{best[k], worst[k]} {
			if !d.Contains(w.Set) || w.Weight.Cmp(weightOf(w.Set, weights)) != 0 {
				t.Fatalf("number %d: %v", k, w)
			}
		}
		if k > 0 && (best[k].Weight.Cmp(best[k-1].Weight) > 0 || worst[k].Weight.Cmp(worst[k-1].Weight) < 0) {
			t.Fatalf("number %d is out of order: %v, %v", k, best[k-1:k+1], worst[k-1:k+1])
		}
	}
	if best[0].Weight.Cmp(worst[0].Weight) <= 0 {
		t.Errorf("the best weight is %v, the worst %v", best[0].Weight, worst[0].Weight)
	}
}

func TestBestLimits(t *testing.T) {
	d := build(t, boardSpec(5, 6, small3))
	zero := []*big.Int{2: new(big.Int)}
	for name, tc := range map[string]struct {
		sets iter.Seq2[Weighed, error]
		want error
	}{
		"negative":     {d.Best(t.Context(), []*big.Int{big.NewInt(-1)}, 0), ErrInvalid},
		"first sets":   {d.Best(t.Context(), nil, 8*int64(d.Size())/2), ErrLimit},
		"lists":        {d.Best(t.Context(), nil, 10*int64(d.Size())), ErrLimit},
		"weight 0":     {d.Worst(t.Context(), zero, 10*int64(d.Size())), ErrLimit},
		"at the start": {d.Worst(testkit.AfterLooks(t, 1), nil, 0), context.DeadlineExceeded},
		"of the lists": {d.Best(testkit.AfterLooks(t, 1000), nil, 0), context.DeadlineExceeded},
	} {
		n, last := 0, error(nil)
		for _, last = range tc.sets {
			if n++; n > 30_000 {
				break
			}
		}
		if !errors.Is(last, tc.want) {
			t.Errorf("%s: error %v after %d sets, want %v", name, last, n, tc.want)
		}
	}
}
