package sample_test

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/puzzletest"
)

// TestConditioned: draws of a problem with one bound more are the draws of the problem that keep
// it: in proportion to their weights, and no others.
func TestConditioned(t *testing.T) {
	p := puzzletest.Inline(t, "4x4", "domino=any").Problem
	weights := make([]*big.Rat, len(p.Options))
	for o := range weights {
		weights[o] = big.NewRat(int64(o%3+1), 2)
	}
	some := []int{0, 3, 5, 8, 13, 21}
	bound := cover.Bound{Name: "one or two", Options: some, Min: 1, Max: 2}
	q, err := p.WithBounds(t.Context(), []cover.Bound{bound})
	if err != nil {
		t.Fatal(err)
	}
	for _, method := range bothMethods {
		kept, total := weightsOfAll(t, q, weights)
		got := tallied(t, weighted(t, q, method, weights), 5, 5000)
		if !fits(got, kept, total) {
			t.Errorf("%s: fair draws are rejected: %v", method, got)
		}
		filtered := map[string]float64{}
		for d := range draws(t, weighted(t, p, method, weights), 6, 5000) {
			n := 0
			for _, o := range d.Options {
				for _, one := range some {
					if o == one {
						n++
					}
				}
			}
			if n == 1 || n == 2 {
				filtered[fmt.Sprint(sorted(d.Options))]++
			}
		}
		if len(kept) == 36 || len(filtered) < len(kept)/2 || !fits(filtered, kept, total) {
			t.Errorf("%s: the draws of all that keep the bound differ: %v", method, filtered)
		}
	}
}
