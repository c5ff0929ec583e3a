package count

import (
	"context"
	"fmt"

	"github.com/pavage/pavage/cover"
)

// Plan has the forecast costs of the engines, and the reason for the choice of Auto or Compile.
type Plan struct {
	Engine Engine `json:"engine"`
	Reason string `json:"reason"` // reason for the choice, to be read after "since"
	// Sweep and Search are forecasts, nil if not made or if the engine cannot count. For a diagram
	// they include the cost of the diagram.
	Sweep  *SweepForecast  `json:"sweep,omitempty"`
	Search *SearchForecast `json:"search,omitempty"`
	Dimer  *DimerForecast  `json:"dimer,omitempty" doc:"absent if it was not made, or if there are no determinants"`
	// Orders and Bounds are set only with Watch.Explain or by Estimate.
	Orders []Order `json:"orders" doc:"orders of a sweep: first the order that it used, then other orders that were compared"`
	Bounds *Bounds `json:"bounds,omitempty" doc:"bounds on copies that multiply the states of a sweep; absent where they cost little"`
	// Parts are set only by Estimate, without Count and Engine.
	Parts []PartResult `json:"-"`

	Listed  bool    `json:"-"` // for a diagram: it was built from a list of the solutions
	Seconds float64 `json:"-"` // elapsed time of the work; 0 until its end
}

// SweepForecast is the cost of a sweep that ended, or the expected cost, which is accurate to a
// factor of about three once a hundredth of the states is swept.
type SweepForecast struct {
	States  float64 `json:"states"`
	Seconds float64 `json:"seconds"` // elapsed time with the configured number of threads
	Error   float64 `json:"-"`       // relative standard error of States; 0: exact, or unknown
	// Levels, Exact and Bytes are set only by Estimate: the states of each level, exact up to level
	// Exact, and the largest number of bytes held at once.
	Levels []float64 `json:"-"`
	Exact  int       `json:"-"`
	Bytes  float64   `json:"-"`

	// cost is in seconds of one core of the machine on which the constants were measured.
	cost float64
}

// SearchForecast is the expected cost of a search, by random probes. It may be far too low.
type SearchForecast struct {
	Tries   float64 `json:"tries"`   // choices to try
	Seconds float64 `json:"seconds"` // elapsed time with the configured number of threads
	Error   float64 `json:"error" doc:"relative standard error of the tries; 0: not known"`

	cost float64 // as in SweepForecast
	most float64 // the cost rarely exceeds cost times most; see search.Estimate
}

// Order is the expected number of states of a sweep in an order.
type Order struct {
	// Order is an index into the problem's Orders. From len(Orders) on, orders are breadth-first
	// walks from item to item, and other orders that were found.
	Order  int     `json:"order"`
	Name   string  `json:"name"` // set by the caller
	States float64 `json:"states"`
}

// Bounds is the cost that bounds of items add to a sweep, for users who can omit the bounds.
type Bounds struct {
	Costs   []BoundCost    `json:"costs" doc:"the dearest first"` // at least one
	Without *SweepForecast `json:"without,omitempty" doc:"forecast of a sweep if these pieces came in any number, which is another count"`
}

// BoundCost is the cost of the bounds of one item.
type BoundCost struct {
	Item   int    `json:"-"`
	Name   string `json:"piece"` // name of the item
	Values int    `json:"values" doc:"largest factor by which the bound multiplies the states"`
}

