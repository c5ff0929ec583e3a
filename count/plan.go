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
	// Sweep and Search are nil if no forecast was made or if the engine cannot count. For a diagram
	// their Seconds include the time to build the diagram.
	Sweep  *SweepForecast  `json:"sweep,omitempty"`
	Search *SearchForecast `json:"search,omitempty"`
	Dimer  *DimerForecast  `json:"dimer,omitempty" doc:"absent if it was not made, or if there are no determinants"`
	// Orders and Bounds are set only with Watch.Explain or by Estimate.
	Orders []Order `json:"orders" doc:"orders of a sweep: first the order that it used, then other orders that were compared"`
	Bounds *Bounds `json:"bounds,omitempty" doc:"bounds on copies that multiply the states of a sweep; absent where they cost little"`
	// Parts is set only by Estimate. Its entries have neither Count nor Engine.
	Parts []PartResult `json:"-"`

	Listed  bool    `json:"-"` // for a diagram: it was built from a list of the solutions
	Seconds float64 `json:"-"` // elapsed time of the work; 0 until its end
}

// SweepForecast is the cost of a finished sweep, or the expected cost of a sweep. The expected cost
// is accurate to a factor of about three once a hundredth of the states has been swept.
type SweepForecast struct {
	States  float64 `json:"states"`
	Seconds float64 `json:"seconds"` // elapsed time with the configured number of threads
	Error   float64 `json:"-"`       // relative standard error of States; 0 if States is exact
	// Levels, Exact and Bytes are set only by Estimate: the states of each level, exact up to level
	// Exact, and the largest number of bytes held at once.
	Levels []float64 `json:"-"`
	Exact  int       `json:"-"`
	Bytes  float64   `json:"-"`

	// cost is in seconds of one core of the machine on which the constants were measured.
	cost float64
}

// SearchForecast is the cost of a search as estimated by random probes. It may be far too low.
type SearchForecast struct {
	Tries   float64 `json:"tries"`   // choices to try
	Seconds float64 `json:"seconds"` // elapsed time with the configured number of threads
	Error   float64 `json:"error" doc:"relative standard error of the tries; 0: not known"`

	cost float64 // as in SweepForecast
	most float64 // the search rarely costs more than most times cost; see search.Estimate
}

