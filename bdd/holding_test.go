package bdd

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestCountHolding(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 6))
		vars := 1 + rng.IntN(9)
		sets := randomSets(rng, vars)
		d := listed(t, vars, sets)
		counts, err := d.Counts(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		for range 10 {
			held := rng.Perm(vars)[:rng.IntN(min(vars, 4)+1)]
			slices.Sort(held)
			none := rng.Perm(vars)[:rng.IntN(min(vars, 3)+1)]
			want := int64(0)
			for set := range d.AllSets() {
				if !slices.ContainsFunc(held, func(v int) bool { return !slices.Contains(set, v) }) &&
					!slices.ContainsFunc(none, func(v int) bool { return slices.Contains(set, v) }) {
					want++
				}
			}
			got, err := d.CountHolding(context.Background(), counts, held, none)
			if err != nil || got.Int64() != want {
				t.Fatalf("seed %d: %v, %v sets hold %v and none of %v, want %d of %v", seed, err, got, held, none, want, sets)
			}
		}
		for _, none := range [][]int{{-1}, {vars}, {0, 0}} {
			if got, err := d.CountHolding(context.Background(), counts, none, []int{vars}); err != nil || got.Sign() != 0 {
				t.Errorf("%v sets hold %v, want 0; %v", got, none, err)
			}
		}
	}
}
