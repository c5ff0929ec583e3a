package automaton

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/pavage/pavage/internal/oracle"
	"github.com/pavage/pavage/internal/testkit"
)

// TestColoursAgreeWithTheOracle counts random covers with colours in all their orders.
func TestColoursAgreeWithTheOracle(t *testing.T) {
	counted, closed, lone := 0, 0, 0
	for seed := range uint64(testkit.Size(3000, 50_000)) {
		rng := rand.New(rand.NewPCG(seed, 29))
		p := oracle.Random(rng)
		if seed%3 == 0 {
			p = oracle.RandomGrid(rng)
		}
		p = oracle.Paint(rng, p)
		want, err := oracle.Within(p, 1<<14)
		if errors.Is(err, oracle.ErrTooBig) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		orders, err := Orders(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		for k, order := range append(orders, nil) {
			a, err := Compile(t.Context(), p, order)
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			got := 0
			if a.Feasible {
				got, _ = swept(a)
			}
			if got != len(want) {
				t.Fatalf("seed %d, order %d: %d, the oracle has %d", seed, k, got, len(want))
			}
			if a.Coloured() {
				counted++
			}
		}
		c := newCompiler(p, orders[0])
		for _, x := range c.coloured {
			if x.width > 0 && x.asked[len(x.asked)-1].code != x.closed() {
				closed++
			}
		}
		for _, item := range c.Order {
			if item == -1 {
				lone++
			}
		}
	}
	if counted < 500 || closed < 100 || lone < 100 {
		t.Errorf("only %d orders with fields, %d fields that close, %d lone steps", counted, closed, lone)
	}
}
