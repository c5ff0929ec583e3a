package sample_test

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/internal/test/puzzletest"
	"github.com/pavage/pavage/sample"
	"github.com/pavage/pavage/tiling"
)

func bySweep(t testing.TB, m *tiling.Model, o count.Options) *sample.Source {
	t.Helper()
	h, err := count.Remember(context.Background(), m.Problem, o)
	if err != nil {
		t.Fatal(err)
	}
	return sample.Of(h, "")
}

// ways draws n.
func ways(t testing.TB, w *sample.Source, seed, n uint64) []sample.Draw {
	t.Helper()
	var all []sample.Draw
	for way, err := range w.Draws(context.Background(), sample.Seeded(seed), n) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, way)
	}
	if uint64(len(all)) != n {
		t.Fatalf("%d draws, want %d", len(all), n)
	}
	return all
}

// hashOf is a hash of draws: their ranks and options.
func hashOf(all []sample.Draw) string {
	h := fnv.New64a()
	ways := make([]struct {
		Rank    *big.Int
		Options []int
	}, len(all))
	for i, d := range all {
		ways[i].Rank, ways[i].Options = d.Rank, d.Options
	}
	fmt.Fprint(h, ways)
	return fmt.Sprintf("%016x", h.Sum64())
}

// TestSweepsOfASeed: the draws of a seed are a promise. They may never change,
// and depend neither on threads nor on memory nor on how many follow.
func TestSweepsOfASeed(t *testing.T) {
	m := puzzletest.Inline(t, "10x12", "domino=any", "monomino=0..12")
	const n = 300
	all := ways(t, bySweep(t, m, count.Options{Limits: count.Limits{Threads: 1}}), 7, n)
	if got, want := fmt.Sprint(all[0].Rank, all[1].Rank), "1976725114468263562579910 1251068346621551800342241"; got != want {
		t.Errorf("seed 7 starts with ranks %s, want %s", got, want)
	}
	golden := hashOf(all)
	if want := "ff129488e8e47b25"; golden != want {
		t.Errorf("the draws of seed 7 have hash %s, want %s", golden, want)
	}
	h, err := count.Remember(context.Background(), m.Problem, count.Options{})
	if err != nil {
		t.Fatal(err)
	}
	whole := h.Bytes()
	within, err := count.Remember(context.Background(), m.Problem, count.Options{Limits: count.Limits{Memory: whole / 3}})
	if _, most, _ := within.Batch(); err != nil || most >= n {
		t.Errorf("a batch of %d, want fewer than %d (%v)", most, n, err)
	}
	for _, l := range []count.Limits{
		{Threads: 2},
		{Threads: 8},
		{Threads: 1, Memory: whole},
		{Threads: 2, Memory: whole / 2},
		{Threads: 3, Memory: whole / 3}, // in several batches
	} {
		if got := hashOf(ways(t, bySweep(t, m, count.Options{Limits: l}), 7, n)); got != golden {
			t.Errorf("%d threads, %d of %d bytes: hash %s, want %s", l.Threads, l.Memory, whole, got, golden)
		}
	}
	few := ways(t, bySweep(t, m, count.Options{}), 7, 10)
	if hashOf(few) != hashOf(all[:10]) {
		t.Errorf("the first 10 of 10 are not the first 10 of %d", n)
	}
	if other := ways(t, bySweep(t, m, count.Options{}), 8, 10); hashOf(other) == hashOf(few) {
		t.Error("seeds 7 and 8 gave one stream")
	}
}

// TestSweepIsFair: package sweep tests that ranks and solutions are one to
// one; this, that draws are uniform as the sampler's are.
func TestSweepIsFair(t *testing.T) {
	w := bySweep(t, puzzletest.Inline(t, "4x4", "domino=any"), count.Options{})
	names := map[string]int64{}
	all := ways(t, w, 3, cells*perCell)
	next := 0
	tallies := tally(func() int64 {
		name := fmt.Sprint(all[next].Options)
		next++
		if _, ok := names[name]; !ok {
			names[name] = int64(len(names))
		}
		return names[name]
	})
	if len(names) != cells || !accepts(tallies) {
		t.Errorf("fair draws are rejected: %v of %d tilings", tallies, len(names))
	}
	// Draws that are a little unfair: a step that favours its first predecessor
	// by a twentieth, in a tenth of the steps where there is a choice.
	rng := rand.New(sample.Seeded(9))
	first := fmt.Sprint(all[0].Options)
	next = 0
	biased := tally(func() int64 {
		name := fmt.Sprint(all[next].Options)
		next++
		if rng.IntN(200) == 0 {
			name = first
		}
		return names[name]
	})
	if accepts(biased) {
		t.Errorf("the tests accept %v", biased)
	}
}

// TestSweepMarginals compares how often options are drawn with how many of the
// solutions have them.
func TestSweepMarginals(t *testing.T) {
	const n = 20_000
	for _, pieces := range [][]string{{"domino=any"}, {"domino=any", "monomino=any"}} {
		m := puzzletest.Inline(t, "8x8", pieces...)
		p := m.Problem
		w := bySweep(t, m, count.Options{})
		drawn := make([]float64, len(p.Options))
		for _, way := range ways(t, w, 5, n) {
			if !p.IsSolution(slices.Sorted(slices.Values(way.Options))) {
				t.Fatalf("drew %v, which is no solution", way.Options)
			}
			for _, o := range way.Options {
				drawn[o]++
			}
		}
		worst := 0.0
		for o := range p.Options {
			share := with(t, m, o, w.Count())
			off := math.Abs(drawn[o]-n*share) / math.Sqrt(n*share*(1-share))
			worst = max(worst, off)
		}
		if worst > worstSafe || worst < 1 { // of over a hundred options some are off
			t.Errorf("8x8 %v: an option is %.1f standard deviations off", pieces, worst)
		}
	}
}

