package count

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/engine/search"
	"github.com/pavage/pavage/internal/kit/limit"
)

// Plan is how Auto, or Compile, came to its way of counting: what it expected,
// and why it chose.
type Plan struct {
	// Sweep and Search are what the engines were expected to take, for a
	// diagram with what it takes to make it of levels or of a list. They are
	// nil where that was not looked into, or where the engine cannot.
	Sweep, Search *Forecast
	// Dimer is what determinants were expected to take; nil where that was not looked into, or
	// where the problem has none.
	Dimer *DimerForecast

	Orders  []OrderEstimate // with Watch.Explain: those a sweep had to choose from, the one it takes first
	Bounds  *Bounds         // with Watch.Explain: what bounds cost a sweep; nil where that is little
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
	// cost is what plans compare: seconds of one core of the machine that the
	// constants were measured on. So a plan depends neither on what else the machine
	// does nor on the number of threads.
	cost float64
	most float64 // of a search: cost is seldom so many times as much; see search.Estimate
}

// OrderEstimate is how many states a sweep in some order is expected to meet.
type OrderEstimate struct {
	// Order is an index into the problem's Orders; at their number and above are
	// breadth-first walks from item to item.
	Order  int
	States float64
}

// Bounds are what the bounds of items cost a sweep, for those who may do without.
type Bounds struct {
	Costs []BoundCost // the dearest first; at least one
	// Without is what a sweep is expected to take of the same problem without these
	// bounds; its count is another one.
	Without *Forecast
}

