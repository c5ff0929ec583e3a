package count

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/automaton"
	"github.com/pavage/pavage/internal/search"
)

// Plan is how Auto, or Compile, came to its way of counting: what it expected,
// and why it chose.
type Plan struct {
	// Sweep and Search are what the engines were expected to take, for a
	// diagram with what it takes to make it of levels or of a list. They are
	// nil where that was not looked into, or where the engine cannot.
	Sweep, Search *Forecast

	Orders  []OrderEstimate // with Watch.Explain: those a sweep had to choose from, the one it takes first
	Engine  Engine
	Listed  bool   // a diagram: it was made from a list of the solutions
	Reason  string // why, to be read after "since"
	Seconds float64
}

// Forecast is what an engine is expected to take. A forecast of a sweep is
// good to a factor of about three once a hundredth is done, that of a sweep which
// was done before a forecast was worth its time is what it took. One of a search,
// from random probes, is more often too low than too high.
type Forecast struct {
	Seconds float64 // by the clock, with the threads that were asked for
	States  float64 // of a sweep: all levels'; of a search: choices to try
	Error   float64 // relative standard error of a search's States; 0: not known
}

// The planner. A sweep tells what it will cost only once it is under way, and
// a search only by probing; what both tell is doubtful. So the planner starts
// with the engine whose work is never lost:
//
//	sweep the first levels ── done? ──────────────────────────► the count
//	      │ firstStates met, and the rest is worth probing
//	      ▼
//	probe the search tree
//	      │
//	      ├─ the rest of the sweep is expected to be cheaper: next level, ask again
//	      │
//	      └─ the search is: put the sweep aside, search ── done ► the count
//	                              │ overrun times what was expected
//	                              └─ go on with the sweep for as long, and in turn
//
// A sweep out of memory, or too wide to start, leaves the search, unless that
// is hopeless.
type limits struct {
	// firstStates are swept before anything else is tried.
	firstStates int64
	// patience is how many times what it costs to probe the rest of the sweep
	// is expected to cost before it is done.
	patience float64
	// probeTime is for the probes at first. They get a tenth of the time that
	// the sweep has taken, when that is more.
	probeTime time.Duration
	// overrun is how many times its forecast the search may take, at first.
	overrun float64
	// turn is what a sweep has at least after a search that took longer.
	turn time.Duration
	// leastTries are allowed to every search, for forecasts of short ones are
	// none.
	leastTries float64
	// hopeless are the seconds of a search that is not begun.
	hopeless float64
	// trialStates are swept before the frontier is chosen for a diagram
	// without probing on, fewer if it is clearly the faster.
	trialStates int64
}

var usual = limits{
	firstStates: 1 << 12, // a third of a millisecond
	patience:    2,
	probeTime:   time.Millisecond / 2,
	overrun:     10,
	turn:        time.Second,
	leastTries:  1 << 22, // half a second
	hopeless:    3e8,     // ten years
	trialStates: 1 << 18,
}

// planner is one choice between engines under way.
type planner struct {
	limits
	p       *cover.Problem
	o       Options
	plan    *Plan
	work    *work
	disk    string
	costs   []automaton.Cost // of orders, to be told
	cost    float64          // of what is to be made of the sweep, in sweeps
	sweep   *sweeper
	space   *search.Space
	refused bool          // no room for a space
	spent   time.Duration // on the sweep
	rates   []float64     // seconds a state, of the last levels
	probe   time.Duration // on the last probes
	// solutions are as many as the last probes expect.
	solutions float64
}

// auto counts by the engine that is expected to be fastest.
func auto(ctx context.Context, p *cover.Problem, o Options) (*Result, error) {
	return newPlanner(p, o, usual).auto(ctx)
}

func newPlanner(p *cover.Problem, o Options, l limits) *planner {
	pl := &planner{limits: l, p: p, o: o, disk: o.Disk, plan: &Plan{}, work: newWork(o.Progress), cost: 1}
	pl.o.Disk = "" // until it is known that a search is no better
	pl.o.Progress = pl.work.part(1, Progress{})
	return pl
}

func (pl *planner) auto(ctx context.Context) (*Result, error) {
	start := time.Now()
	r, err := pl.count(ctx)
	if err != nil {
		return nil, err
	}
	pl.plan.Seconds = time.Since(start).Seconds()
	if pl.o.Explain {
		err = pl.completeForecasts(ctx)
	}
	r.Plan = pl.present(r.Engine)
	return r, err
}

