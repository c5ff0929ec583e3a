package count

import (
	"context"
	"fmt"

	"github.com/pavage/pavage/cover"
)

// Plan has the forecast costs of the engines, and the reason why Auto or Compile chose a method.
type Plan struct {
	Engine Engine `json:"engine"`
	Reason string `json:"reason"` // reason for the choice, to be read after "since"
	// Sweep and Search are nil if no forecast was made or if the engine cannot count. If a
	// diagram is built, Seconds of both includes the time to build it.
	Sweep  *SweepForecast  `json:"sweep,omitempty"`
	Search *SearchForecast `json:"search,omitempty"`
	Dimer  *DimerForecast  `json:"dimer,omitempty" doc:"absent if no forecast was made, or if determinants cannot count the solutions"`
	// Orders and Bounds are set only with Watch.Explain or by Estimate.
	Orders []Order `json:"orders" doc:"orders of a sweep: first the order that it used, then other orders that were compared"`
	Bounds *Bounds `json:"bounds,omitempty" doc:"bounds on copies that multiply the states of a sweep; absent where they cost little"`
	// Parts is set only by Estimate. Its entries have neither Count nor Engine.
	Parts []PartResult `json:"-"`

	Listed  bool    `json:"-"` // whether a diagram is built from a list of the solutions
	Seconds float64 `json:"-"` // elapsed time of the work; 0 until the work ends
}

// SweepForecast is the cost of a finished sweep, or the expected cost of a sweep. The expected cost
// is accurate to a factor of about three once a hundredth of the states has been swept.
type SweepForecast struct {
	States  float64 `json:"states"`
	Seconds float64 `json:"seconds"` // elapsed time with the configured number of threads
	Error   float64 `json:"-"`       // relative standard error of States; 0 if States is exact
	// Only Estimate sets the next fields. Levels has the number of states of each level, which is
	// exact up to level Exact. Bytes is the largest number of bytes held at once.
	Levels []float64 `json:"-"`
	Exact  int       `json:"-"`
	Bytes  float64   `json:"-"`

	cost float64 // States times the assumed cost of a state, in seconds of one core
}

// SearchForecast is the cost of a search as estimated by random probes. It may be far too low.
type SearchForecast struct {
	Tries   float64 `json:"tries"`   // choices to try
	Seconds float64 `json:"seconds"` // elapsed time with the configured number of threads
	Error   float64 `json:"error" doc:"relative standard error of the tries; 0: not known"`

	cost float64 // expected cost in seconds of one core
	most float64 // the search rarely costs more than cost·most, see search.Estimate
}

// Order is an order of the items, with the expected number of states of a sweep in this order.
type Order struct {
	// Order is an index into the problem's Orders. Indices ≥ len(Orders) stand for breadth-first
	// walks from item to item, and for other orders that the planner made.
	Order  int     `json:"order"`
	Name   string  `json:"name"` // set by the caller
	States float64 `json:"states"`
}

// Bounds has the items whose bounds make a sweep slower. Users may be able to omit these bounds.
type Bounds struct {
	Costs   []BoundCost    `json:"costs" doc:"the dearest first"`
	Without *SweepForecast `json:"without,omitempty" doc:"forecast of a sweep without bounds on these pieces; without these bounds, the count is different"`
}

// BoundCost is the cost of the bounds of one item.
type BoundCost struct {
	Item   int    `json:"-"`
	Name   string `json:"piece"`
	Values int    `json:"values" doc:"largest factor by which the bound multiplies the states"`
}

// The planner. A sweep can be forecast only during the sweep, and a search only by probes. Neither
// forecast is reliable. So the planner begins with the sweep, whose work it can always continue:
//
//	sweep the first levels ── done? ──────────────────────────► the count
//	      │ firstStates swept, and probes cost little beside the rest
//	      ▼
//	probe the search tree, begin the search ── done? ─────────► the count
//	      │
//	      ├─ the rest of the sweep is expected to be cheaper: next level, ask again
//	      │
//	      └─ the search is cheaper: put the sweep aside, search ── done ► the count
//	              ▲               │ the search has cost as much as was forecast, and its rest
//	              │               │ is expected to cost more than the rest of the sweep
//	              │               ▼
//	              └────────────── next level, as long as the sweep is expected to be cheaper
//
// The probes cannot predict the effect of the memo of the search, a table of subtrees that it has
// counted. So once the sweep is expected to run for a second, the planner runs the search for a
// hundredth of that time (glimpse) and extrapolates from the share of the tree that is done.
// Forecasts from the first levels or from probes can be far too high: for a search of 0.4 ms, the
// forecast was 50,000 s. So a count is refused only if no sweep is possible and the search is
// hopeless even after a trial.
//
// Each engine keeps its work, so only the work of the slower engine is lost. A search that is given
// up has cost little more than its forecast. If a sweep is given up because its forecast was far
// too low, it has cost about a third of the search's forecast (promise.keep).
//
// If a sweep runs out of memory, or is too wide, the search counts, unless it is hopeless. The
// planner decides for counts in race.go, for diagrams in plan_diagram.go, for sets in solve.go.
//
// Costs are numbers of states and tries times constants. Measured times vary too much: on a busy
// machine a state took up to seven times as long as on an idle one.

