package count

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/engine/sweep"
)

// value finds what the sweep's order costs a state.
func (pl *planner) value() {
	if a := pl.sweep.automaton; a != nil {
		moves := a.MeanMoves() - 1
		pl.perState, pl.perBlock = sweep.StateCost(a.Words, moves), sweep.BlockCost(a.Words, moves)
	}
	pl.price()
}

// price sets the cost of a state by those so far, unless it is given. States of levels that
// were jumped are told apart: package sweep knows what they cost.
func (pl *planner) price() {
	if !pl.priced {
		pl.stateCost = pl.perState + pl.perBlock*float64(pl.sweep.blocks)/float64(max(1, pl.sweep.carried()))
	}
}

// spent is the cost of the sweep so far.
func (pl *planner) spent() float64 {
	return pl.stateCost*float64(pl.sweep.carried()) + pl.sweep.effort().JumpCost
}

// rest is the cost of what is to be made of the rest of the sweep. It notes the
// forecast.
func (pl *planner) rest() float64 {
	s := pl.sweep
	if s.done() {
		if pl.plan.Sweep == nil {
			pl.plan.Sweep = &Forecast{States: float64(s.states()), Seconds: pl.swept, cost: pl.spent()}
		}
		return 0
	}
	// How many states the rest meets, and what each of them costs.
	rest, each := pl.levelsSay*s.automaton.Remaining(s.run.Level(), s.run.States()), pl.stateCost
	if e := s.effort(); s.run.Jumping() && e.Jumped > 0 { // it goes on to jump as it did so far
		rest, each = rest*float64(e.Jumped)/float64(e.Waited), e.JumpCost/float64(e.Jumped)
	}
	rest = pl.promise.keep(float64(s.states()), rest)
	pl.plan.Sweep = &Forecast{
		States:  float64(s.states()) + rest,
		Seconds: pl.swept + rest*pl.rate(),
		cost:    pl.spent() + rest*each,
	}
	return pl.sweeps * rest * each
}

// promise is an earlier forecast of a sweep, made when it had met at most half as many states as
// now: how many states it had met, done, and how many it expected to meet still, rest. It is
// broken if it was far too low.
type promise struct {
	done, rest float64
	at         float64 // states met when it was last looked at
	broken     bool    // by then
}

// keep returns how many states a sweep still has to meet, by its forecast of now and its last
// promise. If it has met far more states since then than were left by the promise, nobody knows
// how many are left. Then three times as many as it has met are taken to be left. So a better
// engine has its turn when the sweep has cost a third as much.
func (p *promise) keep(done, rest float64) float64 {
	if done != p.at {
		p.at, p.broken = done, p.done > 0 && done-p.done > brokenBy*p.rest
		if p.done == 0 || done > 2*p.done {
			p.done, p.rest = done, rest
		}
	}
	if p.broken {
		return max(rest, brokenRest*done)
	}
	return rest
}

// brokenBy is how many times what was said to be left must have been met. Forecasts are
// good to a factor of three.
const (
	brokenBy   = 4
	brokenRest = 3
)

// rate is the seconds that a state takes by the clock: the median of some levels, for
// a machine with other things to do interrupts now this one, now that. It is told,
// and decides nothing.
func (pl *planner) rate() float64 {
	if len(pl.rates) == 0 {
		return pl.swept / float64(max(1, pl.sweep.states()))
	}
	rates := slices.Sorted(slices.Values(pl.rates))
	return rates[len(rates)/2]
}

const (
	rateLevels = 9
	rateStates = 256 // of a level that tells
)

// ofSearch is the expected cost of the search and of what is to be made of it.
func (pl *planner) ofSearch() float64 { return pl.plan.Search.cost + pl.solution*pl.solutions }

// cautious is a cost that the search seldom passes.
func (pl *planner) cautious() float64 {
	f := pl.plan.Search
	return f.cost*f.most + pl.solution*pl.solutions
}

// probeCost is what it costs to compile a search and to probe it a few times.
// (7 + 6 ms for 6x10 pentominoes, 1.2 + 2 ms for a Soma cube, which takes 3; 15 + 2
// ms for 20x20 dominoes.)
func (pl *planner) probeCost() float64 {
	options, items := float64(len(pl.p.Options)), float64(len(pl.p.Items))
	cost := min(pruneCost, pairCost*options*items) + optionCost*options
	if len(pl.p.Orders) > 0 {
		cost += chartCost
	}
	return cost
}

const (
	pairCost   = 5e-8 // an item and an option, in pruning
	pruneCost  = 0.05 // at most
	optionCost = 3e-6
	// chartCost is to see whether a board has a small chart. (Without it the planner probed
	// triangles on 9x7 for 2 ms, which are swept in 2.2.)
	chartCost = 1.5e-3
)

