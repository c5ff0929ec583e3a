package count

import (
	"context"
	"fmt"

	"github.com/pavage/pavage/cover"
)

// Plan is what the engines are expected to take, and why Auto, or Compile, chose one.
type Plan struct {
	// Sweep and Search are what the engines are expected to take, for a diagram with what it takes
	// to make it of levels or of a list. They are nil where no forecast was made, or where the
	// engine cannot count.
	Sweep, Search *Forecast
	// Dimer is what determinants take; nil if no forecast was made, or the problem has no determinants.
	Dimer *DimerForecast

	Orders  []OrderEstimate // of a sweep, the one it takes first; with Watch.Explain or Estimate
	Bounds  *Bounds         // what bounds cost a sweep, likewise; nil where that is little
	Engine  Engine
	Listed  bool   // a diagram: it was made from a list of the solutions
	Reason  string // why, to be read after "since"
	Seconds float64
}

// Forecast is what an engine is expected to take. The forecast of a sweep is good to a factor of
// about three once a hundredth is done; the forecast of a sweep that was done before a forecast was worth
// its time is what it took. The forecast of a search, from random probes, is more often too low than too high.
type Forecast struct {
	Seconds float64 // by the clock, with the threads that were asked for
	States  float64 // of a sweep: all levels'; of a search: choices to try
	Error   float64 // relative standard error of States; 0: certain, or not known
	// Of a sweep, by Estimate: States by level, of which those up to level Exact are certain, and
	// the most memory for levels, arcs and buffers.
	Levels []float64
	Exact  int
	Bytes  float64

	// cost is what plans compare: seconds of one core of the machine that the constants were measured
	// on. So a plan depends neither on what else the machine does nor on the number of threads.
	cost float64
	most float64 // of a search: the cost is seldom more than cost times most; see search.Estimate
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
	Item int    `json:"-"`
	Name string `json:"piece"` // the item's
	// Values of the counter of the item; the bound multiplies the states by at most this factor.
	Values int `json:"values" doc:"states are up to so many times as many"`
}

// The planner. The cost of a sweep can be forecast only once the sweep is under way, and the cost of
// a search only by probes; both forecasts are doubtful. So the planner starts
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
// levels or from a list (plan_diagram.go), and for sets of solutions (solve.go).
//
// Costs are counted, not measured: states and tries, times what one costs by the
// constants here and in package search. (Measured by the clock beside another
// program, a state of a sweep took from one to seven times as long as alone, and
// plans changed from run to run: the Tetris cube's search, given up for a sweep of
// months, took 130 s in place of 48.)

// limits are the constants of a planner; tests change them.
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
	// fewProbes are enough to see that a search is far behind the sweep.
	fewProbes int
	// manyProbes are sent before a search is begun that is not way ahead.
	manyProbes int
	// overrun is how many times its forecast the search may take, at first.
	overrun float64
	// reach is how many times the cost of a search so far the rest of the sweep may
	// be expected to cost for the sweep to have a turn.
	reach float64
	// turn is the least cost of a turn, and leastTries are the least tries of a search's turn:
	// forecasts of shorter turns are unreliable.
	turn       float64
	leastTries float64
	// hopeless is the cost of a search that is not begun.
	hopeless float64
	// trialStates are swept before the frontier is chosen for a diagram
	// without probing on, fewer if it is clearly the faster.
	trialStates int64
	// probesSay and levelsSay are what forecasts are multiplied by: tests make them too low or too
	// high.
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
	p      *cover.Problem
	o      Options // without a disk, until it is known that a search is no better
	disk   string
	plan   *Plan
	work   *work
	sweep  *sweeper // nil: too wide, or given up
	search searcher
	dimers *dimers // nil: the problem has none, or nobody has looked
	looked bool    // for dimers
}

func newPlanner(p *cover.Problem, o Options, g goal, l limits) *planner {
	pl := &planner{limits: l, goal: g, p: p, o: o, disk: o.Disk, plan: &Plan{}, work: newWork(o.Progress)}
	pl.o.Disk = ""
	pl.o.Progress = pl.work.part(1, Progress{})
	return pl
}