// BoundCost is what the bounds of one item cost.
type BoundCost struct {
	Item   int
	Name   string // the item's
	Values int    // numbers of uses that states tell apart: they are up to so many times as many
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
//	              ▲               │ it has taken what was expected, and by the part of the
//	              │               │ tree that is done the rest of it takes more than the sweep's
//	              │               ▼
//	              └────────────── next level, as long as the rest is expected to be cheaper
//
// Both engines keep what they have done while the other has its turn, so what is lost is what
// the slower one did: of a search little more than its forecast if that was far too low (Y
// pentominoes on 15x15 in a box of 45: 18 s once, for a sweep of 10), and of a sweep whose
// forecasts are far too low a third of the better engine's cost (promise.keep). A sweep whose
// forecast is far too high shows it in its first levels. So a search begins only when the sweep has
// cost a hundredth of what the search is expected to cost.
//
// A sweep out of memory, or too wide to start, leaves the search, unless that
// is hopeless. This one pass decides for counts (race.go), for diagrams, made from
// levels or from a list (plan_diagram.go), and for what is drawn from (rank.go).
//
// Costs are counted, not measured: states and tries, times what one costs by the
// constants here and in package search. (Measured by the clock beside another
// program, a state of a sweep took from one to seven times as long as alone, and
// plans changed from run to run: the Tetris cube's search, given up for a sweep of
// months, took 130 s in place of 48.)
type limits struct {
	// first is the cost of what is compiled before anything is swept.
	first float64
	// short is the cost of a search that is begun before anything is swept, with all caution.
	short float64
	// firstStates are swept before anything else is tried.
	firstStates int64
	// patience is how many times what it costs to probe the rest of the sweep
	// is expected to cost before it is done.
	patience float64
	// fewProbes tell that a search is far behind the sweep, and no more.
	fewProbes int
	// manyProbes are sent before a search is begun that is not way ahead.
	manyProbes int
	// overrun is how many times its forecast the search may take, at first.
	overrun float64
	// reach is how many times the cost of a search so far the rest of the sweep may
	// be expected to cost for the sweep to have a turn.
	reach float64
	// turn is the cost of a turn, at least, and leastTries are those of a search's
	// turn, for forecasts of short ones are none.
	turn       float64
	leastTries float64
	// hopeless is the cost of a search that is not begun.
	hopeless float64
	// trialStates are swept before the frontier is chosen for a diagram
	// without probing on, fewer if it is clearly the faster.
	trialStates int64
	// stateCost is the cost of a state; if it is 0, what price makes of the levels.
	stateCost float64
	// probesSay and levelsSay are what forecasts are multiplied by: tests have them say
	// too little or too much.
	probesSay, levelsSay float64
}

var usual = limits{
	first:       0.025,   // a sweep of pentominoes takes 10 ms to begin
	short:       0.06,    // with 0.025 solid pentominoes on 2x3x10 took 78 ms for 65, those of 8x8 with a hole 43 for 31
	firstStates: 1 << 12, // a third of a millisecond
	patience:    2.5,
	fewProbes:   16,
	manyProbes:  64,
	overrun:     10,
	reach:       10,
	turn:        0.05,
	leastTries:  1 << 14,
	hopeless:    3e8, // ten years
	trialStates: 1 << 18,
	probesSay:   1,
	levelsSay:   1,
}

// goal is what a plan is for.
type goal struct {
	inFirstOrder bool    // the order of the sweep
	sweeps       float64 // what is made of the levels costs so many sweeps
	solution     float64 // and what is made of a solution that a search finds, so much
}

const (
	arcsCost   = 3    // times a sweep (8x8 pentominoes and a square: 30 s of 10)
	arcsMore   = 1.5  // times what the first levels say, which is more often too little (4x15 pentominoes: 44 ms of 123; a list takes 58)
	listedCost = 1e-6 // seconds a solution (8x8 dominoes: 11 s for 13 million)
)

var (
	toCount   = goal{sweeps: 1}
	toCompile = goal{inFirstOrder: true, sweeps: arcsCost, solution: listedCost}
)

// planner is one choice between engines under way.
type planner struct {
	limits
	goal
	p         *cover.Problem
	o         Options
	plan      *Plan
	work      *work
	disk      string
	orders    []automaton.Cost // of the sweep, to be told
	sweep     *sweeper         // nil: too wide, or given up
	priced    bool             // stateCost was given
	perState  float64          // see sweep.StateCost
	perBlock  float64          // see sweep.BlockCost
	rates     []float64        // seconds a state by the clock, of the last levels
	swept     float64          // seconds by the clock, of all levels so far
	space     *search.Space
	prober    *search.Prober
	refused   bool    // no room for a space
	probing   float64 // what the probes may have cost so far
	solutions float64 // as many as the probes expect

	dimers *dimers // nil: the problem has none, or nobody has looked
	looked bool    // for dimers
	taken  bool    // the dimers are

	hunt       *search.Hunt // nil: not begun
	hunted     float64      // what it has cost
	perTry     float64      // what a try of it costs
	huntShown  Progress
	toldOfHunt func(Progress)
	promise    promise // what the sweep said last of its rest
}

func newPlanner(p *cover.Problem, o Options, g goal, l limits) *planner {
	pl := &planner{limits: l, goal: g, p: p, o: o, disk: o.Disk, plan: &Plan{}, work: newWork(o.Progress)}
	pl.priced = l.stateCost != 0
	pl.o.Disk = "" // until it is known that a search is no better
	pl.o.Progress = pl.work.part(1, Progress{})
	return pl
}

// begin begins the sweep. What is too wide for one is told by ErrTooWide.
func (pl *planner) begin(ctx context.Context) (err error) {
	if pl.inFirstOrder {
		pl.sweep, err = newSweeper(ctx, pl.p, pl.o, true)
	} else {
		pl.sweep, err = beginSweep(ctx, pl.p, pl.o)
	}
	if err != nil {
		pl.sweep = nil
		return err
	}
	pl.value()
	return nil
}

// trial sweeps up to so many states, or to the end, and probes on the way. It
// returns true as soon as a search is expected to be done before the rest of the
// sweep.
func (pl *planner) trial(ctx context.Context, states int64, each func()) (searchPays bool, err error) {
	for !pl.sweep.done() && pl.sweep.states() < states {
		each()
		if err := pl.sweepLevel(ctx); err != nil {
			return false, err
		}
		if pl.dimersPay(ctx); pl.taken {
			return false, nil
		}
		if pays, err := pl.searchPays(ctx); pays || err != nil {
			return pays, err
		}
		if pl.inFirstOrder && pl.outOfReach() {
			return false, nil
		}
	}
	return false, nil
}

func (pl *planner) sweepLevel(ctx context.Context) error {
	start, before, order := time.Now(), pl.sweep.states(), pl.sweep.automaton
	err := pl.sweep.step(ctx)
	took := time.Since(start).Seconds()
	pl.swept += took
	if pl.price(); pl.sweep.automaton != order {
		pl.value()
		pl.promise, pl.plan.Sweep = promise{}, nil // the other order has said nothing yet
	}
	if states := pl.sweep.states() - before; states >= rateStates {
		pl.rates = append(pl.rates[max(0, len(pl.rates)+1-rateLevels):], took/float64(states))
	}
	return err
}

// searchPays reports whether the search is expected to be done before the rest of
// the sweep. It probes, if the sweep is not short: first a few times, and if the
// search might be the faster, more often.
func (pl *planner) searchPays(ctx context.Context) (bool, error) {
	if pl.sweep.done() || pl.sweep.states() < pl.firstStates {
		return false, nil
	}
	rest := pl.rest()
	if pl.inFirstOrder {
		rest *= arcsMore
	}
	if pl.space == nil && rest < pl.patience*pl.probeCost() {
		return false, nil
	}
	if err := pl.probe(ctx, pl.fewProbes, pl.spent()/probeShare); err != nil {
		return false, err
	}
	if f := pl.plan.Search; f == nil || pl.ofSearch() >= rest {
		return false, nil
	}
	least, share := pl.manyProbes, float64(closeShare)
	if pl.cautious() < rest/wayAhead { // so that a forecast which is far too low is no harm
		least, share = pl.fewProbes, aheadShare
	}
	if err := pl.probe(ctx, least, 0); err != nil {
		return false, err
	}
	if pl.ofSearch() < rest && (pl.cautious() >= rest/byFar || least == pl.fewProbes) {
		if err := pl.probe(ctx, least, pl.plan.Search.cost/share); err != nil {
			return false, err
		}
	}
	if pl.inFirstOrder {
		return pl.ofSearch() < rest, nil
	}
	return pl.cautious() < rest && pl.spent() >= min(pilotCost, pl.ofSearch()/pilotShare), nil
}

const (
	// probeShare: the first probes cost one of so many parts of what the sweep has cost,
	// closeShare: those before a search one of so many of what it is expected to. (8x8 and a square
	// took 1.15 s with 10 for both and a pilotShare of 50, and takes 1.10.)
	probeShare, closeShare = 10, 25
	// byFar is how many times cheaper a search is by far, which needs no closer look.
	byFar = 3
	// A search is not begun before the sweep has cost so much, or one of so many parts of
	// what the search is expected to: the more levels it has met, the better its forecast is.
	pilotCost, pilotShare = 0.3, 100
	// wayAhead is how many times cheaper few probes must find it to be enough; they
	// then cost one of aheadShare parts. (Soma cube: 28 times, 16 probes of 0.2 ms in
	// all, 64 of 1 ms; it takes 3.)
	wayAhead, aheadShare = 10, 50
)

// because says why the present engine is taken.
func (pl *planner) because(format string, args ...any) { pl.plan.Reason = fmt.Sprintf(format, args...) }

// present is the plan as it is now, with an engine at work.
func (pl *planner) present(e Engine) *Plan {
	p := *pl.plan
	p.Engine = e
	p.Sweep, p.Search = p.Sweep.clone(), p.Search.clone()
	if e != Diagram {
		p.Orders = pl.orderEstimates()
		return &p
	}
	p.Orders, p.Bounds = nil, nil // a diagram has the first order
	if p.Sweep != nil {
		p.Sweep.Seconds *= arcsCost
	}
	if p.Search != nil {
		p.Search.Seconds += listedCost * pl.solutions
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

// compileSpace makes the search ready, if there is room for it beside the sweep. A
// problem that the search cannot hold has no space.
func (pl *planner) compileSpace(ctx context.Context) error {
	if pl.space != nil || pl.refused && pl.sweep != nil { // the sweep does not get smaller
		return nil
	}
	s, err := space(ctx, pl.p, pl.besideSweep())
	if errors.Is(err, ErrMemory) {
		pl.refused = true
		return nil
	}
	if err == nil {
		pl.space, pl.prober = s, s.Prober(probeSeed)
	}
	return err
}

// probeSeed is that of all probes: the same problem is planned the same way.
const probeSeed = 1

// besideSweep is the options of a search while a sweep that was put aside keeps
// its levels.
func (pl *planner) besideSweep() Options {
	o := pl.o
	if pl.sweep != nil && pl.sweep.run != nil {
		o.Memory = limit.Left(o.Memory, pl.sweep.run.Effort().Bytes)
	}
	return o
}

// finite makes a number that is too large to be one the largest.
func finite(x float64) float64 { return min(x, math.MaxFloat64) }
