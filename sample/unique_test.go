package sample_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/oracle"
	"github.com/pavage/pavage/internal/test/puzzletest"
	"github.com/pavage/pavage/sample"
)

// sources are all kinds of sources of 4x4 dominoes: 36 tilings, 9 classes.
func sources(t testing.TB) map[string]*sample.Source {
	t.Helper()
	m := puzzletest.Inline(t, "4x4", "domino=any")
	all := map[string]*sample.Source{}
	for name, r := range map[string]sample.Request{
		"diagram": {},
		"sweep":   {Method: sample.BySweep},
		"classes": {Group: m.Group(true).Symmetries()},
	} {
		s, err := sample.From(t.Context(), m.Problem, r, count.Options{})
		if err != nil {
			t.Fatal(err)
		}
		all[name] = s
	}
	return all
}

// uniques are n draws without replacement.
func uniques(t testing.TB, s *sample.Source, src rand.Source, n uint64) []string {
	t.Helper()
	var all []string
	for d, err := range s.Unique(t.Context(), src, n, 0) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, fmt.Sprint(d.Options))
	}
	if uint64(len(all)) != n {
		t.Fatalf("%d draws, want %d", len(all), n)
	}
	return all
}

// TestUniqueTakesAll: if all solutions are drawn, each is drawn once; fewer draws are the first of
// them; one draw more is an error with the number of solutions, and draws nothing.
func TestUniqueTakesAll(t *testing.T) {
	for name, s := range sources(t) {
		all := uniques(t, s, sample.Seeded(5), s.Count().Uint64())
		if distinct := slices.Compact(slices.Sorted(slices.Values(all))); len(distinct) != len(all) {
			t.Errorf("%s: %d draws are %d different ones", name, len(all), len(distinct))
		}
		for n := range uint64(len(all)) {
			if few := uniques(t, s, sample.Seeded(5), n); !slices.Equal(few, all[:n]) {
				t.Errorf("%s: %d draws are not the first of %d", name, n, len(all))
			}
		}
		for d, err := range s.Unique(t.Context(), sample.Seeded(5), uint64(len(all))+1, 0) {
			if want := fmt.Sprintf("more draws than solutions: %d draws without replacement are requested, but only %d are possible", len(all)+1, len(all)); !errors.Is(err, sample.ErrTooMany) || err.Error() != want {
				t.Errorf("%s: drew %v, %v, want %q", name, d, err, want)
			}
		}
	}
}

// TestUniqueIsFair: all ordered pairs of different draws are equally likely. That each of the
// first two places alone is fair is not enough, nor is it that no pair repeats.
func TestUniqueIsFair(t *testing.T) {
	m := puzzletest.Inline(t, "2x5", "domino=any") // 8 tilings, 56 pairs
	for _, r := range []sample.Request{{}, {Method: sample.BySweep}, {Group: puzzletest.Inline(t, "4x4", "domino=any").Group(true).Symmetries()}} {
		p := m.Problem
		if len(r.Group) > 0 {
			p = puzzletest.Inline(t, "4x4", "domino=any").Problem // 9 classes, 72 pairs
		}
		s, err := sample.From(t.Context(), p, r, count.Options{})
		if err != nil {
			t.Fatal(err)
		}
		src, tally := sample.Seeded(2), map[string]float64{}
		pairs := s.Count().Uint64() * (s.Count().Uint64() - 1)
		for range 300 * pairs {
			tally[fmt.Sprint(uniques(t, s, src, 2))]++
		}
		var tallies []float64
		for _, n := range tally {
			tallies = append(tallies, n)
		}
		if uint64(len(tally)) != pairs || !accepts(tallies) {
			t.Errorf("%+v: fair pairs are rejected: %d of %d, %v", r.Method, len(tally), pairs, tallies)
		}
	}
}

// TestUniqueOfMany: ranks of several limbs are as good as ranks of one limb.
func TestUniqueOfMany(t *testing.T) {
	s := large(t)
	first := uniques(t, s, sample.Seeded(7), 1000)
	if again := uniques(t, s, sample.Seeded(7), 1000); !slices.Equal(first, again) {
		t.Error("seed 7 gave two streams")
	}
	if distinct := slices.Compact(slices.Sorted(slices.Values(first))); len(distinct) != 1000 {
		t.Errorf("%d of 1000 draws are different", len(distinct))
	}
}

