package clues_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pavage/pavage/clues"
	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/oracle"
	"github.com/pavage/pavage/internal/test/puzzletest"
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
		for k := range 3 + rng.IntN(7) {
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
			if k%4 == 3 {
				b.Times = append(b.Times, 1+rng.IntN(3))
			}
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
		switch k := slices.Index(b.Options, o); {
		case k >= 0 && b.Times != nil:
			n += b.Times[k]
		case k >= 0:
			n++
		}
	}
	return n
}

// isUnique reports whether exactly one solution keeps the chosen candidates.
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

// TestBruteForce: no clue of a minimal set can be left out, and Fewest finds a smallest of all
// sets.
func TestBruteForce(t *testing.T) {
	boards, ambiguous, tall := 0, 0, 0
	for seed := range uint64(testkit.Size(300, 1000)) {
		rng := rand.New(rand.NewPCG(seed, 1))
		r := draw(rng)
		f, err := clues.New(t.Context(), r.problem, r.solution, r.candidates, 0)
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

// TestForcing: at least n placements are needed to fix a perfect matching of the 2nx2n grid, and n
// are enough for some matching (Pachter and Kim, 1998).
func TestForcing(t *testing.T) {
	for _, c := range []struct {
		board           string
		number, tilings int
	}{{"2x2", 1, 2}, {"4x4", 2, 36}, {"6x6", 3, 6728}}[:testkit.Size(2, 3)] {
		p := puzzletest.Inline(t, c.board, "domino=any").Problem
		tilings, fewest := 0, len(p.Items)
		err := count.Each(t.Context(), p, count.Listing{}, func(solution []int) bool {
			tilings++
			f, err := clues.New(t.Context(), p, solution, placements(solution), 0)
			if err != nil {
				t.Fatal(err)
			}
			got, err := f.Fewest(t.Context(), clues.Hard)
			if err != nil {
				t.Fatal(err)
			}
			fewest = min(fewest, len(got))
			return true
		})
		if err != nil || tilings != c.tilings || fewest != c.number {
			t.Errorf("%s: %d of %d tilings, %v, want %d of %d", c.board, fewest, tilings, err, c.number, c.tilings)
		}
	}
}

// TestSteps: the steps choose each option of the solution once, and a second run has the same
// steps. More clues do not raise the grade, which is at most the grade for which the clues were
// chosen.
func TestSteps(t *testing.T) {
	grades := map[clues.Grade]int{}
	for seed := range uint64(testkit.Size(4000, 10000)) {
		rng := rand.New(rand.NewPCG(seed, 2))
		r := draw(rng)
		f, err := clues.New(t.Context(), r.problem, r.solution, r.candidates, 0)
		if err != nil {
			t.Fatal(err)
		}
		wanted := clues.Grade(rng.IntN(3))
		chosen, err := f.Minimal(t.Context(), rng, wanted)
		if errors.Is(err, clues.ErrAmbiguous) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		steps, err := f.Steps(t.Context(), chosen)
		if err != nil {
			t.Fatal(err)
		}
		grade := clues.GradeOf(steps)
		grades[grade]++
		var taken []int
		for _, s := range steps {
			if slices.Contains(r.solution, s.Option) {
				taken = append(taken, s.Option)
			} else if s.Grade == clues.Easy {
				t.Fatalf("seed %d: %v is a step", seed, s)
			}
		}
		if slices.Sort(taken); !slices.Equal(taken, r.solution) {
			t.Fatalf("seed %d: %v, want %v chosen", seed, steps, r.solution)
		}
		if again, err := f.Steps(t.Context(), chosen); err != nil || !slices.Equal(steps, again) {
			t.Fatalf("seed %d: %v, and again %v, %v", seed, steps, again, err)
		}
		for g := clues.Easy; g < clues.Hard; g++ {
			if r.isGraded(chosen, g) != (g >= grade) {
				t.Fatalf("seed %d: grade %s, want another than %s of %+v, clues %v", seed, grade, g, r, chosen)
			}
		}
		if wanted < grade {
			t.Fatalf("seed %d: %s steps in a %s puzzle", seed, grade, wanted)
		}
		for k := range r.candidates {
			if slices.Contains(chosen, k) {
				continue
			}
			more, err := f.Steps(t.Context(), append(slices.Clone(chosen), k))
			if err != nil || clues.GradeOf(more) > grade {
				t.Fatalf("seed %d: %s with one clue more than %s, %v", seed, clues.GradeOf(more), grade, err)
			}
		}
	}
	t.Log(grades)
	if grades[clues.Easy] < 50 || grades[clues.Medium] < 50 || grades[clues.Hard] < 1 {
		t.Errorf("%v puzzles, want more", grades)
	}
}

// TestCanceled: if a context ends after any number of looks, its error is returned, and the clues
// found before lead to the solution.
func TestCanceled(t *testing.T) {
	p := puzzletest.Inline(t, "6x6", "domino=any").Problem
	var solution []int
	if err := count.Each(t.Context(), p, count.Listing{}, func(s []int) bool {
		solution = slices.Clone(s)
		return false
	}); err != nil {
		t.Fatal(err)
	}
	r := random{problem: p, solution: solution, candidates: walls(p, solution, 36, 6)}
	f, err := clues.New(t.Context(), p, solution, r.candidates, 0)
	if err != nil {
		t.Fatal(err)
	}
	best := 0
	for g := clues.Easy; g <= clues.Hard; g++ {
		for looks := 1; ; looks += 1 + looks/64 {
			ctx := testkit.AfterLooks(t, looks)
			got, err := f.Fewest(ctx, g)
			if err == nil {
				break
			}
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Fatalf("%s, after %d looks: %v", g, looks, err)
			}
			if got == nil {
				continue
			}
			best++
			if steps, err := f.Steps(t.Context(), got); err != nil || clues.GradeOf(steps) > g {
				t.Fatalf("%s, after %d looks: %v, %v", g, looks, steps, err)
			}
		}
	}
	if best == 0 {
		t.Error("nothing was found before the end")
	}
}

func TestRejects(t *testing.T) {
	p := puzzletest.Inline(t, "2x3", "domino=any").Problem
	var solution []int
	if err := count.Each(t.Context(), p, count.Listing{}, func(s []int) bool {
		solution = slices.Clone(s)
		return false
	}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		problem  *cover.Problem
		solution []int
		clue     cover.Bound
	}{
		{&cover.Problem{Options: []cover.Option{{}}}, nil, cover.Bound{}},
		{p, solution[1:], cover.Bound{}},
		{p, []int{-1}, cover.Bound{}},
		{p, solution, cover.Bound{Options: []int{-1}}},
		{p, solution, cover.Bound{Options: []int{99}, Max: 1}},
		{p, solution, cover.Bound{Min: 2, Max: 1}},
		{p, solution, cover.Bound{Options: solution}},
	} {
		if _, err := clues.New(t.Context(), c.problem, c.solution, []cover.Bound{c.clue}, 0); !errors.Is(err, cover.ErrInvalid) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
