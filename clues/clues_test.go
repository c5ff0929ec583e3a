package clues_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pavage/pavage/clues"
	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/oracle"
	"github.com/pavage/pavage/internal/test/testkit"
)

// random is a small cover, all its solutions, one of them, and candidates that it keeps.
type random struct {
	problem    *cover.Problem
	solutions  [][]int
	solution   []int
	candidates []cover.Bound
}

// draw draws a cover with several solutions.
func draw(rng *rand.Rand) random {
	for {
		p := []func(*rand.Rand) *cover.Problem{
			oracle.Random, oracle.RandomGrid, oracle.RandomColoured, oracle.RandomMatching,
		}[rng.IntN(4)](rng)
		all, err := oracle.Within(p, 1<<12)
		if err != nil || len(all) < 2 {
			continue
		}
		r := random{problem: p, solutions: all, solution: all[rng.IntN(len(all))]}
		for k := range 1 + rng.IntN(9) {
			r.candidates = append(r.candidates, r.clue(rng, k))
		}
		return r
	}
}

// clue is a bound on random options that the solution keeps, often an exact one.
func (r random) clue(rng *rand.Rand, k int) cover.Bound {
	b := cover.Bound{Name: fmt.Sprint("clue ", k), Max: cover.Unbounded}
	for o := range r.problem.Options {
		if rng.IntN(1+k%4) == 0 {
			b.Options = append(b.Options, o)
		}
	}
	n := used(b, r.solution)
	if rng.IntN(3) > 0 {
		b.Min = max(0, n-rng.IntN(2))
	}
	if rng.IntN(3) > 0 {
		b.Max = n + rng.IntN(2)
	}
	return b
}

func used(b cover.Bound, solution []int) (n int) {
	for _, o := range solution {
		if slices.Contains(b.Options, o) {
			n++
		}
	}
	return n
}

// isUnique reports whether only one of all solutions keeps some of the candidates.
func (r random) isUnique(chosen []int) bool {
	left := 0
	for _, s := range r.solutions {
		if !slices.ContainsFunc(chosen, func(k int) bool {
			b := r.candidates[k]
			n := used(b, s)
			return n < b.Min || n > b.Max
		}) {
			left++
		}
	}
	return left == 1
}

// subsets yields all sets of the candidates.
func (r random) subsets(yield func([]int) bool) {
	for bits := range 1 << len(r.candidates) {
		var chosen []int
		for k := range r.candidates {
			if bits>>k&1 != 0 {
				chosen = append(chosen, k)
			}
		}
		if !yield(chosen) {
			return
		}
	}
}

// isGraded reports whether the chosen candidates lead a solver of the grade to the solution: for
// Hard by the list of all solutions, for others by the rules as the slow solver of this test
// applies them.
func (r random) isGraded(chosen []int, g clues.Grade) bool {
	if g == clues.Hard {
		return r.isUnique(chosen)
	}
	s := slow{problem: r.problem, marks: make([]int, len(r.problem.Options))}
	for _, k := range chosen {
		s.bounds = append(s.bounds, r.candidates[k])
	}
	return s.solve(g)
}

// TestBruteForce: minimal sets are minimal, and fewest are as few as the best of all sets.
func TestBruteForce(t *testing.T) {
	boards, ambiguous, tall := 0, 0, 0
	for seed := range uint64(testkit.Size(300, 5000)) {
		rng := rand.New(rand.NewPCG(seed, 1))
		r := draw(rng)
		f, err := clues.New(t.Context(), r.problem, r.solution, r.candidates)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for g := clues.Easy; g <= clues.Hard; g++ {
			fewest := -1
			for chosen := range r.subsets {
				if (fewest < 0 || len(chosen) < fewest) && r.isGraded(chosen, g) {
					fewest = len(chosen)
				}
			}
			got, err := f.Fewest(t.Context(), g)
			if _, other := f.Minimal(t.Context(), rng, g); errors.Is(other, clues.ErrAmbiguous) != (fewest < 0) {
				t.Fatalf("seed %d, %s: %v, fewest are %d", seed, g, other, fewest)
			}
			if fewest < 0 {
				if ambiguous++; !errors.Is(err, clues.ErrAmbiguous) {
					t.Fatalf("seed %d, %s: %v, want it to be ambiguous", seed, g, err)
				}
				continue
			}
			if err != nil || len(got) != fewest || !r.isGraded(got, g) {
				t.Fatalf("seed %d, %s: %v, %v, want %d of %+v", seed, g, got, err, fewest, r)
			}
			minimal, err := f.Minimal(t.Context(), rng, g)
			if err != nil || !r.isGraded(minimal, g) {
				t.Fatalf("seed %d, %s: %v, %v leads not to the solution of %+v", seed, g, minimal, err, r)
			}
			for k := range minimal {
				if r.isGraded(slices.Delete(slices.Clone(minimal), k, k+1), g) {
					t.Fatalf("seed %d, %s: %v is not minimal, without its %dth", seed, g, minimal, k)
				}
			}
			r.checkCount(t, minimal)
			if boards++; fewest > 1 {
				tall++
			}
		}
	}
	t.Logf("%d sets, %d of several clues, %d ambiguous", boards, tall, ambiguous)
	if boards < 200 || tall < 50 || ambiguous < 50 {
		t.Errorf("%d sets, %d of several clues, %d ambiguous: want more", boards, tall, ambiguous)
	}
}

// checkCount counts the solutions that keep the chosen clues by another engine.
func (r random) checkCount(t *testing.T, chosen []int) {
	t.Helper()
	var bounds []cover.Bound
	for _, k := range chosen {
		bounds = append(bounds, r.candidates[k])
	}
	q, err := r.problem.WithBounds(t.Context(), bounds)
	if err != nil {
		t.Fatal(err)
	}
	result, err := count.Count(t.Context(), q, count.Sweep, count.Options{})
	if err != nil || result.Count.Int64() != 1 {
		t.Fatalf("%v solutions keep %v, %v", result, bounds, err)
	}
}