// present is the plan as it is now, with an engine at work.
func (pl *planner) present(e Engine) *Plan {
	p := *pl.plan
	p.Engine = e
	p.Sweep, p.Search = p.Sweep.clone(), p.Search.clone()
	if e != Diagram {
		p.Orders = pl.orders()
	} else {
		p.ofDiagram(pl.solutions)
	}
	return &p
}

func (f *Forecast) clone() *Forecast {
	if f == nil {
		return nil
	}
	c := *f
	return &c
}

// tell tells the present plan.
func (pl *planner) tell(e Engine) {
	if pl.o.Planned != nil {
		pl.o.Planned(pl.present(e))
	}
}

// told tells a plan to who wants to know.
func (o Options) told(p Plan) {
	if o.Planned != nil {
		o.Planned(&p)
	}
}

func (pl *planner) count(ctx context.Context) (*Result, error) {
	var err error
	pl.sweep, err = newSweeper(ctx, pl.p, pl.o, false)
	if errors.Is(err, ErrTooWide) {
		return pl.onlySearch(ctx, err, "no order of the items has states of 255 bits or less")
	}
	if err != nil {
		return nil, err
	}
	if err := pl.lookAtOrders(ctx); err != nil {
		return nil, err
	}
	r, err := pl.sweepWhileItPays(ctx)
	switch {
	case errors.Is(err, ErrMemory):
		return pl.withoutMemory(ctx, err, "the sweep ran out of memory")
	case r != nil || err != nil:
		return r, err
	}
	return pl.inTurns(ctx)
}

// inTurns searches and, if that takes longer than expected, sweeps on for as long,
// and so in turn until one of them is done, a search having four times the tries of
// the one before. So whichever forecast was wrong, it takes but a few times as long
// as the better of them does. (On a machine with other things to do probes end
// early, and some find a fiftieth of the Bedlam cube's tries: given up for good, the
// search left a sweep of hours.)
func (pl *planner) inTurns(ctx context.Context) (*Result, error) {
	for tries := pl.tries(); ; tries = 4 * min(tries, 1e17) {
		start := time.Now()
		r, err := pl.searchFor(ctx, tries)
		if !errors.Is(err, search.ErrLimit) {
			return r, err
		}
		pl.because("the search took over %g times what was expected", pl.overrun)
		pl.tell(Sweep)
		pl.sweep.tellTo(pl.work)
		r, err = pl.sweepFor(ctx, max(pl.turn, time.Since(start)))
		switch {
		case errors.Is(err, ErrMemory):
			return pl.withoutMemory(ctx, err, "the sweep ran out of memory, after a search that took longer than expected")
		case r != nil || err != nil:
			return r, err
		}
		pl.because("search and sweep both take longer than expected, and are tried in turn")
	}
}

// sweepFor sweeps on for some time; the result is nil if it is not done then.
func (pl *planner) sweepFor(ctx context.Context, most time.Duration) (*Result, error) {
	for start := time.Now(); !pl.sweep.done(); {
		if time.Since(start) > most {
			return nil, nil
		}
		if err := pl.sweepLevel(ctx); err != nil {
			return nil, err
		}
	}
	return pl.sweep.result(), nil
}

// withoutMemory goes on with the sweep on disk, or with the search if there is
// no disk or the search is expected to be done before.
func (pl *planner) withoutMemory(ctx context.Context, cause error, reason string) (*Result, error) {
	f := pl.plan.Search
	if pl.disk == "" || f != nil && f.cautious() < onDisk*pl.rest() {
		return pl.onlySearch(ctx, cause, reason)
	}
	pl.because("%s: it goes on on disk, for a search is not expected to be done before", reason)
	pl.tell(Sweep)
	pl.space = nil // makes room
	pl.sweep.tellTo(pl.work)
	pl.sweep.run.UseDisk(pl.disk)
	return pl.sweep.finish(ctx)
}

// onDisk is how many times longer a sweep takes on disk.
const onDisk = 3

func (pl *planner) because(format string, args ...any) { pl.plan.Reason = fmt.Sprintf(format, args...) }

