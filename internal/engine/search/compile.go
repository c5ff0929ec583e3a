package search

import (
	"context"
	"slices"
	"time"

	"github.com/pavage/pavage/cover"
)

const (
	// trialPlaces is the number of places found between two forecasts: about half a millisecond.
	trialPlaces = 1 << 12
	// fewPlaces is a number of places that takes less time than making matrices and probing
	// the search in them.
	fewPlaces = 1 << 14
	// placeNanos is the cost of a place, in nanoseconds, dead ends included.
	placeNanos = 500
	// smallWalk takes less time than a forecast of the search in the matrices, in seconds.
	smallWalk    = 15e-3
	walkProbes   = 16
	matrixProbes = 32
	matrixWork   = time.Millisecond / 5
	seedOfChoice = 1
)

// Compile makes a validated problem ready for counting. Options that nothing
// binds are left out and remembered as powers of two. If the problem has
// symmetries, the options of some item are cut down to one of each orbit. It
// fails with cover.ErrMemory if more than 65535 items bind, or with the error of
// cover.Problem.Images for a symmetry that is none, or ctx's.
//
// It chooses an engine: matrices or a chart.
func Compile(ctx context.Context, p *cover.Problem) (*Space, error) {
	return compile(ctx, p, bundlesSave)
}

// compile is Compile with bundles that save so many times their number of options.
func compile(ctx context.Context, p *cover.Problem, save float64) (*Space, error) {
	p, parts, err := bundled(ctx, p, save)
	if err != nil {
		return nil, err
	}
	c, err := newCompiler(ctx, p, false)
	if c.parts = parts; err != nil || c.never {
		return c.Space, err
	}
	b, singles := c.newBuilder(), IsOfSingles(p)
	var chart *chart
	walk := 0.0 // a forecast, in seconds
	// finish makes the chart, if it is expected to have at most so many places.
	finish := func(most float64) {
		for step := trialPlaces; !b.explore(step); step += trialPlaces {
			if ctx.Err() != nil || b.forecast() > most {
				return
			}
		}
		if chart = b.chart(); chart == nil {
			b = nil // the ground cannot be covered
			return
		}
		e, _ := (&Space{engine: chart}).Prober(seedOfChoice).Probe(ctx, walkProbes, 0)
		walk, chart.merges = e.Seconds, singles && e.Seconds > longWalk
	}
	if b != nil {
		finish(fewPlaces)
	}
	if chart != nil && walk < smallWalk {
		c.engine = chart
		return c.Space, ctx.Err()
	}
	m, err := c.matrices()
	if err != nil {
		return nil, err
	}
	m.prune(func() bool { return ctx.Err() != nil })
	// (Right trominoes on 12x12: 331 ms for a chart, 4 ms for a sweep.)
	if b != nil && singles && (chart != nil || b.forecast() <= mostPlaces) {
		e, err := c.Prober(seedOfChoice).Probe(ctx, matrixProbes, matrixWork)
		if chart == nil && e.Probes > 0 {
			finish(min(mostPlaces, e.Seconds/2*1e9/placeNanos))
		}
		if err == nil && chart != nil && walk < e.Seconds {
			c.engine = chart
		}
	}
	return c.Space, ctx.Err()
}

// IsOfSingles reports whether each option of p uses an item with Max 1, such as a piece with one
// copy, that is not in the first order. It returns false if p has no orders.
func IsOfSingles(p *cover.Problem) bool {
	if len(p.Orders) == 0 {
		return false
	}
	single := make([]bool, len(p.Items))
	for i, it := range p.Items {
		single[i] = it.Max == 1
	}
	for _, i := range p.Orders[0] {
		single[i] = false
	}
	return !slices.ContainsFunc(p.Options, func(o cover.Option) bool {
		return !slices.ContainsFunc(o, func(u cover.Use) bool { return single[u.Item] })
	})
}

// compileList makes a problem ready for a list in the order of the matrices, with free options.
func compileList(ctx context.Context, p *cover.Problem) (*Space, *matrices, error) {
	c, err := newCompiler(ctx, p, true)
	if err != nil || c.never {
		return c.Space, nil, err
	}
	m, err := c.matrices()
	if err != nil {
		return nil, nil, err
	}
	return c.Space, m, ctx.Err()
}

// maxPrune limits the work of prune, in blocks looked at: about 50 ms.
const maxPrune = 1 << 24

// pruneAgain is the share of the options that must have gone for another round.
// (6x10 pentominoes: 266 of 2,032 go in the first, 10 in the second, which took
// 6 of 190 ms.)
const pruneAgain = 4

// prune leaves out the options that at the start already leave some item
// without a way to be used, such as placements that wall off a cell. Of 8x8
// pentominoes and a square 1,920 of 2,327 are left, and a sixth of the tries
// is saved; in space there are few such, and nothing is lost but some
// milliseconds.
func (m *matrices) prune(stop func() bool) {
	work := len(m.all) * len(m.all) / blockBits * m.rows
	for gone := len(m.all); gone > len(m.all)/pruneAgain && work <= maxPrune; {
		before := m.all
		w := &walker{matrices: m, account: account{stop: stop}}
		w.begin(m.root(stop))
		m.all = nil
		for k, o := range before {
			if w.descend(0, k) != dead {
				m.all = append(m.all, o)
			}
			w.path = w.path[:0]
		}
		gone = len(before) - len(m.all)
	}
}