// with is the share of solutions with option o: the solutions of the problem without the options
// that meet o's items.
func with(t *testing.T, m *tiling.Model, o int, total *big.Int) float64 {
	t.Helper()
	rest := *m.Problem
	rest.Items, rest.Options, rest.Symmetries = slices.Clone(rest.Items), nil, nil
	gone := map[int]bool{}
	for _, u := range m.Problem.Options[o] {
		if it := &rest.Items[u.Item]; it.Max == 1 {
			gone[u.Item] = true
			it.Min, it.Max = 0, 0
		}
	}
	for _, option := range m.Problem.Options {
		meets := false
		for _, u := range option {
			meets = meets || gone[u.Item]
		}
		if !meets {
			rest.Options = append(rest.Options, option)
		}
	}
	r, err := count.Count(context.Background(), &rest, count.Sweep, count.Options{})
	if err != nil {
		t.Fatal(err)
	}
	share, _ := new(big.Rat).SetFrac(r.Count, total).Float64()
	return share
}

func TestSweepErrors(t *testing.T) {
	none := bySweep(t, puzzletest.Inline(t, "3x3", "domino=any"), count.Options{})
	if err := none.Check(); !errors.Is(err, sample.ErrEmpty) || none.Count().Sign() != 0 {
		t.Errorf("check of no tiling: %v", err)
	}
	if all := ways(t, none, 1, 0); len(all) > 0 {
		t.Error("drew from nothing")
	}
	for way, err := range none.Draws(context.Background(), sample.Seeded(1), 5) {
		t.Errorf("drew %v, %v from nothing", way, err)
	}
	w := bySweep(t, puzzletest.Inline(t, "2x3", "domino=any"), count.Options{})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for way, err := range w.Draws(ctx, sample.Seeded(1), 5) {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled: %v, %v", way, err)
		}
	}
	for range w.Draws(context.Background(), sample.Seeded(1), 1<<40) {
		break // must not go on
	}
}

// TestSweepByMany: goroutines that draw from a walk at the same time draw the same as each
// alone, whether all levels are kept or some are made again.
func TestSweepByMany(t *testing.T) {
	m := puzzletest.Inline(t, "8x8", "domino=any", "monomino=0..12")
	const n = 150
	alone := bySweep(t, m, count.Options{})
	want := []string{hashOf(ways(t, alone, 0, n)), hashOf(ways(t, alone, 1, n)), hashOf(ways(t, alone, 2, n))}
	h, err := count.Remember(context.Background(), m.Problem, count.Options{})
	if err != nil {
		t.Fatal(err)
	}
	whole := h.Bytes()
	for _, memory := range []int64{0, whole / 2} {
		h, err := count.Remember(context.Background(), m.Problem, count.Options{Limits: count.Limits{Memory: memory}})
		if err != nil || h.Whole() != (memory == 0) {
			t.Fatalf("%d bytes: whole is %v, %v", memory, h.Whole(), err)
		}
		shared := sample.Of(h, "")
		var all sync.WaitGroup
		for seed := range want {
			all.Go(func() {
				if got := hashOf(ways(t, shared, uint64(seed), n)); got != want[seed] {
					t.Errorf("%d bytes, seed %d: hash %s, want %s", memory, seed, got, want[seed])
				}
			})
		}
		all.Wait()
	}
}

// TestSweepWaitsItsTurn: a draw that waits for another draw to go back stops with its context.
func TestSweepWaitsItsTurn(t *testing.T) {
	w := bySweep(t, puzzletest.Inline(t, "4x4", "domino=any"), count.Options{Watch: count.Watch{Progress: func(count.Progress) {}}})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, err := range w.Draws(ctx, sample.Seeded(1), 1) {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%v, want the context's error", err)
		}
	}
}

// TestManyRanksTogether: in little memory several ranks cost the states of one rank, since they go
// back together.
func TestManyRanksTogether(t *testing.T) {
	m := puzzletest.Inline(t, "10x12", "domino=any")
	whole, err := count.Remember(t.Context(), m.Problem, count.Options{})
	if err != nil {
		t.Fatal(err)
	}
	bytes := whole.Bytes()
	h, err := count.Remember(t.Context(), m.Problem, count.Options{Limits: count.Limits{Memory: bytes / 3}})
	if _, most, _ := h.Batch(); err != nil || h.Whole() || most < 5 {
		t.Fatalf("whole %v, a batch of %d, %v", h.Whole(), most, err)
	}
	of := func(ranks ...*big.Int) (states int64) {
		before := h.Report().States
		var found [][]int
		for options, err := range h.Unrank(t.Context(), ranks) {
			if err != nil {
				t.Fatal(err)
			}
			found = append(found, options)
		}
		states = h.Report().States - before
		for k, options := range found {
			if back, err := h.Rank(t.Context(), options); err != nil || back.Cmp(ranks[k]) != 0 {
				t.Fatalf("rank %v: %v, %v", ranks[k], back, err)
			}
		}
		return states
	}
	one, five := of(big.NewInt(7)), of(big.NewInt(9), big.NewInt(7), big.NewInt(70000), big.NewInt(8), big.NewInt(7))
	if one == 0 || five > 3*one {
		t.Errorf("five ranks cost %d states, one rank %d", five, one)
	}
}