// The planner. A sweep can be forecast only during the sweep, and a search only by probes; both
// forecasts are doubtful. So the planner starts with the engine whose work it can always continue:
//
//	sweep the first levels ── done? ──────────────────────────► the count
//	      │ firstStates met, and the rest is worth probing
//	      ▼
//	probe the search tree, begin the search ── done? ─────────► the count
//	      │
//	      ├─ the rest of the sweep is expected to be cheaper: next level, ask again
//	      │
//	      └─ the search is: put the sweep aside, search ── done ► the count
//	              ▲               │ its cost has reached its forecast, and by the part of the
//	              │               │ tree that is done its rest costs more than the sweep's
//	              │               ▼
//	              └────────────── next level, as long as the rest is expected to be cheaper
//
// The probes do not see the memo of the search. So once the sweep is expected to run for a second,
// the search is begun for a hundredth of that time (glimpse); then the share of its tree that is
// done gives another forecast. Forecasts from first levels may be too high by any factor (parts of
// a network: 2e9 years for 0.2 s), and so may forecasts from probes (50,000 s for 0.4 ms). So a
// count is refused only if one engine cannot count and the search is hopeless even after a trial.
//
// Each engine keeps its work, so the loss is the work of the slower engine. For a search this is
// little more than its forecast (Y pentominoes on 15x15 in a box of 45: once 18 s, for a sweep of
// 10 s), for a sweep with far too low forecasts a third of the better engine's cost (promise.keep).
// Too high forecasts show early: a search begins when the sweep has cost a hundredth of them.
//
// If a sweep runs out of memory, or is too wide, the search counts, unless it is hopeless. The
// planner also decides for counts (race.go), diagrams (plan_diagram.go) and sets (solve.go).
//
// Costs are numbers of states and tries times constants. (By the clock on a busy machine, a state
// cost one to seven times the idle time, and plans changed from run to run: the Tetris cube's
// search, given up for a sweep of months, ran for 130 s instead of 48 s.)

// limits are the constants of a planner, which tests change. Costs are in seconds of one core.
type limits struct {
	// first is the largest cost of compiling a search before any level is swept.
	first float64
	// short is the largest cautious cost of a search before any level is swept.
	short       float64
	firstStates int64
	// Probes are made once the rest of the sweep costs at least patience times the probes.
	patience float64
	// fewProbes is enough to detect that a search is far slower than the sweep.
	fewProbes int
	// manyProbes are made before a search begins, unless it is far cheaper than the sweep.
	manyProbes int
	// overrun is the factor by which the first turn of a search may exceed its forecast.
	overrun float64
	// A search gets a turn if the rest of the sweep costs at most reach times the search.
	reach float64
	// turn is the least cost of a turn, leastTries the least tries: shorter turns mislead
	// forecasts.
	turn       float64
	leastTries float64
	hopeless   float64
	// trialStates are swept before the planner chooses between a sweep and a search for a diagram,
	// unless the sweep is far faster.
	trialStates int64
	// probesSay and levelsSay are factors by which tests change the forecasts.
	probesSay, levelsSay float64
}

