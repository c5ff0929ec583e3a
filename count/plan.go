package count

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/search"
)

// Plan is how Auto came to its engine: what it expected, and why it chose.
type Plan struct {
	Sweep  *Forecast // nil: not estimated
	Search *Forecast
	Engine Engine
	Reason string
}

// Forecast is what an engine is expected to take. A forecast of a sweep is
// good to a factor of about three; one of a search, from random probes, is
// more often too low than too high.
type Forecast struct {
	Seconds float64
	States  float64 // of a sweep: all levels'; of a search: choices to try
	Error   float64 // relative standard error of a search's; 0: not known
}

// The planner. A sweep tells what it will cost only once it is under way, and
// a search only by probing; what both tell is doubtful. So the planner starts
// with the engine whose work is never lost:
//
//	sweep the first levels ── done? ──────────────────────────► the count
//	      │ firstStates met
//	      ▼
//	probe the search tree
//	      │
//	      ├─ the rest of the sweep is expected to be cheaper: next level, ask again
//	      │
//	      └─ the search is: put the sweep aside, search ── done ► the count
//	                              │ overrun times what was expected
//	                              └─ go on with the sweep to its end
//
// A sweep out of memory, or too wide to start, leaves the search, unless that
// is hopeless.
const (
	// firstStates are swept before anything else is tried, in about a
	// millisecond, the time of the probes.
	firstStates = 1 << 14
	// probeTime is for the probes at first. They get a tenth of the time that
	// the sweep has taken, when that is more.
	probeTime = 2 * time.Millisecond
	// overrun is how many times its forecast the search may take.
	overrun = 10
	// hopeless is a search of ten years.
	hopeless = 3e8
)

// planner is one choice between engines under way.
type planner struct {
	p     *cover.Problem
	o     Options
	plan  *Plan
	sweep *sweeper
	space *search.Space
	spent time.Duration // on the sweep
	probe time.Duration // on the last probes
	// solutions are as many as the last probes expect.
	solutions float64
}

// auto counts by the engine that is expected to be fastest.
func auto(ctx context.Context, p *cover.Problem, o Options) (*Result, error) {
	pl := &planner{p: p, o: o, plan: &Plan{}}
	r, err := pl.count(ctx)
	if err != nil {
		return nil, err
	}
	pl.plan.Engine = r.Engine
	r.Plan = pl.plan
	return r, nil
}

func (pl *planner) count(ctx context.Context) (*Result, error) {
	var err error
	pl.sweep, err = newSweeper(ctx, pl.p, pl.o, false)
	if errors.Is(err, ErrTooWide) {
		return pl.onlySearch(ctx, err, "no order of the items has states of 256 bits or less")
	}
	if err != nil {
		return nil, err
	}
	r, err := pl.sweepWhileItPays(ctx)
	switch {
	case errors.Is(err, ErrMemory):
		return pl.onlySearch(ctx, err, "the sweep ran out of memory")
	case r != nil || err != nil:
		return r, err
	}
	r, err = pl.searchFor(ctx, overrun)
	if !errors.Is(err, search.ErrLimit) && !errors.Is(err, ErrMemory) {
		return r, err
	}
	pl.because("the search took over %d times what was expected", overrun)
	if r, err = pl.sweep.finish(ctx); errors.Is(err, ErrMemory) {
		return pl.onlySearch(ctx, err, "the search took longer than expected, but the sweep ran out of memory")
	}
	return r, err
}

func (pl *planner) because(format string, args ...any) { pl.plan.Reason = fmt.Sprintf(format, args...) }

// sweepWhileItPays sweeps on until the search is expected to be done before
// the rest of the sweep; then both results are nil.
func (pl *planner) sweepWhileItPays(ctx context.Context) (*Result, error) {
	for !pl.sweep.done() {
		if err := pl.sweepStep(ctx); err != nil {
			return nil, err
		}
		if pl.plan.Search != nil && pl.plan.Search.Seconds < pl.rest() {
			pl.because("the search is expected to be done before the rest of the sweep")
			return nil, nil
		}
	}
	if pl.plan.Search == nil {
		pl.because("the sweep was done before a choice was worth its time")
	} else {
		pl.because("the sweep was never expected to take longer than the search")
	}
	return pl.sweep.result(), nil
}

// sweepStep sweeps a level, and probes the search if the sweep is not short.
func (pl *planner) sweepStep(ctx context.Context) error {
	start := time.Now()
	err := pl.sweep.step(ctx)
	pl.spent += time.Since(start)
	if err != nil || pl.sweep.states() < firstStates {
		return err
	}
	return pl.probes(ctx)
}

// rest is the seconds that the rest of the sweep is expected to take.
func (pl *planner) rest() float64 {
	s := pl.sweep
	each := pl.spent.Seconds() / float64(s.states())
	rest := s.automaton.Remaining(s.meter.step, s.run.States())
	pl.plan.Sweep = &Forecast{
		States:  float64(s.states()) + rest,
		Seconds: pl.spent.Seconds() + rest*each,
	}
	return rest * each
}

