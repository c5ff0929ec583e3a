package dimer

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/testkit"
)

// TestMarginals compares marginals of random plane graphs with weights with all their matchings.
func TestMarginals(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 17))
	several := 0
	for range testkit.Size(1500, 20000) {
		holes, cuts := rng.IntN(4), rng.IntN(5)
		g := grid(1+rng.IntN(6), 1+rng.IntN(6), func(int, int) bool { return rng.IntN(14) >= holes })
		var weights []*big.Int
		edges := g.Edges[:0]
		for _, e := range g.Edges {
			if rng.IntN(14) >= cuts {
				edges = append(edges, e)
				weights = append(weights, randomWeight(rng))
			}
		}
		g.Edges = edges
		for i := range g.Edges {
			g.Edges[i].Options = []int{i}
		}
		all := matchings(g.Graph())
		want, total := weigh(all, weights)
		r, err := matrix(t, g, weights).Marginals(t.Context(), Config{Threads: 1 + rng.IntN(3)})
		if err != nil || r.Total.Cmp(total) != 0 {
			t.Fatalf("%+v, %v, want %v of %+v", r, err, total, g)
		}
		got := r.Of
		for e := range got {
			if got[e].Cmp(want[e]) != 0 {
				t.Fatalf("edge %d: %v, want %v of %v, weights %v of %+v", e, got[e], want[e], total, weights, g)
			}
		}
		if len(all) > 1 {
			several++
		}
	}
	if several < 200 {
		t.Errorf("only %d graphs have several matchings", several)
	}
}

// weigh returns the sum of the weights of the matchings with each edge, and of all.
func weigh(all [][]int, weights []*big.Int) (with []*big.Int, total *big.Int) {
	with, total = slicesOf(len(weights)), new(big.Int)
	for _, m := range all {
		product := big.NewInt(1)
		for _, e := range m {
			product.Mul(product, weights[e])
		}
		total.Add(total, product)
		for _, e := range m {
			with[e].Add(with[e], product)
		}
	}
	return with, total
}

func slicesOf(n int) []*big.Int {
	all := make([]*big.Int, n)
	for i := range all {
		all[i] = new(big.Int)
	}
	return all
}

// TestRowsAddUp: the marginals of the edges of a vertex add up to all matchings, on large boards
// too.
func TestRowsAddUp(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 17))
	for _, n := range []int{10, 24} {
		for _, holes := range []int{0, 8} {
			cut := map[[2]int]bool{}
			for range holes {
				r, c := rng.IntN(n), 2*rng.IntN(n/2)
				cut[[2]int{r, c}], cut[[2]int{r, c + 1}] = true, true
			}
			g := grid(n, n, func(r, c int) bool { return !cut[[2]int{r, c}] })
			m := matrix(t, g, nil)
			want, err := m.Count(t.Context(), Config{})
			if err != nil {
				t.Fatal(err)
			}
			r, err := m.Marginals(t.Context(), Config{Threads: 2})
			if err != nil || r.Total.Cmp(want) != 0 {
				t.Fatalf("%+v, %v, want %v", r, err, want)
			}
			total := r.Total
			for side := range 2 {
				sums := slicesOf(g.Black)
				for e, x := range r.Of {
					v := [2]int32{g.Edges[e].Black, g.Edges[e].White}[side]
					sums[v].Add(sums[v], x)
				}
				for v, sum := range sums {
					if sum.Cmp(total) != 0 {
						t.Fatalf("%dx%[1]d with %d holes: vertex %d has %v of %v", n, holes, v, sum, total)
					}
				}
			}
		}
	}
}

// TestDividedCounts: primes that divide a count give no marginals and are not used.
func TestDividedCounts(t *testing.T) {
	primes := primesUpTo(3)
	w := make([]*big.Int, 4)
	for i := range w {
		w[i] = new(big.Int).SetUint64(primes[i%2])
	}
	g := grid(2, 2, everywhere)
	r, err := matrix(t, g, w).Marginals(t.Context(), Config{})
	if err != nil {
		t.Fatal(err)
	}
	total, of := r.Total, r.Of
	sum := new(big.Int).Add(of[0], of[1])
	if sum.Cmp(total) != 0 || of[0].Cmp(new(big.Int).Mul(w[0], w[3])) != 0 || of[1].Cmp(new(big.Int).Mul(w[1], w[2])) != 0 {
		t.Errorf("%v of %v, weights %v", of, total, w)
	}
	for _, p := range primesBeside(2, total) {
		if new(big.Int).Mod(total, new(big.Int).SetUint64(p)).Sign() == 0 {
			t.Errorf("%d divides %v", p, total)
		}
	}
}

func TestLimitsOfMarginals(t *testing.T) {
	m := matrix(t, grid(20, 20, everywhere), nil)
	c := m.Cost()
	if _, err := m.Marginals(t.Context(), Config{Memory: c.Shared + c.Bytes}); !errors.Is(err, cover.ErrMemory) {
		t.Errorf("memory for the count alone: %v", err)
	}
	last := 0
	_, err := m.Marginals(t.Context(), Config{Progress: func(done, of int) {
		if done <= last && done*of > 0 || done > of {
			t.Errorf("progress %d of %d after %d", done, of, last)
		}
		last = done
	}})
	if err != nil {
		t.Error(err)
	}
	m = matrix(t, grid(60, 60, everywhere), nil)
	for _, part := range []int{10, 2} { // during the count, and later
		ctx, stop := context.WithCancel(t.Context())
		_, err := m.Marginals(ctx, Config{Threads: 2, Progress: func(done, of int) {
			if done > of/part {
				stop()
			}
		}})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled: %v", err)
		}
	}
	m = matrix(t, grid(100, 100, everywhere), nil)
	looks := testkit.AfterLooks(t, 1<<30)
	if _, err := newInverter(newEliminator(looks, newField(1_000_003), m), &tape{}).run(m.parts[0]); err != nil {
		t.Fatal(err)
	}
	ctx := testkit.AfterLooks(t, looks.Made()-1) // during the pass backwards
	if _, err := newInverter(newEliminator(ctx, newField(1_000_003), m), &tape{}).run(m.parts[0]); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("an inverse that was cancelled: %v", err)
	}
}

func BenchmarkMarginals(b *testing.B) {
	for _, n := range []int{20, 40, 60, 100, 200} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			g := grid(n, n, everywhere)
			for b.Loop() {
				if _, err := matrix(b, g, nil).Marginals(b.Context(), Config{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
