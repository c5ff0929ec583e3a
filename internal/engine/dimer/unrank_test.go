package dimer

import (
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pavage/pavage/internal/test/testkit"
)

func weighing(options []int, weights []*big.Int) []*big.Int {
	var of []*big.Int
	for _, o := range options {
		of = append(of, weights[o])
	}
	return of
}

// TestUnranking: of tori and plane graphs with weights, the ranks from 0 to the total lead to each
// solution as often as its weight.
func TestUnranking(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 31))
	drawn := map[bool]int{}
	for range testkit.Size(200, 2000) {
		g := triangulated(rng, 3, 4)
		if rng.IntN(2) == 0 {
			holes := rng.IntN(8) / 7
			g = ringWith(4, 8, func() bool { return rng.IntN(20) >= holes }, func(r, c int) bool { return (r+c)%2 == 0 }) // hexagons
		}
		var weights []*big.Int // of the options; some edges have two options
		for e := range g.Edges {
			g.Edges[e].Options = nil
			for range 1 + rng.IntN(5)/4 {
				g.Edges[e].Options = append(g.Edges[e].Options, len(weights))
				weights = append(weights, big.NewInt(int64(rng.IntN(5)/2)))
			}
		}
		want, total := map[string]int64{}, int64(0)
		for _, options := range matchings(g) {
			w := product(weighing(options, weights)).Int64()
			if total += w; w > 0 {
				slices.Sort(options)
				want[fmt.Sprint(options)] = w
			}
		}
		u, err := NewUnranking(t.Context(), g, weights, Config{})
		if err == nil {
			err = u.Count(t.Context())
		}
		if errors.Is(err, ErrNotDimers) {
			continue
		}
		if total == 0 && errors.Is(err, ErrNoMatching) {
			continue
		}
		if err != nil || u.total.Int64() != total {
			t.Fatalf("%v, want %d", err, total)
		}
		if total > 300 {
			continue
		}
		drawn[u.matrix.torus]++
		got := map[string]int64{}
		for k := range total {
			options, err := u.options(t.Context(), big.NewInt(k), nil)
			if err != nil {
				t.Fatal(err)
			}
			got[fmt.Sprint(options)]++
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("%v, want %v, of %+v", got, want, g)
		}
	}
	if drawn[true] < 5 || drawn[false] < 5 {
		t.Errorf("only %v have weights", drawn)
	}
}
