package sample_test

import (
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/oracle"
	"github.com/pavage/pavage/internal/test/puzzletest"
	"github.com/pavage/pavage/sample"
)

var bothMethods = []sample.Method{sample.ByDiagram, sample.BySweep}

func weighted(t testing.TB, p *cover.Problem, method sample.Method, weights []*big.Rat) *sample.Source {
	t.Helper()
	s, err := sample.From(t.Context(), p, sample.Request{Method: method, Weights: weights}, count.Options{Limits: count.Limits{Threads: 1}})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// weightOf is the exact weight of a solution.
func weightOf(options []int, weights []*big.Rat) *big.Rat {
	w := big.NewRat(1, 1)
	for _, o := range options {
		if weights[o] != nil {
			w.Mul(w, weights[o])
		}
	}
	return w
}

// weightsOfAll are the weights of all solutions of a small problem, and their sum.
func weightsOfAll(t testing.TB, p *cover.Problem, weights []*big.Rat) (map[string]*big.Rat, *big.Rat) {
	t.Helper()
	solutions, err := oracle.Solutions(p)
	if err != nil {
		t.Fatal(err)
	}
	all, total := map[string]*big.Rat{}, new(big.Rat)
	for _, s := range solutions {
		w := weightOf(s, weights)
		all[fmt.Sprint(s)] = w
		total.Add(total, w)
	}
	return all, total
}

// fits reports whether tallies are likely draws in proportion to weights. A solution of
// weight 0 that was drawn is not.
func fits(tallies map[string]float64, weights map[string]*big.Rat, total *big.Rat) bool {
	n := 0.0
	for s, tally := range tallies {
		if n += tally; weights[s] == nil || weights[s].Sign() == 0 {
			return false
		}
	}
	var observed, expected []float64
	rareObserved, rareExpected := 0.0, 0.0
	for s, w := range weights {
		share, _ := new(big.Rat).Quo(w, total).Float64()
		if n*share < 10 { // χ² is for cells with some draws
			rareObserved, rareExpected = rareObserved+tallies[s], rareExpected+n*share
			continue
		}
		observed, expected = append(observed, tallies[s]), append(expected, n*share)
	}
	if rareExpected >= 1 {
		observed, expected = append(observed, rareObserved), append(expected, rareExpected)
	} else if rareObserved > 5 {
		return false
	}
	if len(observed) < 2 {
		return true
	}
	return 1-distuv.ChiSquared{K: float64(len(observed) - 1)}.CDF(stat.ChiSquare(observed, expected)) > tooRare
}

// tallied are n draws by their sorted options.
func tallied(t testing.TB, s *sample.Source, seed, n uint64) map[string]float64 {
	t.Helper()
	tallies := map[string]float64{}
	for d := range draws(t, s, seed, n) {
		if d.Rank != nil {
			t.Fatalf("a draw by weight has the rank %v", d.Rank)
		}
		tallies[fmt.Sprint(sorted(d.Options))]++
	}
	return tallies
}

// weightsOfDominoes are weights of the options of 4x4 dominoes: of no, one and several limbs.
func weightsOfDominoes(p *cover.Problem) map[string][]*big.Rat {
	huge := new(big.Int).Exp(big.NewInt(10), big.NewInt(60), nil)
	all := map[string][]*big.Rat{
		"one":      make([]*big.Rat, len(p.Options)),
		"thirds":   make([]*big.Rat, len(p.Options)),
		"mixed":    make([]*big.Rat, len(p.Options)),
		"zeros":    make([]*big.Rat, len(p.Options)),
		"large":    make([]*big.Rat, len(p.Options)),
		"powers":   make([]*big.Rat, len(p.Options)),
		"one rare": make([]*big.Rat, len(p.Options)),
	}
	for o := range p.Options {
		all["thirds"][o] = big.NewRat(1, 3)
		all["mixed"][o] = big.NewRat(int64(o%5+1), int64(o%3+1))
		all["zeros"][o] = big.NewRat(int64(o%11), 2)
		all["large"][o] = new(big.Rat).SetFrac(new(big.Int).Add(huge, big.NewInt(int64(o))), new(big.Int).Sub(huge, big.NewInt(int64(7*o))))
		all["powers"][o] = new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(int64(o%3+1)), 128))
	}
	all["one rare"][3] = new(big.Rat).SetFrac(big.NewInt(1), huge)
	return all
}

