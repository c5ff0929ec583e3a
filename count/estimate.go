package count

import (
	"context"
	"errors"
	"time"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/estimate"
	"github.com/pavage/pavage/internal/engine/sweep"
)

// Estimation is what counting is expected to take, told before it begins.
type Estimation struct {
	Sweep  *SweepEstimate // nil: no order of the items has states of 511 bits or less
	Search *Forecast      // nil: there is no memory for it, or no time to probe it
	Dimer  *DimerForecast // nil: the problem has no determinants
	// Seconds are what the estimate took.
	Seconds float64
}

// SweepEstimate is what a sweep is expected to take.
type SweepEstimate struct {
	// States by level. Those up to level Exact are certain: they were made.
	// States up to level Sampled were sampled, those behind it, if there are any, are
	// foreseen, which is good to a factor of three, from very few to one of ten or more.
	States  []float64
	Exact   int
	Sampled int
	Total   float64 // of States
	Error   float64 // its standard error, relative; 0: certain, or not known
	Peak    int     // the largest level
	// Bytes for levels, arcs that are kept and buffers at the peak.
	Bytes   float64
	Seconds float64         // by the clock, with the threads that were asked for
	Orders  []OrderEstimate // that of the above first, then others that were looked into
	Bounds  *Bounds         // what bounds cost; nil where that is little
}

// estimateSeed is that of all estimates: the same problem is told the same.
const estimateSeed = 1

// Estimate tells what Count is expected to take, by each engine: of a sweep the
// first levels are made and the others sampled, a search is probed. It takes no more
// steps than some two seconds have time for, and nine tenths of the time until ctx's
// deadline, if there is one. Levels that cannot be sampled by then are foreseen from those
// before them, and the error says so. A search that a third of this time is too short to
// probe has no forecast. Errors are Count's.
func Estimate(ctx context.Context, p *cover.Problem, o Options) (*Estimation, error) {
	start := time.Now()
	if err := p.Check(ctx); err != nil {
		return nil, err
	}
	w := newWork(o.Progress)
	o.Progress = nil
	e := &Estimation{}
	pl := newPlanner(p, o, toCount, usual)
	short, end := shorter(ctx, searchShare) // more is left to the sweep
	err := pl.estimateWithin(ctx, short)
	end()
	if err != nil {
		return nil, err
	}
	e.Search = pl.plan.Search
	pl.lookForDimers(ctx, o)
	e.Dimer = pl.plan.Dimer
	e.Sweep, err = estimateSweep(ctx, p, o, w.part(1, Progress{}))
	if err != nil && !errors.Is(err, ErrTooWide) {
		return nil, err
	}
	w.finish()
	e.Seconds = time.Since(start).Seconds()
	return e, nil
}

// Sooner reports that a count is expected to take less than the estimate took, which
// was over a second.
func (e *Estimation) Sooner() bool {
	return e.Seconds > 1 && (e.Sweep != nil && e.Sweep.Seconds < e.Seconds || e.Search != nil && e.Search.Seconds < e.Seconds || e.Dimer != nil && e.Dimer.Seconds < e.Seconds)
}

// searchProbes is the cost of the probes of an estimate of a search; a single probe may take ten times
// that. (With 0.5, pentominoes on 30x30 took 4 s, and their estimate 13 s with looks of
// package estimate for a minute, the Tetris cube's 22. They take 2.)
const searchProbes = 0.1

// estimateWithin probes the search until short ends; then there is no forecast.
func (pl *planner) estimateWithin(ctx, short context.Context) error {
	err := pl.forecastSearch(short, searchProbes)
	if ctx.Err() == nil && short.Err() != nil {
		return nil
	}
	return err
}

// searchShare: a search is probed in one of so many parts of the time.
const searchShare = 3

// shorter is ctx with a share of the time until its deadline, if it has one.
func shorter(ctx context.Context, share time.Duration) (context.Context, context.CancelFunc) {
	deadline, ok := ctx.Deadline()
	if !ok {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, time.Until(deadline)/share)
}

func estimateSweep(ctx context.Context, p *cover.Problem, o Options, report func(Progress)) (*SweepEstimate, error) {
	if Unbalanced(p) {
		return &SweepEstimate{}, nil
	}
	c := sweep.Config{Threads: o.threads(), Memory: o.Memory}
	closer := estimate.Careful(estimateSeed)
	if deadline, ok := ctx.Deadline(); ok { // nine tenths of the time until it
		end := deadline.Add(-time.Until(deadline) / 10)
		closer.Late = func() bool { return time.Now().After(end) }
	}
	if report != nil {
		closer.Progress = func(share float64) { report(Progress{Fraction: share}) }
	}
	choices, err := estimate.Choose(ctx, p, c, estimate.Quick(estimateSeed), closer)
	if err != nil {
		return nil, err
	}
	if len(choices) == 0 {
		return &SweepEstimate{}, nil
	}
	best := choices[0].Estimate
	s := &SweepEstimate{
		States: best.States, Exact: best.Exact, Sampled: best.Sampled, Total: best.Total(), Error: best.Error,
		Bytes: best.Bytes, Seconds: best.Seconds,
	}
	for _, c := range choices {
		s.Orders = append(s.Orders, OrderEstimate{c.Index, c.Estimate.Total()})
	}
	s.Peak, _ = best.Peak()
	s.Bounds, err = costOfBounds(ctx, p, choices[0].Automaton, o)
	return s, err
}