// Order is the expected number of states of a sweep in an order.
type Order struct {
	// Order is an index into the problem's Orders. Indices from len(Orders) on are breadth-first
	// walks from item to item, and other orders that the planner made.
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

// The planner. A sweep can be forecast only during the sweep, and a search only by probes. Neither
// forecast is reliable. So the planner begins with the sweep, whose work it can always continue:
//
//	sweep the first levels ── done? ──────────────────────────► the count
//	      │ firstStates swept, and the rest is worth probing
//	      ▼
//	probe the search tree, begin the search ── done? ─────────► the count
//	      │
//	      ├─ the rest of the sweep is expected to be cheaper: next level, ask again
//	      │
//	      └─ the search is cheaper: put the sweep aside, search ── done ► the count
//	              ▲               │ the search has cost as much as was forecast, and its
//	              │               │ rest is expected to cost more than that of the sweep
//	              │               ▼
//	              └────────────── next level, as long as the sweep is expected to be cheaper
//
// The probes cannot predict the effect of the memo of the search, a table of subtrees that it has
// counted. So once the sweep is expected to run for a second, the planner runs the search for a
// hundredth of that time (glimpse) and extrapolates from the share of the tree that is done.
// Forecasts from the first levels may be too high by any factor (2e9 years for parts of a network
// that take 0.2 s), and so may forecasts from probes (50,000 s for a search of 0.4 ms). So a count
// is refused only if no sweep is possible and the search is hopeless even after a trial.
//
// Each engine keeps its work, so only the work of the slower engine is lost. A search that is given
// up has cost little more than its forecast. A sweep that is given up after a far too low forecast
// has cost about a third of the search's forecast (promise.keep).
//
// If a sweep runs out of memory, or is too wide, the search counts, unless it is hopeless. The
// planner decides for counts in race.go, for diagrams in plan_diagram.go, for sets in solve.go.
//
// Costs are numbers of states and tries times constants, since measured times vary. (On a busy
// machine a state took up to seven times as long as on an idle one. The planner then stopped the
// search of the Tetris cube for a sweep of months, and the count ran for 130 s instead of 48 s.)

// limits are the constants of a planner, which tests change. Costs are in seconds of one core.
type limits struct {
	// A search is probed before any level is swept if compiling and probing cost at most first.
	first float64
	// A search runs before any level is swept if its cautious cost is at most short.
	short float64
	// firstStates is the number of states swept before the engines are compared.
	firstStates int64
	// Probes are made once the rest of the sweep costs at least patience times as much as they do.
	patience float64
	// fewProbes probes suffice to detect that a search is far slower than the sweep.
	fewProbes int
	// manyProbes are made before a search begins, unless it is far cheaper than the sweep.
	manyProbes int
	// overrun is the factor by which the first turn of a search may exceed its forecast.
	overrun float64
	// The first turn of a search may cost at least 1/reach of the rest of the sweep.
	reach float64
	// turn is the least cost of a turn, and leastTries its least number of tries. Forecasts from
	// shorter turns are misleading.
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
	first: 0.025, // for comparison: a sweep of pentominoes takes 10 ms to begin
	// Measured: 2x3x10 solid pentominoes count in 65 ms with 0.06 and in 78 ms with 0.025;
	// pentominoes on 8x8 with a hole count in 31 ms and in 43 ms.
	short:       0.06,
	firstStates: 1 << 12, // a sweep of them takes a third of a millisecond
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
	sweeps       float64 // cost of the goal by a sweep, as a multiple of the cost of the sweep
	solution     float64 // seconds to use a solution that a search finds
}

const (
	// arcsCost is the cost of a diagram, as a multiple of the cost of a sweep. Measured:
	// pentominoes and a square on 8x8 take 30 s for a diagram and 10 s for a sweep.
	arcsCost = 3
	// arcsMore is a factor on forecasts of diagrams, which are often too low. Measured: for
	// pentominoes on 4x15, 44 ms were forecast, the diagram took 123 ms, and a list takes 58 ms.
	arcsMore   = 1.5
	listedCost = 1e-6 // seconds to list a solution (8x8 dominoes: 11 s for 13 million solutions)
)

var (
	toCount   = goal{sweeps: 1}
	toCompile = goal{inFirstOrder: true, sweeps: arcsCost, solution: listedCost}
)

type planner struct {
	limits
	goal
	p      *cover.Problem
	o      Options // o.Disk is empty: only withoutMemory uses disk
	disk   string
	plan   *Plan
	work   *work
	sweep  *sweeper // nil if the states are too wide, or after the sweep was given up
	search searcher
	dimers *dimers // nil if determinants cannot count, or if the graph has not been read
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

// rest returns the cost of the rest of the sweep, times goal.sweeps, and stores the forecast.
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

// trial sweeps up to a number of states, or to the end, and makes probes. It returns Search or
// Dimer as soon as that engine is expected to finish before the sweep, otherwise Sweep.
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

// sure reports whether even the cautious cost of the search is below rest, and the sweep has cost
// enough for a choice (see pilotCost).
func (pl *planner) sure(rest float64) bool {
	return pl.cautious() < rest && pl.sweep.cost() >= min(pilotCost, pl.ofSearch()/pilotShare)
}

const (
	// The first probes may cost 1/probeShare of the sweep, later probes 1/closeShare of the search.
	probeShare, closeShare = 10, 25
	// Probes may cost leastProbing, or as much as the sweep so far. (Without this limit, probes
	// took 6 s for a search that was expected to take 160 s and took 10 ms; the sweep took 22 ms.)
	leastProbing = 0.01
	// If the rest of the sweep costs over byFar times the search, no further probes are made.
	byFar = 3
	// A search begins once the sweep has cost pilotCost, or 1/pilotShare of the search's forecast.
	pilotCost, pilotShare = 0.3, 100
	// If the rest of the sweep costs over wayAhead times the search, fewProbes probes are made, and
	// more up to 1/aheadShare of the expected cost of the search. (Soma cube: the ratio is 28; 16
	// probes take 0.2 ms, 64 probes 1 ms, the search 3 ms.)
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