// limits are the constants of a planner. Tests change them. Costs are in seconds of one core.
type limits struct {
	// first is the largest cost of compiling and probing a search before any level is swept.
	first float64
	// short is a cost. A search that rarely costs more (see cautious) runs before any level is swept.
	short float64
	// firstStates is the number of states swept before the engines are compared.
	firstStates int64
	// Probes are made if the rest of the sweep costs at least patience times the cost of the probes.
	patience float64
	// fewProbes is the number of probes that show whether a search is far slower than the sweep.
	fewProbes int
	// manyProbes is the number of probes before a search that is not far cheaper than the sweep.
	manyProbes int
	// overrun is the factor by which the first turn of a search may exceed its forecast.
	overrun float64
	// Whatever its forecast is, the first turn of a search may cost 1/reach of the sweep's rest.
	reach float64
	// turn is the least cost of a turn, and leastTries the least number of tries in a turn of a
	// search. Forecasts from shorter turns are misleading.
	turn       float64
	leastTries float64
	hopeless   float64
	// trialStates is the largest number of states swept before the planner chooses between a sweep
	// and a search for a diagram.
	trialStates int64
	// Tests multiply forecasts from probes by probesSay, and forecasts from levels by levelsSay.
	probesSay, levelsSay float64
}

var usual = limits{
	first: 0.025, // a sweep of pentominoes takes 10 ms to begin
	// With 0.06, a count of pentominoes on 8x8 with a hole needs 31 ms, and with 0.025, 43 ms.
	short:       0.06,
	firstStates: 1 << 12, // these states take a third of a millisecond
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
	inFirstOrder bool    // whether the sweep must use the first order of the problem
	sweeps       float64 // cost of reaching the goal by a sweep, divided by the cost of the sweep
	solution     float64 // additional cost in seconds for each solution that a search finds
}

const (
	// arcsCost is the cost of building a diagram from levels, divided by the cost of a sweep.
	arcsCost = 3
	// arcsMore is a factor on forecasts of diagrams from levels, which are often too low.
	arcsMore   = 1.5
	listedCost = 1e-6 // cost in seconds of listing a solution
)

var (
	toCount   = goal{sweeps: 1}
	toCompile = goal{inFirstOrder: true, sweeps: arcsCost, solution: listedCost}
)

type planner struct {
	limits
	goal
	p      *cover.Problem
	o      Options // Disk is empty, since only the method withoutMemory uses the disk
	disk   string
	plan   *Plan
	work   *work
	sweep  *sweeper // nil if the states are too wide, or after the sweep was given up
	search searcher
	dimers *dimers // nil if determinants cannot count, or if looked is false
	looked bool
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

// rest stores a forecast of the sweep. It returns pl.sweeps times the cost of the sweep's rest.
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

// trial sweeps up to a number of states and makes probes. As soon as Search or Dimer is expected to
// finish before the sweep, trial returns that engine. Otherwise it returns Sweep.
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

// searchPays reports whether the search is expected to finish before the sweep. Unless the rest of
// the sweep is short, it makes probes, and more probes if the search might be faster.
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
	if pl.cautious() < rest/wayAhead { // few probes suffice, even if the forecast is far too low
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

func (pl *planner) sure(rest float64) bool {
	return pl.cautious() < rest && pl.sweep.cost() >= min(pilotCost, pl.ofSearch()/pilotShare)
}

const (
	// The first probes may cost 1/probeShare of the cost of the sweep so far. Later probes may
	// cost 1/closeShare of the forecast of the search.
	probeShare, closeShare = 10, 25
	// Later probes may cost at most leastProbing, or as much as the sweep so far if that is more.
	leastProbing = 0.01
	// Probes end if the rest of the sweep costs over byFar times the cautious cost of the search.
	byFar = 3
	// A search begins once the sweep has cost pilotCost, or 1/pilotShare of the search's forecast.
	pilotCost, pilotShare = 0.3, 100
	// If the rest of the sweep costs over wayAhead times the cautious cost of the search, fewProbes
	// probes suffice. More probes may cost 1/aheadShare of the forecast of the search.
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