// TestWeighted: draws are in proportion to the weights, by both methods; and the test finds
// draws that are not.
func TestWeighted(t *testing.T) {
	p := puzzletest.Inline(t, "4x4", "domino=any").Problem
	const n = 8_000
	for name, weights := range weightsOfDominoes(p) {
		exact, total := weightsOfAll(t, p, weights)
		for _, method := range bothMethods {
			s := weighted(t, p, method, weights)
			if s.Count().Int64() != 36 || s.Result.Count.Int64() != 36 || s.Weight.Cmp(total) != 0 || s.Method != method || s.Reason != "it was asked for" {
				t.Errorf("%s, %s: %v tilings of weight %v, want 36 of %v: %s", name, method, s.Count(), s.Weight, total, s.Reason)
			}
			if got := tallied(t, s, 3, n); !fits(got, exact, total) {
				t.Errorf("%s, %s: fair draws are rejected: %v", name, method, got)
			}
		}
		almostEven := []string{"one", "thirds", "large"}
		if fits(uniform(t, p, n), exact, total) != slices.Contains(almostEven, name) {
			t.Errorf("%s: the test is wrong about uniform draws", name)
		}
	}
}

// uniform are n tallied draws without weights.
func uniform(t testing.TB, p *cover.Problem, n uint64) map[string]float64 {
	c, err := count.Compile(t.Context(), p, count.Options{})
	if err != nil {
		t.Fatal(err)
	}
	tallies := map[string]float64{}
	for d := range draws(t, sample.Of(c, ""), 4, n) {
		tallies[fmt.Sprint(sorted(d.Options))]++
	}
	return tallies
}

// TestWeightedOfSeveralLimbs: the rest of a number is divided by weights of every size. If all
// weights are powers of one number, the weight of a solution follows from its factors.
func TestWeightedOfSeveralLimbs(t *testing.T) {
	p := puzzletest.Inline(t, "2x5", "domino=any").Problem
	for _, bits := range []uint{1, 40, 63, 64, 200} {
		weights := make([]*big.Rat, len(p.Options))
		for o := range weights {
			if p.Options[o][0].Item+1 == p.Options[o][1].Item {
				weights[o] = new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(3), bits))
			} else {
				weights[o] = new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(2), bits))
			}
		}
		exact, total := weightsOfAll(t, p, weights)
		for _, method := range bothMethods {
			if got := tallied(t, weighted(t, p, method, weights), 3, 10_000); !fits(got, exact, total) {
				t.Errorf("weights of %d bits, %s: fair draws are rejected: %v", bits, method, got)
			}
		}
	}
}

// TestWeightedRandom: of random covers with bounds of all kinds and random weights, draws are
// solutions of a weight that is not 0, in proportion, by both methods.
func TestWeightedRandom(t *testing.T) {
	drawn := 0
	for seed := uint64(0); drawn < 60; seed++ {
		rng := rand.New(rand.NewPCG(seed, 41))
		p := oracle.Random(rng)
		if seed%3 == 2 {
			p = oracle.RandomColoured(rng)
		}
		weights := make([]*big.Rat, len(p.Options))
		for o := range weights {
			if rng.IntN(4) > 0 {
				weights[o] = big.NewRat(rng.Int64N(5), 1+rng.Int64N(4))
			}
		}
		exact, total := weightsOfAll(t, p, weights)
		for _, method := range bothMethods {
			s := weighted(t, p, method, weights)
			if s.Weight.Cmp(total) != 0 || s.Count().Int64() != int64(len(exact)) {
				t.Fatalf("seed %d, %s: %v solutions of weight %v, want %d of %v", seed, method, s.Count(), s.Weight, len(exact), total)
			}
			if (total.Sign() == 0) != errors.Is(s.Check(), sample.ErrEmpty) {
				t.Fatalf("seed %d, %s: check of weight %v: %v", seed, method, total, s.Check())
			}
			if got := tallied(t, s, seed, 500); total.Sign() > 0 && !fits(got, exact, total) || total.Sign() == 0 && len(got) > 0 {
				t.Errorf("seed %d, %s: drew %v, want in proportion to %v", seed, method, got, exact)
			}
		}
		if total.Sign() > 0 && len(exact) > 1 {
			drawn++
		}
	}
}

// TestWeightedUnique: ordered pairs have the probability of two draws in turn, the second from the
// rest.
func TestWeightedUnique(t *testing.T) {
	p := puzzletest.Inline(t, "2x4", "domino=any").Problem // 5 tilings
	weights := make([]*big.Rat, len(p.Options))
	for o := range weights {
		weights[o] = big.NewRat(int64(o%3+1), 2)
	}
	exact, total := weightsOfAll(t, p, weights)
	pairs := map[string]*big.Rat{}
	for a, x := range exact {
		for b, y := range exact {
			if a != b {
				left := new(big.Rat).Sub(total, x)
				pairs[a+b] = left.Quo(new(big.Rat).Mul(x, y), left)
			}
		}
	}
	for _, method := range bothMethods {
		s, src := weighted(t, p, method, weights), sample.Seeded(6)
		tallies := map[string]float64{}
		for range 5000 {
			pair := ""
			for d, err := range s.Unique(t.Context(), src, 2, 0) {
				if err != nil {
					t.Fatal(err)
				}
				pair += fmt.Sprint(sorted(d.Options))
			}
			tallies[pair]++
		}
		if !fits(tallies, pairs, total) {
			t.Errorf("%s: fair pairs are rejected: %v", method, tallies)
		}
		if all := uniques(t, s, sample.Seeded(1), 5); len(slices.Compact(slices.Sorted(slices.Values(all)))) != 5 {
			t.Errorf("%s: five draws without replacement are %v", method, all)
		}
	}
}

