package count

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/oracle"
)

// randomWeights are such as people give: mostly small fractions, some 0, some none.
func randomWeights(rng *rand.Rand, options int) []*big.Rat {
	weights := make([]*big.Rat, options)
	for o := range weights {
		switch rng.IntN(6) {
		case 0:
			weights[o] = new(big.Rat)
		case 1: // nil
		case 2:
			weights[o] = big.NewRat(rng.Int64N(9), 1)
		default:
			weights[o] = big.NewRat(rng.Int64N(7), 1+rng.Int64N(5))
		}
	}
	return weights
}

// weightOf is that of a solution.
func weightOf(weights []*big.Rat, solution []int) *big.Rat {
	w := big.NewRat(1, 1)
	for _, o := range solution {
		if weights != nil && weights[o] != nil {
			w.Mul(w, weights[o])
		}
	}
	return w
}

// eachRandomCover calls do with covers of all kinds and their solutions.
func eachRandomCover(t *testing.T, seeds uint64, do func(seed uint64, rng *rand.Rand, p *cover.Problem, want [][]int)) {
	t.Helper()
	for seed := range seeds {
		rng := rand.New(rand.NewPCG(seed, 14))
		p := oracle.Random(rng)
		switch seed % 4 {
		case 1:
			p = oracle.RandomGrid(rng)
		case 2:
			p = oracle.RandomColoured(rng)
		}
		want, err := oracle.Within(p, 1<<12)
		if errors.Is(err, oracle.ErrTooBig) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		do(seed, rng, p, want)
		if t.Failed() {
			t.Fatalf("seed %d\n%s", seed, text(p))
		}
	}
}

// TestWeightsAndMarginals compares both ways with a list of the solutions.
func TestWeightsAndMarginals(t *testing.T) {
	eachRandomCover(t, 300, func(seed uint64, rng *rand.Rand, p *cover.Problem, want [][]int) {
		weights := randomWeights(rng, len(p.Options))
		if seed%5 == 0 {
			weights = nil
		}
		total, of := new(big.Rat), make([]*big.Rat, len(p.Options))
		for o := range of {
			of[o] = new(big.Rat)
		}
		for _, s := range want {
			w := weightOf(weights, s)
			total.Add(total, w)
			for _, o := range s {
				of[o].Add(of[o], w)
			}
		}
		for _, e := range []Engine{Diagram, Sweep} {
			r, err := Rank(context.Background(), p, Options{Weights: weights, Engine: e, Limits: Limits{Threads: 1}})
			if err != nil {
				t.Fatalf("seed %d, %s: %v", seed, e, err)
			}
			m, err := r.Marginals(context.Background())
			if err != nil {
				t.Fatalf("seed %d, %s: %v", seed, e, err)
			}
			if r.Weight().Cmp(total) != 0 || m.Total.Cmp(total) != 0 {
				t.Errorf("%s: weight %v, want %v", e, r.Weight(), total)
			}
			if !slices.EqualFunc(m.Of, of, func(a, b *big.Rat) bool { return a.Cmp(b) == 0 }) {
				t.Errorf("%s: marginals %v, want %v", e, m.Of, of)
			}
		}
	})
}

// TestByCopies compares both ways with a list of the solutions.
func TestByCopies(t *testing.T) {
	eachRandomCover(t, 300, func(seed uint64, rng *rand.Rand, p *cover.Problem, want [][]int) {
		sets := make([][]int, 1+rng.IntN(3))
		for o := range p.Options {
			if k := rng.IntN(len(sets) + int(seed%2)); k < len(sets) {
				sets[k] = append(sets[k], o)
			}
		}
		of := setOf(p, sets)
		rows := map[string]int64{}
		for _, s := range want {
			copies := make([]int, len(sets))
			for _, o := range s {
				if of[o] >= 0 {
					copies[of[o]]++
				}
			}
			rows[fmt.Sprint(copies)]++
		}
		for _, e := range []Engine{Diagram, Sweep} {
			got, err := ByCopies(context.Background(), p, sets, Options{Engine: e})
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if len(got.Rows) != len(rows) || got.Count.Int64() != int64(len(want)) {
				t.Errorf("%d rows of %v, want %d of %d", len(got.Rows), got.Count, len(rows), len(want))
			}
			for _, row := range got.Rows {
				if row.Count.Int64() != rows[fmt.Sprint(row.Copies)] {
					t.Errorf("%s: %v %v, want %v", e, row.Copies, row.Count, rows)
				}
			}
		}
	})
}