// begin begins the sweep. The error of a problem that is too wide for one wraps ErrTooWide.
func (pl *planner) begin(ctx context.Context) (err error) {
	s := &sweeper{}
	if pl.inFirstOrder {
		s, err = newSweeper(ctx, pl.p, pl.o, true)
	} else {
		s, err = beginSweep(ctx, pl.p, pl.o)
	}
	if err == nil {
		pl.sweep, s.scale = s, pl.levelsSay
	}
	return err
}

// rest returns the cost of the rest of the sweep and of the diagram, if there is to be one. It stores
// the forecast in the plan.
func (pl *planner) rest() float64 {
	if !pl.sweep.done() || pl.plan.Sweep == nil {
		pl.plan.Sweep = pl.sweep.forecast()
	}
	return pl.sweeps * pl.sweep.rest() * pl.sweep.stateCost()
}

// step makes the next level. A forecast for an order that is given up then is no longer the plan's.
func (pl *planner) step(ctx context.Context) error {
	before := pl.sweep.automaton
	err := pl.sweep.step(ctx)
	if pl.sweep.automaton != before {
		pl.plan.Sweep = nil
	}
	return err
}

// trial sweeps up to a number of states, or to the end, and probes on the way. It returns the engine
// that is expected to be done before the rest of the sweep, as soon as there is one: Search or
// Dimer. Otherwise that is Sweep.
func (pl *planner) trial(ctx context.Context, states int64, each func()) (Engine, error) {
	for !pl.sweep.done() && pl.sweep.states() < states {
		each()
		if err := pl.step(ctx); err != nil {
			return Sweep, err
		}
		if pl.dimersPay(ctx) {
			return Dimer, nil
		}
		if pays, err := pl.searchPays(ctx); pays || err != nil {
			return Search, err
		}
		if pl.inFirstOrder && pl.outOfReach() {
			return Sweep, nil
		}
	}
	return Sweep, nil
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
	if pl.search.space == nil && rest < pl.patience*pl.probeCost() {
		return false, nil
	}
	if err := pl.probe(ctx, pl.fewProbes, pl.sweep.cost()/probeShare); err != nil {
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
	return pl.cautious() < rest && pl.sweep.cost() >= min(pilotCost, pl.ofSearch()/pilotShare), nil
}

const (
	// The first probes cost the cost of the sweep so far over probeShare, and the probes before a
	// search the expected cost of the search over closeShare. (8x8 and a square
	// took 1.15 s with 10 for both and a pilotShare of 50, and takes 1.10.)
	probeShare, closeShare = 10, 25
	// byFar is how many times cheaper a search is by far, which needs no closer look.
	byFar = 3
	// A search is not begun before the sweep has cost pilotCost, or the expected cost of the search
	// over pilotShare: the more levels the sweep has made, the better its forecast is.
	pilotCost, pilotShare = 0.3, 100
	// wayAhead is how many times cheaper few probes must find it to be enough; they
	// then cost one of aheadShare parts. (Soma cube: 28 times, 16 probes of 0.2 ms in
	// all, 64 of 1 ms; it takes 3.)
	wayAhead, aheadShare = 10, 50
)

// because gives the reason to take the present engine.
func (pl *planner) because(format string, args ...any) { pl.plan.Reason = fmt.Sprintf(format, args...) }

// present is the plan as it is now, with an engine at work.
func (pl *planner) present(e Engine) *Plan {
	p := *pl.plan
	p.Engine = e
	p.Sweep, p.Search = p.Sweep.clone(), p.Search.clone()
	if e == Diagram {
		p.Orders, p.Bounds = nil, nil // a diagram has the first order
		if p.Sweep != nil {
			p.Sweep.Seconds *= arcsCost
		}
		if p.Search != nil {
			p.Search.Seconds += listedCost * pl.search.solutions
		}
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

// tell reports the present plan.
func (pl *planner) tell(e Engine) {
	if pl.o.Planned != nil {
		pl.o.Planned(pl.present(e))
	}
}

// told reports a plan to the caller, if Planned is set.
func (o Options) told(p Plan) {
	if o.Planned != nil {
		o.Planned(&p)
	}
}