// TestWeightedUniqueEnds: where all solutions with a weight were drawn, or these are too rare, or
// more draws are wanted than there are solutions.
func TestWeightedUniqueEnds(t *testing.T) {
	p := puzzletest.Inline(t, "2x4", "domino=any").Problem
	weights := make([]*big.Rat, len(p.Options))
	weights[0] = new(big.Rat)
	solutions, _ := weightsOfAll(t, p, weights)
	heavy := 0
	for _, w := range solutions {
		heavy += w.Sign()
	}
	for _, method := range bothMethods {
		s := weighted(t, p, method, weights)
		n, last := 0, error(nil)
		for _, err := range s.Unique(t.Context(), sample.Seeded(1), 5, 0) {
			if last = err; err == nil {
				n++
			}
		}
		if n != heavy || n == 5 || !errors.Is(last, sample.ErrRepeats) {
			t.Errorf("%s: %d draws, want %d: %v", method, n, heavy, last)
		}
		for _, err := range s.Unique(t.Context(), sample.Seeded(1), 6, 0) {
			if !errors.Is(err, sample.ErrTooMany) {
				t.Errorf("%s: 6 of 5: %v", method, err)
			}
		}
	}
}

// TestUniqueOfNothing: where all weights are 0, there is nothing to draw without replacement.
func TestUniqueOfNothing(t *testing.T) {
	p := puzzletest.Inline(t, "2x3", "domino=any").Problem
	for _, method := range bothMethods {
		s := weighted(t, p, method, slices.Repeat([]*big.Rat{new(big.Rat)}, len(p.Options)))
		last := error(nil)
		for _, err := range s.Unique(t.Context(), sample.Seeded(1), 2, 0) {
			last = err
		}
		if !errors.Is(last, sample.ErrTooMany) {
			t.Errorf("%s: %v", method, last)
		}
	}
}

// TestWeightedErrors: requests that exclude weights, and wrong weights.
func TestWeightedErrors(t *testing.T) {
	m := puzzletest.Inline(t, "4x4", "domino=any")
	weights := make([]*big.Rat, len(m.Problem.Options))
	weights[5] = big.NewRat(1, 2)
	from := func(r sample.Request) (*sample.Source, error) {
		return sample.From(t.Context(), m.Problem, r, count.Options{})
	}
	if _, err := from(sample.Request{Weights: weights, Group: m.Group(true).Symmetries()}); !errors.Is(err, sample.ErrMethod) {
		t.Errorf("classes by weight: %v", err)
	}
	if _, err := from(sample.Request{Weights: weights[1:]}); !errors.Is(err, count.ErrWeights) {
		t.Errorf("a weight is missing: %v", err)
	}
	weights[6] = big.NewRat(-1, 2)
	if _, err := from(sample.Request{Weights: weights}); !errors.Is(err, count.ErrWeights) {
		t.Errorf("a weight is negative: %v", err)
	}
}

// TestWeightedOfASeed: the draws of a seed are a promise, whatever the threads and the memory.
func TestWeightedOfASeed(t *testing.T) {
	p := puzzletest.Inline(t, "6x6", "domino=any").Problem
	weights := make([]*big.Rat, len(p.Options))
	for o := range weights {
		weights[o] = big.NewRat(int64(o%4+1), int64(o%3+2))
	}
	for method, want := range map[sample.Method]string{sample.ByDiagram: "30e40401ba1d0b19", sample.BySweep: "d2ef1563918cbc8d"} {
		var got []string
		for _, threads := range []int{1, 3} {
			s, err := sample.From(t.Context(), p, sample.Request{Method: method, Weights: weights}, count.Options{Limits: count.Limits{Threads: threads}})
			if err != nil {
				t.Fatal(err)
			}
			var all []sample.Draw
			for d := range draws(t, s, 7, 200) {
				all = append(all, d)
			}
			got = append(got, hashOf(all))
		}
		if got[0] != want || got[1] != want {
			t.Errorf("%s: the draws of seed 7 have hashes %s, want %s", method, got, want)
		}
	}
}
