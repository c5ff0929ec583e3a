package automaton

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/oracle"
	"github.com/pavage/pavage/internal/test/testkit"
)

// TestOrdersOfCovers: orders of covers without orders are permutations of the items that can be
// swept, are the same every time, and finish a component before they begin another.
func TestOrdersOfCovers(t *testing.T) {
	more := 0
	for seed := range uint64(testkit.Size(100, 1000)) {
		rng := rand.New(rand.NewPCG(seed, 61))
		p := []func(*rand.Rand) *cover.Problem{oracle.Random, oracle.RandomGrid, oracle.RandomParts}[seed%3](rng)
		if p.Orders = nil; p.Coloured() {
			continue
		}
		orders, err := Orders(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Orders(t.Context(), p)
		if err != nil || !slices.EqualFunc(orders, again, slices.Equal) {
			t.Errorf("seed %d: orders %v, then %v, %v", seed, orders, again, err)
		}
		component, swept := components(p), sweepable(p)
		if component[len(p.Items)] > 1 && len(orders) > 2 {
			more++
		}
		for k, order := range orders {
			if sorted := slices.Sorted(slices.Values(order)); !slices.Equal(sorted, swept) {
				t.Errorf("seed %d, order %d: %v of the items %v", seed, k, order, swept)
			}
			done := map[int]bool{}
			for at, i := range order {
				if at > 0 && component[i] != component[order[at-1]] {
					done[component[order[at-1]]] = true
				}
				if done[component[i]] {
					t.Errorf("seed %d, order %d: %v goes back to the component of item %d", seed, k, order, i)
				}
			}
		}
	}
	if more == 0 {
		t.Error("no cover of several components has a grown order")
	}
}

// components returns, by item, the least swept item that is connected to it by options and, after
// these, the number of components.
func components(p *cover.Problem) []int {
	of := make([]int, len(p.Items)+1)
	for i := range p.Items {
		of[i] = i
	}
	for range p.Items {
		for _, cells := range sweptItems(p, sweepable(p)) {
			for _, i := range cells {
				least := min(of[cells[0]], of[i])
				of[cells[0]], of[i] = least, least
			}
		}
	}
	for _, i := range sweepable(p) {
		if of[i] == i {
			of[len(p.Items)]++
		}
	}
	return of
}
