package search

import (
	"context"
	"errors"
	"flag"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/oracle"
	"github.com/pavage/pavage/internal/test/testkit"
)

var covers = flag.Uint64("covers", uint64(testkit.Size(800, 2000)), "random covers to compare with the oracle")

// TestRandomCovers compares count and set of solutions with the oracle, for
// several numbers of walkers. Half of the covers have colours.
func TestRandomCovers(t *testing.T) {
	for seed := range *covers {
		rng := rand.New(rand.NewPCG(seed, 7))
		p := oracle.Random(rng)
		if seed%2 == 1 {
			p = oracle.RandomGrid(rng)
		}
		if seed%4 < 2 {
			p = oracle.RandomColoured(rng)
		}
		want, err := oracle.Solutions(p)
		if errors.Is(err, oracle.ErrTooBig) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		checkCount(t, seed, p, len(want))
		checkEach(t, seed, p, want)
		if t.Failed() {
			return
		}
	}
}

// hunt hunts for a number of tries, 0 for all, and ends.
func hunt(ctx context.Context, s *Space, o Options, tries int64, yield func(options []int) bool) (Result, error) {
	h := s.Hunt(ctx, o, yield)
	defer h.End()
	return h.Run(tries)
}

func checkCount(t *testing.T, seed uint64, p *cover.Problem, want int) {
	t.Helper()
	s := compiled(t, p)
	for _, threads := range []int{1, 2, 3, 8} {
		r, err := hunt(context.Background(), s, Options{Threads: threads, greedy: threads > 1}, 0, nil)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if !r.Count.IsInt64() || r.Count.Int64() != int64(want) {
			t.Errorf("seed %d, %d threads: %v solutions, want %d", seed, threads, r.Count, want)
		}
	}
}

// checkEach compares the list with want, and also the rest of the list after each solution.
func checkEach(t *testing.T, seed uint64, p *cover.Problem, want [][]int) {
	t.Helper()
	got := list(t, p, nil)
	for k, after := range got {
		if rest := list(t, p, after); !slices.EqualFunc(rest, got[k+1:], slices.Equal) {
			t.Errorf("seed %d: behind %v come %v, want %v", seed, after, rest, got[k+1:])
		}
	}
	slices.SortFunc(got, slices.Compare)
	if !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("seed %d: solutions %v, want %v", seed, got, want)
	}
}

func list(t *testing.T, p *cover.Problem, after []int) (solutions [][]int) {
	t.Helper()
	err := Each(context.Background(), p, Listing{After: after}, func(options []int) bool {
		solutions = append(solutions, slices.Clone(options))
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return solutions
}