// probe probes the search until so many probes are sent in all, and until they have
// cost so much or more would not tell more. A problem that the search cannot hold, or
// that is too deep for a single probe, has no forecast.
func (pl *planner) probe(ctx context.Context, least int, cost float64) error {
	if pl.prober != nil && (pl.outOfReach() || least <= pl.fewProbes && cost < 2*pl.probing) {
		return nil // nothing new is to be learnt, or not yet
	}
	if err := pl.compileSpace(ctx); err != nil || pl.space == nil {
		return err
	}
	pl.probing = max(pl.probing, cost)
	work := time.Duration(min(cost, 3600) * float64(time.Second))
	e, err := pl.prober.Probe(ctx, least, work)
	if err == nil && e.Probes > 0 {
		pl.perTry = e.Seconds / max(1, e.Tries)
		e.Seconds *= pl.probesSay
		e.Tries *= pl.probesSay
		pl.solutions = finite(e.Solutions)
		pl.plan.Search = &Forecast{
			Seconds: finite(e.Seconds / float64(pl.o.threads())),
			States:  finite(e.Tries), cost: finite(e.Seconds), most: finite(e.Most), Error: e.Error,
		}
		if !(e.Error < math.Inf(1)) {
			pl.plan.Search.Error = 0
		}
	}
	return err
}

// outOfReach reports that better probes would not make the search the faster.
func (pl *planner) outOfReach() bool {
	p := pl.plan
	return p.Sweep != nil && p.Search != nil && p.Search.cost > clearly*pl.sweeps*p.Sweep.cost
}

// clearly is how many times slower than the sweep a search is out of reach.
const clearly = 1000

// probeLong probes for a tenth of a second, when there is nothing else to do.
func (pl *planner) probeLong(ctx context.Context) error {
	return pl.probe(ctx, pl.manyProbes, 0.1)
}

// tries is how many a search may make for a cost.
func (pl *planner) tries(cost float64) int64 {
	return int64(min(1e18, max(pl.leastTries, cost/max(1e-12, pl.perTry))))
}

// firstTurn is the cost after which a search that was begun gives the sweep a turn:
// several times its own forecast; but what the rest of the sweep costs, if that is
// less, and never before the sweep is within reach. So a sweep whose own forecast is
// hopeless has no turn.
func (pl *planner) firstTurn(rest float64) float64 {
	f := pl.ofSearch()
	return max(pl.turn, min(2, pl.overrun)*f, min(pl.overrun*f, rest), rest/pl.reach)
}

// completeForecasts looks into what the plan was made without.
func (pl *planner) completeForecasts(ctx context.Context) error {
	if pl.plan.Sweep == nil && pl.sweep != nil {
		pl.rest()
	}
	if err := pl.lookAtOrders(ctx); err != nil {
		return err
	}
	pl.plan.Orders = pl.orderEstimates()
	if pl.plan.Search == nil {
		return pl.forecastSearch(ctx, 0)
	}
	return nil
}

// forecastSearch probes the search for those who want to know, whatever is chosen. To
// see that areas differ, a search tries nothing: see searched.
func (pl *planner) forecastSearch(ctx context.Context, cost float64) error {
	if Unbalanced(pl.p) {
		pl.plan.Search = &Forecast{}
		return nil
	}
	return pl.probe(ctx, pl.manyProbes, cost)
}

// lookAtOrders finds what the orders cost that the sweep's was chosen from, and what
// bounds do, if it is to be told.
func (pl *planner) lookAtOrders(ctx context.Context) (err error) {
	if !pl.o.Explain || pl.orders != nil || pl.sweep == nil || pl.sweep.automaton == nil {
		return nil
	}
	if pl.orders, err = automaton.Costs(ctx, pl.p); err == nil && !pl.inFirstOrder {
		pl.plan.Bounds, err = costOfBounds(ctx, pl.p, pl.sweep.automaton, pl.o)
	}
	return err
}

// orderEstimates are those that the sweep's was chosen from, its own first, with what
// is expected in them: as many times the states of its own as they are expected to
// cost.
func (pl *planner) orderEstimates() (all []OrderEstimate) {
	if pl.plan.Sweep == nil {
		return nil
	}
	if pl.orders != nil && pl.sweep != nil && pl.sweep.change.changed() {
		all = slices.Clone(pl.sweep.change.orders)
		all[0].States = pl.plan.Sweep.States
		return all
	}
	for _, c := range pl.orders {
		all = append(all, OrderEstimate{c.Index, pl.plan.Sweep.States * c.Cost / pl.orders[0].Cost})
	}
	return all
}
