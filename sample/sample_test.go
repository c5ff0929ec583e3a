package sample_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/pavage/pavage/bdd"
	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/oracle"
	"github.com/pavage/pavage/internal/test/puzzletest"
	"github.com/pavage/pavage/sample"
)

func compile(t testing.TB, board string, pieces ...string) *count.Compiled {
	t.Helper()
	m := puzzletest.Inline(t, board, pieces...)
	c, err := count.Compile(context.Background(), m.Problem, count.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func sampler(t testing.TB, board string, pieces ...string) *sample.Source {
	t.Helper()
	return sample.Of(compile(t, board, pieces...), "")
}

// large has 9.2e22 tilings: its ranks need two limbs.
func large(t testing.TB) *sample.Source {
	return sampler(t, "8x8", "monomino=any", "domino=any", "trominoes=any")
}

// TestAllRanks: unrank lists the whole family of 100 random covers, each set
// once, and rank is its inverse.
func TestAllRanks(t *testing.T) {
	done := 0
	for seed := uint64(0); done < 100; seed++ {
		p := oracle.Random(rand.New(rand.NewPCG(seed, 4)))
		c, err := count.Compile(context.Background(), p, count.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if c.Count().Sign() > 0 {
			done++
		}
		seen := map[string]bool{}
		for r := range c.Count().Int64() {
			set := c.Variables(roundTrip(t, c, big.NewInt(r)))
			seen[fmt.Sprint(set)] = true
			if _, err := c.Diagram.With(c.Counts).Rank(set); err != nil {
				t.Fatalf("seed %d: unrank(%d) = %v is not in the family", seed, r, set)
			}
		}
		if int64(len(seen)) != c.Count().Int64() {
			t.Fatalf("seed %d: %d sets of %v", seed, len(seen), c.Count())
		}
	}
}

func roundTrip(t *testing.T, s count.Set, r *big.Int) []int {
	t.Helper()
	options, err := count.At(t.Context(), s, r)
	if err != nil {
		t.Fatal(err)
	}
	back, err := s.Rank(t.Context(), options)
	if err != nil || back.Cmp(r) != 0 {
		t.Fatalf("rank(unrank(%v)) = %v, %v", r, back, err)
	}
	return options
}

// TestLargeRanks unranks 10^5 random ranks and the ends.
func TestLargeRanks(t *testing.T) {
	c := compile(t, "8x8", "monomino=any", "domino=any", "trominoes=any")
	for d := range draws(t, sample.Of(c, ""), 1, 100_000) {
		if options := roundTrip(t, c, d.Rank); !slices.Equal(options, d.Options) {
			t.Fatalf("draw %v has options %v, unrank gives %v", d.Rank, d.Options, options)
		}
	}
	roundTrip(t, c, new(big.Int))
	roundTrip(t, c, new(big.Int).Sub(c.Count(), big.NewInt(1)))
}

// draws are the draws of a seed, without errors.
func draws(t testing.TB, s *sample.Source, seed, n uint64) iter.Seq[sample.Draw] {
	t.Helper()
	return func(yield func(sample.Draw) bool) {
		for d, err := range s.Draws(t.Context(), sample.Seeded(seed), n) {
			if err != nil {
				t.Fatal(err)
			}
			if !yield(d) {
				return
			}
		}
	}
}

func TestErrors(t *testing.T) {
	c := compile(t, "2x3", "domino=any") // 3 tilings
	for _, r := range []*big.Int{big.NewInt(-1), big.NewInt(3), big.NewInt(1000), new(big.Int).Lsh(big.NewInt(1), 200)} {
		if _, err := count.At(t.Context(), c, r); !errors.Is(err, count.ErrRank) {
			t.Errorf("unrank(%v): %v, want ErrRank", r, err)
		}
	}
	for _, options := range [][]int{nil, {0}, {0, 1}, {2, 1}, {-1}, {0, 100}, {0, 0}, {6}} {
		if r, err := c.Rank(t.Context(), options); !errors.Is(err, count.ErrMember) {
			t.Errorf("rank(%v) = %v, %v, want ErrMember", options, r, err)
		}
	}
	none := sampler(t, "3x3", "domino=any")
	if err := none.Check(); !errors.Is(err, sample.ErrEmpty) {
		t.Errorf("check of an empty family: %v", err)
	}
	for range draws(t, none, 1, 1) {
		t.Fatal("drew from an empty family")
	}
	unit, err := bdd.Unit(0)
	if err != nil {
		t.Fatal(err)
	}
	one, err := count.OfDiagram(t.Context(), &cover.Problem{}, unit, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for d := range draws(t, sample.Of(one, ""), 1, 1) {
		if d.Rank.Sign() != 0 || len(d.Options) != 0 {
			t.Errorf("drew %v from the family of the empty set", d)
		}
	}
}

func TestSeeds(t *testing.T) {
	s := large(t)
	first := ranks(s, sample.Seeded(7), 50)
	if again := ranks(s, sample.Seeded(7), 50); first != again {
		t.Error("seed 7 gave two streams")
	}
	if other := ranks(s, sample.Seeded(8), 50); first == other {
		t.Error("seeds 7 and 8 gave one stream")
	}
	fresh := ranks(s, sample.Fresh(), 50)
	if again := ranks(s, sample.Fresh(), 50); fresh == again {
		t.Error("two fresh sources gave one stream")
	}
	// The stream of a seed is a promise: it may never change.
	if got, want := ranks(s, sample.Seeded(7), 2), "[12220657594491153682374 42142527006922625636065]"; got != want {
		t.Errorf("seed 7 starts with %v, want %v", got, want)
	}
}

func ranks(s *sample.Source, src rand.Source, n uint64) string {
	var all []*big.Int
	for d := range s.Draws(context.Background(), src, n) {
		all = append(all, d.Rank)
	}
	return fmt.Sprint(all)
}

// The statistics below test only how integers are drawn: that rank and unrank
// are inverse is exact. 36 tilings, 36,000 draws, a fixed seed.
const (
	cells     = 36
	perCell   = 1000
	tooRare   = 1e-4 // a p-value below this rejects
	worstSafe = 5.0  // largest deviation of the worst cell, in standard deviations
)

// verdict is the p-value of the χ² test that the cells are equally likely and
// the largest deviation of a cell in standard deviations.
func verdict(tallies []float64) (p, worst float64) {
	n := 0.0
	for _, x := range tallies {
		n += x
	}
	expected := make([]float64, len(tallies))
	for i := range expected {
		expected[i] = n / float64(len(tallies))
		worst = max(worst, (tallies[i]-expected[i])*(tallies[i]-expected[i])/expected[i])
	}
	chi := stat.ChiSquare(tallies, expected)
	return 1 - distuv.ChiSquared{K: float64(len(tallies) - 1)}.CDF(chi), worst
}

func accepts(tallies []float64) bool {
	p, worst := verdict(tallies)
	return p > tooRare && worst < worstSafe*worstSafe
}

func tally(draw func() int64) []float64 {
	tallies := make([]float64, cells)
	for range cells * perCell {
		tallies[draw()]++
	}
	return tallies
}

func TestFair(t *testing.T) {
	s := sampler(t, "4x4", "domino=any")
	next := func(src rand.Source) func() int64 {
		var queue []int64
		return func() int64 {
			if len(queue) == 0 {
				for d := range s.Draws(t.Context(), src, 1000) {
					queue = append(queue, d.Rank.Int64())
				}
			}
			r := queue[0]
			queue = queue[1:]
			return r
		}
	}
	if tallies := tally(next(sample.Seeded(3))); !accepts(tallies) {
		t.Errorf("fair draws are rejected: %v", tallies)
	}
	// The tests must be able to fail: planted faults.
	for _, fault := range []struct {
		name string
		draw func(*rand.Rand) int64
	}{
		{"6 bits modulo 36", func(rng *rand.Rand) int64 { return int64(rng.Uint64()&63) % cells }},
		{"7 bits modulo 36", func(rng *rand.Rand) int64 { return int64(rng.Uint64()&127) % cells }},
		{"one doubled", func(rng *rand.Rand) int64 { return rng.Int64N(cells+1) % cells }},
		{"one missing", func(rng *rand.Rand) int64 { return rng.Int64N(cells - 1) }},
	} {
		rng := rand.New(sample.Seeded(4))
		if tallies := tally(func() int64 { return fault.draw(rng) }); accepts(tallies) {
			t.Errorf("%s: the tests accept %v", fault.name, tallies)
		}
	}
}

func BenchmarkSample(b *testing.B) {
	for _, board := range []struct {
		name string
		from *sample.Source
	}{{"mono-dom-tro-8x8", large(b)}, {"dominoes-8x8", sampler(b, "8x8", "domino=any")}} {
		b.Run("board="+board.name+"/draws=1000", func(b *testing.B) {
			for b.Loop() {
				for range board.from.Draws(b.Context(), sample.Seeded(1), 1000) {
				}
			}
		})
	}
}
