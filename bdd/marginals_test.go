package bdd

import (
	"context"
	"errors"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/pavage/pavage/internal/test/testkit"
)

// TestMarginals compares with sums over the sets that have each variable.
func TestMarginals(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 16))
		vars := 1 + rng.IntN(9)
		d := listed(t, vars, randomSets(rng, vars))
		weights := randomWeights(rng, vars)
		counts := must[*Counts](t)(d.Weigh(t.Context(), weights, 0))
		got := must[[]*big.Int](t)(d.Marginals(t.Context(), counts, 0))
		want := make([]*big.Int, vars)
		for v := range want {
			want[v] = new(big.Int)
		}
		for set := range d.AllSets() {
			weight := weightOf(set, weights)
			for _, v := range set {
				want[v].Add(want[v], weight)
			}
		}
		for v := range want {
			if got[v].Cmp(want[v]) != 0 {
				t.Fatalf("seed %d: variable %d has %v, want %v; weights %v", seed, v, got[v], want[v], weights)
			}
		}
	}
}

// TestMarginalsWide: in the power set of n variables each is in half of the 2^n sets. With weight
// 2^64-1 the sets with the variable weigh 2^(64n) less the sets without it, and for each sort of
// weight the numbers on the way down pass 64 bits at another place.
func TestMarginalsWide(t *testing.T) {
	for _, n := range []int{1, 63, 64, 65, 127, 128, 129, 200, 1000} {
		d := build(t, powerSet(n))
		for _, weight := range []*big.Int{nil, big.NewInt(3), new(big.Int).SetUint64(1<<64 - 1), new(big.Int).Lsh(big.NewInt(1), 64)} {
			if n == 1000 && weight != nil {
				continue
			}
			weights, base := make([]*big.Int, n), big.NewInt(1)
			for v := range weights {
				weights[v] = weight
			}
			base.Add(base, weightOf([]int{0}, weights))
			want := new(big.Int).Exp(base, big.NewInt(int64(n-1)), nil)
			want.Mul(want, weightOf([]int{0}, weights))
			counts := must[*Counts](t)(d.Weigh(t.Context(), weights, 0))
			for v, got := range must[[]*big.Int](t)(d.Marginals(t.Context(), counts, 0)) {
				if got.Cmp(want) != 0 {
					t.Fatalf("variable %d of %d with weight %v: %v, want %v", v, n, weight, got, want)
				}
			}
		}
	}
}

// TestMarginalsBoard: the marginals of the placements that cover a cell sum to the count,
// and each is the count of the sets that are left when its variable is required.
func TestMarginalsBoard(t *testing.T) {
	d := build(t, boardSpec(6, 7, small3))
	counts := must[*Counts](t)(d.Counts(t.Context()))
	marginals := must[[]*big.Int](t)(d.Marginals(t.Context(), counts, 0))
	for v := 0; v < d.Vars(); v += 61 {
		with := restrict(t, d, v, true)
		if want := count(t, with); marginals[v].Cmp(want) != 0 {
			t.Errorf("variable %d: %v, want %v", v, marginals[v], want)
		}
	}
}

func TestMarginalsLimits(t *testing.T) {
	d := build(t, boardSpec(5, 6, small3))
	counts := must[*Counts](t)(d.Counts(t.Context()))
	weights := make([]*big.Int, d.Vars())
	for v := range weights {
		weights[v] = new(big.Int).Lsh(big.NewInt(1), 640)
	}
	weighed := must[*Counts](t)(d.Weigh(t.Context(), weights, 0))
	for _, bytes := range []int64{8 * int64(d.Size()), 50 * int64(d.Size())} {
		if _, err := d.Marginals(t.Context(), weighed, bytes); !errors.Is(err, ErrLimit) {
			t.Errorf("%d bytes: error %v", bytes, err)
		}
	}
	for left := 0; ; left += 100 {
		ctx := testkit.AfterLooks(t, left)
		if _, err := d.Marginals(ctx, counts, 0); err == nil {
			break
		} else if !errors.Is(err, context.DeadlineExceeded) || ctx.Late() > 0 {
			t.Fatalf("ended after %d looks: %v, %d looks more", left, err, ctx.Late())
		}
	}
}
