package search

import (
	"context"
	"errors"
	"math/big"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/facts"
	"github.com/pavage/pavage/internal/test/oracle"
	"github.com/pavage/pavage/internal/test/testkit"
)

// charted returns a space with a chart that was made in small steps, even if matrices would be
// faster; nil if there is no chart.
func charted(t testing.TB, p *cover.Problem) *Space {
	t.Helper()
	c, err := newCompiler(t.Context(), p, false)
	if err != nil {
		t.Fatal(err)
	}
	if c.never {
		return nil
	}
	b := c.newBuilder()
	if b == nil {
		return nil
	}
	for most := 1; !b.explore(most); most += 1 + most/64 { // explore stops and resumes in the middle of items
		if most > 1<<16 {
			return nil
		}
	}
	chart := b.chart()
	if chart == nil {
		return nil
	}
	c.engine = chart
	return c.Space
}

// TestCharts compares walks in charts with the oracle: covers with optional cells, bounds on
// copies, free options and symmetries, and several walkers.
func TestCharts(t *testing.T) {
	seen, solvable, bounded, weighed, merging := 0, 0, 0, 0, 0
	for seed := range *covers {
		rng := rand.New(rand.NewPCG(seed, 16))
		var p *cover.Problem
		switch seed % 4 {
		case 0, 1:
			p = model(t, randomPuzzle(rng))
		case 2:
			p = oracle.RandomGrid(rng)
		case 3:
			p = oracle.Random(rng)
			order := rng.Perm(len(p.Items))[:max(0, len(p.Items)-rng.IntN(2))]
			p.Orders = [][]int{slices.DeleteFunc(order, func(i int) bool { return p.Items[i].Max > 1 })}
		}
		want, err := oracle.Solutions(p)
		if errors.Is(err, oracle.ErrTooBig) || len(want) > 5000 {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		s := charted(t, p)
		if s == nil {
			continue
		}
		seen++
		c := s.engine.(*chart)
		if c.merges = seed%8 < 4; c.merges {
			merging++
		}
		if len(want) > 0 {
			solvable++
		}
		if c.capacities.width > 2 {
			bounded++
		}
		if len(s.restrictions) > 0 {
			weighed++
		}
		for _, threads := range []int{1, 3} {
			checkSpace(t, s, threads, want)
		}
		if t.Failed() {
			t.Fatalf("in seed %d: %v", seed, p)
		}
	}
	least := int(*covers)
	if seen < least/4 || solvable < least/8 || bounded < least/20 || weighed < least/20 || merging < least/20 {
		t.Errorf("%d charts, %d of solvable covers, %d with bounds, %d with weights, %d that merge", seen, solvable, bounded, weighed, merging)
	}
}

// TestChartFacts counts published numbers, in charts.
func TestChartFacts(t *testing.T) {
	walked := 0
	for _, f := range facts.Counts() {
		switch f.ID {
		case "pent-3x20", "pent-4x15", "pent-5x12", "hexiamonds-4x9", "tetrahexes-4x7", "one-sided-3x30", "tetrominoes-6x6":
			s := charted(t, model(t, f.Puzzle))
			if s == nil {
				t.Errorf("%s: no chart", f.ID)
				continue
			}
			walked++
			var alone Result
			c := s.engine.(*chart)
			c.merges = walked%2 == 0
			for _, threads := range []int{1, 2, 5} {
				r := mustCount(t, s, Options{Threads: threads})
				if r.Count.Cmp(f.Count) != 0 {
					t.Errorf("%s: %v, want %v", f.ID, r.Count, f.Count)
				}
				if threads == 1 {
					alone = r
				}
				if r.Nodes != alone.Nodes || r.Tries != alone.Tries {
					t.Errorf("%s: %d threads do %+v, one does %+v", f.ID, threads, r, alone)
				}
			}
		}
	}
	if walked < 7 {
		t.Errorf("only %d facts", walked)
	}
}

// manyWays has a small chart and 10^12 solutions: two sorts of dominoes.
const manyWays = "{board: 4x10, pieces: [{name: domino, copies: any}, {name: twin, box: 1x2, copies: any}]}"

// TestChartEnds ends walks in charts by the limit of tries, by the context, and by the visitor.
func TestChartEnds(t *testing.T) {
	s := charted(t, model(t, manyWays))
	before := runtime.NumGoroutine()
	for _, threads := range []int{1, 3} {
		r, err := hunt(t.Context(), s, Options{Threads: threads}, 50_000, nil)
		if !errors.Is(err, ErrLimit) || r.Tries < 50_000 || r.Tries > 500_000 {
			t.Errorf("%d threads: %d tries, %v", threads, r.Tries, err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		if _, err := hunt(ctx, s, Options{Threads: threads, Progress: func(float64, int64, int64) { cancel() }}, 0, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("%d threads: %v, want an end", threads, err)
		}
		calls := 0
		r, err = hunt(t.Context(), s, Options{Threads: threads}, 0, func([]int) bool { calls++; return calls < 1000 })
		if err != nil || calls != 1000 {
			t.Errorf("%d threads: %d calls, %v", threads, calls, err)
		}
	}
	testkit.Until(t, "no goroutine is left", func() bool { return runtime.NumGoroutine() <= before })
}

// TestChartProgress: the share never falls and ends at 1.
func TestChartProgress(t *testing.T) {
	s := charted(t, model(t, "{board: 4x15, pieces: [pentominoes]}"))
	for _, threads := range []int{1, 3} {
		last, calls := 0.0, 0
		mustCount(t, s, Options{Threads: threads, Progress: func(share float64, _, _ int64) {
			if share < last || share > 1 {
				t.Errorf("%v after %v", share, last)
			}
			last, calls = share, calls+1
		}})
		if last != 1 || calls < 100 {
			t.Errorf("ended at %v after %d calls", last, calls)
		}
	}
}

// TestChartForecast: the mean of many probes is the size of the tree.
func TestChartForecast(t *testing.T) {
	s := charted(t, model(t, "{board: 4x15, pieces: [pentominoes]}"))
	r := mustCount(t, s, Options{Threads: 1})
	e, err := s.Prober(1).Probe(t.Context(), 2000, 0)
	if err != nil {
		t.Fatal(err)
	}
	solutions, _ := new(big.Float).SetInt(r.Count).Float64()
	for name, x := range map[string]struct{ foreseen, met, within float64 }{
		"tries": {e.Tries, float64(r.Tries), 1.25}, "solutions": {e.Solutions, solutions, 2},
	} {
		if x.foreseen < x.met/x.within || x.foreseen > x.met*x.within {
			t.Errorf("%s: %v expected, %v", name, x.foreseen, x.met)
		}
	}
}

// TestFields: least, most and plus work in each field.
func TestFields(t *testing.T) {
	bounds := []bound{{0, 5}, {2, 13}, {1, 1}, {0, 1}, {3, 7}}
	s, ok := newCapacities(bounds)
	if !ok || s.width != 5 {
		t.Fatalf("%+v, %v", s, ok)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	draw := func() (v []int, word uint64) {
		for k, b := range bounds {
			v = append(v, rng.IntN(int(b.room)+1))
			word |= uint64(v[k]) << (k * s.width)
		}
		return v, word
	}
	for range 1000 {
		a, x := draw()
		b, y := draw()
		c, z := draw()
		var least, most, plus uint64
		allows, within := true, true
		for k := range bounds {
			at := k * s.width
			least |= uint64(min(a[k], b[k])) << at
			most |= uint64(max(a[k], b[k])) << at
			plus |= uint64(min(a[k]+b[k], int(bounds[k].room))) << at
			allows = allows && a[k] >= b[k]
			within = within && a[k] >= b[k] && a[k] <= c[k]
		}
		if s.least(x, y) != least || s.most(x, y) != most || s.plus(x, y) != plus {
			t.Fatalf("%v and %v: %x %x %x", a, b, s.least(x, y), s.most(x, y), s.plus(x, y))
		}
		if s.allows(x, y) != allows || fits(x, y, z, s.guard) != within {
			t.Fatalf("%v, %v, %v: %v %v", a, b, c, s.allows(x, y), fits(x, y, z, s.guard))
		}
	}
	if _, ok := newCapacities(slices.Repeat([]bound{{1, 1}}, 33)); ok {
		t.Error("66 bits in a word")
	}
}