// sweepWhileItPays sweeps on until the search is expected to be done before
// the rest of the sweep; then both results are nil.
func (pl *planner) sweepWhileItPays(ctx context.Context) (*Result, error) {
	pl.because("its first levels tell what the rest will cost")
	for !pl.sweep.done() {
		pl.tell(Sweep)
		if err := pl.sweepStep(ctx); err != nil {
			return nil, err
		}
		pays, err := pl.searchPays(ctx)
		if err != nil {
			return nil, err
		}
		if pays {
			pl.because("it is expected to be done before the rest of the sweep")
			return nil, nil
		}
		if pl.plan.Search != nil {
			pl.because("it is not expected to take longer than the search")
		}
	}
	if pl.plan.Search == nil {
		pl.because("it was done before a choice was worth its time")
	} else {
		pl.because("it was never expected to take longer than the search")
	}
	return pl.sweep.result(), nil
}

// sweepStep sweeps a level, and probes the search if the sweep is not short.
func (pl *planner) sweepStep(ctx context.Context) error {
	if err := pl.sweepLevel(ctx); err != nil || pl.sweep.states() < pl.firstStates {
		return err
	}
	if pl.space == nil && pl.cost*pl.rest() < pl.patience*pl.probeCost() {
		return nil
	}
	return pl.probes(ctx)
}

// probeCost is the seconds that it takes to compile a search and to probe it
// for the first time. (15 + 8 ms for 6x10 pentominoes, which take 17, 2 + 3 ms for a
// Soma cube, which takes 3, 30 + 3 ms for 20x20 dominoes, which take 45.)
func (pl *planner) probeCost() float64 {
	options, items := float64(len(pl.p.Options)), float64(len(pl.p.Items))
	return pl.probeTime.Seconds() + min(pruneSeconds, pairSeconds*options*items) + optionSeconds*options
}

const (
	pairSeconds   = 1e-7 // an item and an option, in pruning
	pruneSeconds  = 0.05 // at most
	optionSeconds = 4e-6
)

func (pl *planner) sweepLevel(ctx context.Context) error {
	start, before := time.Now(), pl.sweep.states()
	err := pl.sweep.step(ctx)
	took := time.Since(start)
	pl.spent += took
	if states := pl.sweep.states() - before; states >= rateStates {
		pl.rates = append(pl.rates[max(0, len(pl.rates)+1-rateLevels):], took.Seconds()/float64(states))
	}
	return err
}

// rate is the seconds that a state takes. The median of some levels, for a
// machine with other things to do interrupts now this one, now that.
func (pl *planner) rate() float64 {
	if len(pl.rates) == 0 {
		return pl.spent.Seconds() / float64(max(1, pl.sweep.states()))
	}
	rates := slices.Sorted(slices.Values(pl.rates))
	return rates[len(rates)/2]
}

const (
	rateLevels = 9
	rateStates = 256 // of a level that tells
)

// rest is the seconds that the rest of the sweep is expected to take.
func (pl *planner) rest() float64 {
	s := pl.sweep
	if s.done() {
		if pl.plan.Sweep == nil {
			pl.plan.Sweep = &Forecast{States: float64(s.states()), Seconds: pl.spent.Seconds()}
		}
		return 0
	}
	rest := s.automaton.Remaining(s.run.Level(), s.run.States())
	pl.plan.Sweep = &Forecast{
		States:  float64(s.states()) + rest,
		Seconds: pl.spent.Seconds() + rest*pl.rate(),
	}
	return rest * pl.rate()
}

// searchPays compares the forecasts. The first probes of a search that seems to
// be the faster are not trusted unless it is by far: they are too low more
// often than not. (3x30 one-sided pentominoes, 1.0 s: ten probes say 0.06, with
// an error of 56%, a hundred 0.9; the sweep takes 0.13.)
func (pl *planner) searchPays(ctx context.Context) (bool, error) {
	f, rest := pl.plan.Search, pl.rest()
	switch {
	case f == nil || f.Seconds >= rest:
		return false, nil
	case f.cautious() < rest/byFar:
		return true, nil
	}
	closer := time.Duration(f.Seconds / 10 * float64(time.Second))
	if closer > pl.probe {
		if err := pl.probesFor(ctx, closer); err != nil {
			return false, err
		}
	}
	return pl.plan.Search.cautious() < rest, nil
}

// byFar is how many times cheaper an engine is by far.
const byFar = 3