// TestUniqueWithin: too little memory for the drawn ranks is an error, before it is allocated.
func TestUniqueWithin(t *testing.T) {
	for name, s := range sources(t) {
		var last error
		for _, err := range s.Unique(t.Context(), sample.Seeded(1), 9, 100) {
			last = err
		}
		if !errors.Is(last, cover.ErrMemory) {
			t.Errorf("%s: 9 draws in 100 bytes: %v", name, last)
		}
		for _, err := range s.Unique(t.Context(), sample.Seeded(1), 9, 10_000) {
			if err != nil {
				t.Errorf("%s: 9 draws in 10,000 bytes: %v", name, err)
			}
		}
	}
	for _, err := range large(t).Unique(t.Context(), sample.Seeded(1), math.MaxUint64, 1<<40) {
		if !errors.Is(err, cover.ErrMemory) {
			t.Errorf("2^64-1 draws: %v", err)
		}
	}
}

// TestUniqueEnds: with its context.
func TestUniqueEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, s := range sources(t) {
		for _, err := range s.Unique(ctx, sample.Seeded(1), 5, 0) {
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// TestSourceRank: rank is the inverse of unrank, by diagram and by walk, for all solutions of
// random covers; options that are no solution have none.
func TestSourceRank(t *testing.T) {
	ranked := 0
	for seed := uint64(0); seed < 150; seed++ {
		rng := rand.New(rand.NewPCG(seed, 14))
		p := oracle.Random(rng)
		if seed%3 == 2 {
			p = oracle.RandomColoured(rng)
		}
		for _, r := range []sample.Request{{Method: sample.ByDiagram}, {Method: sample.BySweep}} {
			s, err := sample.From(t.Context(), p, r, count.Options{Limits: count.Limits{Threads: 1}})
			if err != nil {
				t.Fatal(err)
			}
			var ofRank []string
			for k := range min(50, s.Count().Int64()) {
				options, err := count.At(t.Context(), s.Set, big.NewInt(k))
				if err != nil {
					t.Fatal(err)
				}
				ofRank = append(ofRank, fmt.Sprint(options))
				rng.Shuffle(len(options), func(i, j int) { options[i], options[j] = options[j], options[i] })
				if back, err := s.Set.Rank(t.Context(), options); err != nil || back.Int64() != k {
					t.Fatalf("seed %d, %s: rank(unrank(%d)) = %v, %v", seed, r.Method, k, back, err)
				}
				ranked++
				for _, other := range [][]int{options[:max(0, len(options)-1)], append(slices.Clone(options), 0), {-1}, {len(p.Options)}} {
					solution := p.IsSolution(sorted(other))
					if rank, err := s.Set.Rank(t.Context(), other); solution != (err == nil) || !solution && !errors.Is(err, count.ErrMember) {
						t.Fatalf("seed %d, %s: rank(%v) = %v, %v", seed, r.Method, other, rank, err)
					}
				}
			}
			checkEach(t, s.Set, ofRank)
		}
	}
	if ranked < 1000 {
		t.Errorf("only %d ranks", ranked)
	}
}

// checkEach asks for the solutions of ranks 0, 1, … all at once, last ones first.
func checkEach(t *testing.T, s count.Set, want []string) {
	t.Helper()
	var ranks []*big.Int
	for k := range want {
		ranks = append(ranks, big.NewInt(int64(len(want)-1-k)))
	}
	for options, err := range s.Unrank(t.Context(), ranks) {
		last := len(want) - 1
		if err != nil || fmt.Sprint(options) != want[last] {
			t.Fatalf("%v, %v, want %s", options, err, want[last])
		}
		want = want[:last]
	}
	if len(want) > 0 {
		t.Fatalf("%d ranks have no solution", len(want))
	}
}

func remember(t testing.TB, p *cover.Problem, memory int64) *count.Levels {
	t.Helper()
	h, err := count.Remember(t.Context(), p, count.Options{Limits: count.Limits{Memory: memory}})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// TestRankOfAWay: where counts have several limbs, and levels are made again.
func TestRankOfAWay(t *testing.T) {
	m := puzzletest.Inline(t, "10x12", "domino=any", "monomino=0..12")
	whole := remember(t, m.Problem, 0).Bytes()
	for _, memory := range []int64{0, whole / 3} {
		h := remember(t, m.Problem, memory)
		for _, d := range ways(t, sample.Of(h, ""), 7, 3) {
			if back, err := h.Rank(t.Context(), d.Options); err != nil || back.Cmp(d.Rank) != 0 {
				t.Errorf("in %d bytes: rank(unrank(%v)) = %v, %v", memory, d.Rank, back, err)
			}
		}
	}
}
