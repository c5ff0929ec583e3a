package count_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/oracle"
	"github.com/pavage/pavage/internal/test/puzzletest"
)

// TestSome: the solutions are different solutions, n of them or all.
func TestSome(t *testing.T) {
	check := func(name string, p *cover.Problem, n, want int) {
		t.Helper()
		some, err := count.Some(t.Context(), p, n, count.Options{})
		if err != nil || len(some) != want {
			t.Fatalf("%s: %d solutions, %v, expected %d", name, len(some), err, want)
		}
		for _, s := range some {
			if !p.IsSolution(s) || !slices.IsSorted(s) {
				t.Fatalf("%s: %v is no solution", name, s)
			}
		}
		slices.SortFunc(some, slices.Compare)
		if len(slices.CompactFunc(some, slices.Equal)) != want {
			t.Fatalf("%s: a solution twice in %v", name, some)
		}
	}
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 9))
		kinds := []func(*rand.Rand) *cover.Problem{oracle.Random, oracle.RandomGrid, oracle.RandomColoured, oracle.RandomMatching, oracle.RandomParts}
		p := kinds[rng.IntN(len(kinds))](rng)
		all, err := oracle.Count(p)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{0, 1, 2, 1 + rng.IntN(20), all, all + 1} {
			check(fmt.Sprint("seed ", seed), p, n, min(n, all))
		}
	}
	for _, c := range []struct {
		board, piece string
		n, want      int
	}{
		{"3x20", "pentominoes", 100, 8}, // by a diagram
		{"100x100", "domino=any", 2, 2},
		{"8x8", "T4=any", 100, 84},
		{"3x3", "domino=any", 1, 0},
	} {
		check(c.board+" "+c.piece, puzzletest.Inline(t, c.board, c.piece).Problem, c.n, c.want)
	}
	twins := *puzzletest.Inline(t, "3x20", "pentominoes").Problem
	twins.Orders, twins.Symmetries = nil, nil
	for k, o := range twins.Options { // some have twins, equal to them once their part is alone
		if k%8 == 0 {
			twins.Options = append(twins.Options, append(slices.Clone(o), cover.Use{Item: len(twins.Items), Times: 1}))
			twins.Items = append(twins.Items, cover.Item{Max: 1})
		}
	}
	for range 2 { // another part
		twins.Options = append(twins.Options, cover.Option{{Item: len(twins.Items), Times: 1}, {Item: len(twins.Items) + 1, Times: 1}})
	}
	twins.Options[len(twins.Options)-1] = twins.Options[len(twins.Options)-1][:1]
	twins.Items = append(twins.Items, cover.Item{Min: 1, Max: 1}, cover.Item{Max: 1})
	all, err := count.Count(t.Context(), &twins, count.Auto, count.Options{})
	if err != nil {
		t.Fatal(err)
	}
	check("twins", &twins, 1<<20, int(all.Count.Int64())) // by a diagram
}

// TestSomeMemory: solutions that do not fit in memory are an error.
func TestSomeMemory(t *testing.T) {
	for _, board := range []string{"8x40", "8x20x2"} {
		p := puzzletest.Inline(t, board, "domino=any").Problem
		some, err := count.Some(t.Context(), p, 100_000, count.Options{Limits: count.Limits{Memory: 8 << 20}})
		if !errors.Is(err, cover.ErrMemory) {
			t.Errorf("%s: %d solutions, %v", board, len(some), err)
		}
	}
}