// probes the search tree, the longer the more time the sweep has taken. A
// problem that the search cannot hold has no forecast.
func (pl *planner) probes(ctx context.Context) error {
	limit := max(probeTime, pl.spent/10)
	if pl.probe > 0 && limit < 4*pl.probe {
		return nil
	}
	pl.probe = limit
	if pl.space == nil {
		s, err := space(pl.p, pl.o)
		if errors.Is(err, ErrMemory) {
			return nil
		}
		if err != nil {
			return err
		}
		pl.space = s
	}
	e, err := pl.space.Estimate(ctx, rand.New(rand.NewPCG(1, 1)), limit)
	if err != nil {
		return err
	}
	pl.solutions = e.Solutions
	pl.plan.Search = &Forecast{Seconds: e.Seconds / float64(threads(pl.o)), States: e.Tries, Error: e.Error}
	return nil
}

// A diagram can be made from the arcs between the levels of a frontier, or from
// a list of all solutions. The one costs three times a sweep in the order of
// the variables, the other a search and the listing; a list that grows beyond
// what was expected, or beyond the memory, is given up for the frontier.
const (
	arcsCost   = 3    // times a sweep (8x8 pentominoes and a square: 30 s of 10)
	listedCost = 1e-6 // seconds a solution (8x8 dominoes: 11 s for 13 million)
	// trialStates are swept before the frontier is chosen without probing on,
	// fewer if it is clearly the faster.
	trialStates = 16 * firstStates
	clearly     = 10
)

// compileValid is Compile as countValid is Count.
func compileValid(ctx context.Context, p *cover.Problem, o Options) (*Compiled, error) {
	pl := &planner{p: p, o: o, plan: &Plan{Engine: Diagram}}
	pl.o.Progress = nil
	list, err := pl.listPays(ctx)
	if err != nil {
		return nil, err
	}
	pl.sweep = nil
	var c *Compiled
	if list {
		c, err = compileListed(ctx, p, o, listSolutions(pl.space, overrun*pl.plan.Search.States))
		if errors.Is(err, search.ErrLimit) || errors.Is(err, ErrMemory) {
			pl.because("a list of the solutions took more than was expected")
			list = false
		}
	}
	if !list {
		c, err = compileSwept(ctx, p, o)
	}
	if err != nil {
		return nil, err
	}
	c.Result.Plan = pl.plan
	return c, nil
}

// listPays sweeps the first levels to find out.
func (pl *planner) listPays(ctx context.Context) (bool, error) {
	var err error
	pl.sweep, err = newSweeper(ctx, pl.p, pl.o, true)
	if errors.Is(err, ErrTooWide) {
		pl.because("no order of the items has states of 256 bits or less")
		pl.spent = time.Second
		err := pl.probes(ctx)
		return pl.plan.Search != nil, err
	}
	if err != nil {
		return false, err
	}
	for !pl.sweep.done() && pl.sweep.states() < trialStates {
		if err := pl.sweepStep(ctx); errors.Is(err, ErrMemory) {
			break
		} else if err != nil {
			return false, err
		}
		if pl.plan.Search != nil && pl.plan.Search.Seconds+listedCost*pl.solutions < arcsCost*pl.rest() {
			pl.because("a list of the solutions is expected to be done before the levels of the frontier")
			return true, nil
		}
		if pl.plan.Search != nil && pl.plan.Search.Seconds > clearly*arcsCost*pl.rest() {
			break
		}
	}
	pl.because("the levels of the frontier are expected to take less time than a list of the solutions")
	return false, nil
}

// searchFor searches up to a number of times what is expected.
func (pl *planner) searchFor(ctx context.Context, times float64) (*Result, error) {
	o := searchOptions(pl.o)
	o.Tries = limitTries(times * pl.plan.Search.States)
	r, err := pl.space.Count(ctx, o)
	if err != nil {
		return nil, err
	}
	return searchResult(pl.space, r, pl.o), nil
}

// onlySearch searches to the end, for the reason that the sweep cannot, unless
// that is hopeless: then the sweep's error stands.
func (pl *planner) onlySearch(ctx context.Context, cause error, reason string) (*Result, error) {
	pl.sweep = nil // and its levels
	pl.because("%s", reason)
	pl.probe, pl.spent = 0, time.Second
	if err := pl.probes(ctx); err != nil {
		return nil, err
	}
	if pl.plan.Search == nil {
		return nil, cause
	}
	if pl.plan.Search.Seconds > hopeless {
		return nil, fmt.Errorf("%w, and the search would take %.1g years", cause, pl.plan.Search.Seconds/(365.25*24*3600))
	}
	r, err := pl.space.Count(ctx, searchOptions(pl.o))
	if err != nil {
		return nil, err
	}
	return searchResult(pl.space, r, pl.o), nil
}