var usual = limits{
	first:       0.025,   // a sweep of pentominoes begins in 10 ms
	short:       0.06,    // at 0.025: 2x3x10 solid pentominoes 78 ms in place of 65, 8x8 with a hole 43 in place of 31
	firstStates: 1 << 12, // swept in a third of a millisecond
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

type goal struct {
	inFirstOrder bool    // use the first order of the problem
	sweeps       float64 // cost of using the levels, in sweeps
	solution     float64 // cost of using each solution found by a search, in seconds
}

const (
	arcsCost   = 3    // in sweeps (8x8 pentominoes and a square: 30 s, a sweep 10 s)
	arcsMore   = 1.5  // for the forecast by levels, often too low (4x15 pentominoes: 44 ms, took 123; a list: 58 ms)
	listedCost = 1e-6 // seconds for each solution (8x8 dominoes: 11 s for 13 million)
)

var (
	toCount   = goal{sweeps: 1}
	toCompile = goal{inFirstOrder: true, sweeps: arcsCost, solution: listedCost}
)

type planner struct {
	limits
	goal
	p      *cover.Problem
	o      Options // Disk is empty until the search turns out to be no better
	disk   string
	plan   *Plan
	work   *work
	sweep  *sweeper // nil: too wide, or given up
	search searcher
	dimers *dimers // nil: the problem has none, or its graph has not been read
	looked bool    // the graph of dimers has been read
}

func newPlanner(p *cover.Problem, o Options, g goal, l limits) *planner {
	pl := &planner{limits: l, goal: g, p: p, o: o, disk: o.Disk, plan: &Plan{}, work: newWork(o.Progress)}
	pl.o.Disk = ""
	pl.o.Progress = pl.work.part(1, Progress{})
	return pl
}

// begin begins the sweep. The error wraps ErrTooWide if the states are too wide.
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

// rest returns the cost of the rest of the sweep, and of a diagram, and stores the forecast.
func (pl *planner) rest() float64 {
	if !pl.sweep.done() || pl.plan.Sweep == nil {
		pl.plan.Sweep = pl.sweep.forecast()
	}
	return pl.sweeps * pl.sweep.rest() * pl.sweep.stateCost()
}

func (pl *planner) step(ctx context.Context) error {
	before := pl.sweep.automaton
	err := pl.sweep.step(ctx)
	if pl.sweep.automaton != before {
		pl.plan.Sweep = nil
	}
	return err
}

// trial sweeps up to a number of states, or to the end, and probes. It returns Search or Dimer as
// soon as this engine is expected to finish before the sweep, otherwise Sweep.
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

// searchPays reports whether the search is expected to finish first. Unless the rest of the sweep
// is short, it makes probes, and more of them if the search might be faster.
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
	if err := pl.glimpse(ctx, rest); err != nil || pl.search.over {
		return pl.search.over, err
	}
	if pl.plan.Search == nil || pl.ofSearch() >= rest {
		return false, nil
	}
	pl.search.promised = true
	if pl.plan.Search != pl.search.probed { // the progress of the search gives a better forecast
		return pl.sure(rest), nil
	}
	least, share := pl.manyProbes, float64(closeShare)
	if pl.cautious() < rest/wayAhead { // even if the forecast is far too low, few probes suffice
		least, share = pl.fewProbes, aheadShare
	}
	if err := pl.probe(ctx, least, 0); err != nil {
		return false, err
	}
	if pl.ofSearch() < rest && (pl.cautious() >= rest/byFar || least == pl.fewProbes) {
		if err := pl.probe(ctx, least, min(pl.plan.Search.cost/share, max(leastProbing, pl.sweep.cost()))); err != nil {
			return false, err
		}
	}
	if pl.inFirstOrder {
		return pl.ofSearch() < rest, nil
	}
	return pl.sure(rest), nil
}

// sure reports whether the search is cheaper even if its forecast is too low by the likely factor.
func (pl *planner) sure(rest float64) bool {
	return pl.cautious() < rest && pl.sweep.cost() >= min(pilotCost, pl.ofSearch()/pilotShare)
}

const (
	// The first probes cost 1/probeShare of the sweep so far, later probes 1/closeShare of the
	// search. (8x8 and a square: 1.10 s; with 10 for both and a pilotShare of 50, 1.15 s.)
	probeShare, closeShare = 10, 25
	// leastProbing is the cost that is always allowed for probes. (Not limited by the sweep, probes
	// cost 6 s for a search expected to run for 160 s, which ran for 10 ms, and a sweep for 22 ms.)
	leastProbing = 0.01
	// byFar is the ratio of costs above which a search is cheaper without further probes.
	byFar = 3
	// A search is begun after the sweep has cost pilotCost, or 1/pilotShare of the search.
	pilotCost, pilotShare = 0.3, 100
	// wayAhead is the ratio of costs above which few probes suffice, at 1/aheadShare of the search.
	// (Soma cube: ratio 28, 16 probes in 0.2 ms, 64 in 1 ms; the search runs for 3 ms.)
	wayAhead, aheadShare = 10, 50
)

func (pl *planner) because(format string, args ...any) { pl.plan.Reason = fmt.Sprintf(format, args...) }

func (pl *planner) present(e Engine) *Plan {
	p := *pl.plan
	p.Engine = e
	if e == Diagram {
		p.Orders, p.Bounds = nil, nil // a diagram uses the first order
		if p.Sweep != nil {
			f := *p.Sweep
			f.Seconds *= arcsCost
			p.Sweep = &f
		}
		if p.Search != nil {
			f := *p.Search
			f.Seconds += listedCost * pl.search.solutions
			p.Search = &f
		}
	}
	return &p
}

func (pl *planner) tell(e Engine) {
	if pl.o.Planned != nil {
		pl.o.Planned(pl.present(e))
	}
}

func (o Options) told(p Plan) {
	if o.Planned != nil {
		o.Planned(&p)
	}
}