// cautious is a time that is seldom passed.
func (f *Forecast) cautious() float64 { return f.Seconds * (1 + 2*f.Error) }

// probeShare: the probes get one in so many parts of the time of the sweep.
const probeShare = 10

// probes the search tree, the longer the more time the sweep has taken. A
// problem that the search cannot hold, or that is too deep for a single probe,
// has no forecast.
func (pl *planner) probes(ctx context.Context) error {
	limit := max(pl.probeTime, pl.spent/probeShare)
	if pl.probe > 0 && (limit < 4*pl.probe || pl.outOfReach()) {
		return nil
	}
	return pl.probesFor(ctx, limit)
}

func (pl *planner) probesFor(ctx context.Context, limit time.Duration) error {
	pl.probe = limit
	if pl.space == nil {
		if pl.refused && pl.sweep != nil {
			return nil // beside this sweep, which does not get smaller
		}
		s, err := space(ctx, pl.p, pl.besideSweep())
		if errors.Is(err, ErrMemory) {
			pl.refused = true
			return nil
		}
		if err != nil {
			return err
		}
		pl.space = s
	}
	e, err := pl.space.Estimate(ctx, rand.New(rand.NewPCG(1, 1)), limit)
	if err == nil && e.Probes > 0 {
		pl.solutions = e.Solutions
		pl.plan.Search = forecast(e, threads(pl.o))
	}
	return err
}

// besideSweep is the options of a search while a sweep that was put aside keeps
// its levels.
func (pl *planner) besideSweep() Options {
	o := pl.o
	if pl.sweep != nil && pl.sweep.run != nil && o.Memory > 0 {
		o.Memory = max(1, o.Memory-pl.sweep.run.Effort().Bytes)
	}
	return o
}

// outOfReach reports that better probes would not make the search the faster.
func (pl *planner) outOfReach() bool {
	p := pl.plan
	return p.Sweep != nil && p.Search != nil && p.Search.Seconds > clearly*pl.cost*p.Sweep.Seconds
}

// clearly is how many times slower than the sweep a search is out of reach.
const clearly = 1000

// forecast of a search, in numbers that are some.
func forecast(e search.Estimate, threads int) *Forecast {
	f := &Forecast{
		Seconds: min(e.Seconds/float64(threads), math.MaxFloat64),
		States:  min(e.Tries, math.MaxFloat64), Error: e.Error,
	}
	if !(f.Error < math.Inf(1)) {
		f.Error = 0
	}
	return f
}

// searchFor searches up to so many tries.
func (pl *planner) searchFor(ctx context.Context, tries int64) (*Result, error) {
	pl.tell(Search)
	pl.o.Progress = pl.work.part(1, Progress{})
	o := searchOptions(pl.o, States)
	o.Tries = tries
	r, err := pl.space.Count(ctx, o)
	if err != nil {
		return nil, err
	}
	return searchResult(pl.space, r, pl.o), nil
}

// tries is how many a search may take at first, overrun times what is expected.
func (pl *planner) tries() int64 {
	return int64(min(1e18, max(pl.leastTries, pl.overrun*pl.plan.Search.States)))
}

// onlySearch searches to the end, for the reason that the sweep cannot, unless
// that is hopeless: then the sweep's error stands.
func (pl *planner) onlySearch(ctx context.Context, cause error, reason string) (*Result, error) {
	pl.sweep = nil // and its levels
	pl.because("%s", reason)
	if err := pl.probeLong(ctx); err != nil {
		return nil, err
	}
	if pl.space == nil {
		return nil, cause
	}
	if f := pl.plan.Search; f != nil && f.Seconds > pl.hopeless {
		return nil, fmt.Errorf("%w, and the search would take %.1g years", cause, pl.plan.Search.Seconds/(365.25*24*3600))
	}
	pl.tell(Search)
	pl.o.Progress = pl.work.part(1, Progress{})
	r, err := pl.space.Count(ctx, searchOptions(pl.o, States))
	if err != nil {
		return nil, err
	}
	return searchResult(pl.space, r, pl.o), nil
}

// probeLong probes for a tenth of a second, when there is nothing else to do.
func (pl *planner) probeLong(ctx context.Context) error {
	pl.probe, pl.spent = 0, time.Second
	return pl.probes(ctx)
}
