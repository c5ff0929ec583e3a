package survey

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/automaton"
	"github.com/pavage/pavage/internal/sweep"
)

const (
	// muchBetter is how many times cheaper than the rest of a sweep another order must
	// be expected to be for the sweep to be given up.
	muchBetter = 4
	// leastTried are swept of every other order.
	leastTried = 1 << 12
	// mostTried are swept to find out whether an order is as it was thought to be.
	mostTried = 1 << 18
)

// Other is an order to go over to.
type Other struct {
	automaton.Candidate
	States float64 // expected
	Given  int     // the index of the order that is given up
}

// Better is the order to give up a run for whose levels surprise, see
// automaton.Surprises, nil if none is expected to be much better. The other orders are
// swept for a quarter of the states that the run has met, all of them together, and for a few
// milliseconds where a run soon shows what it is. Bars of all lengths:
//
//	       by crowds alone                     given up for
//	2x23   33.6e6 states  0.81 s               7,914 states  0.02 s
//	3x14   17.9e6         0.39 s              23,240         0.03 s
//	5x12   over 1e9       not done in 90 s   923,800         0.09 s
func Better(ctx context.Context, p *cover.Problem, c sweep.Config, a *automaton.Automaton, run sweep.Run) (*Other, error) {
	all, err := automaton.Candidates(ctx, p, math.Inf(1))
	if err != nil {
		return nil, err
	}
	var best *Other
	given := 0
	most := float64(run.Effort().States)
	rest := a.Remaining(run.Level(), run.States())
	least := rest / muchBetter
	share := max(leastTried, most/float64(4*len(all)))
	surprise, err := surpriseOf(ctx, a, c, share, most+rest)
	if err != nil {
		return nil, err
	}
	for _, x := range all {
		if slices.Equal(x.Order, a.Order) {
			given = x.Index
			continue
		}
		other, _, err := try(ctx, x.Automaton, c, int64(min(share, least)), never)
		if err != nil {
			return nil, err
		}
		states := expected(x.Automaton, other)
		if !ended(x.Automaton, other) {
			states *= surprise
		}
		if states < least {
			best, least = &Other{Candidate: x, States: states}, states
		}
	}
	if best != nil {
		best.Given = given
	}
	return best, nil
}

// surpriseOf is how many times more a run is expected to meet by now than it was after so many
// states, at least once. Other orders that were tried for as many are thought to surprise as much. (Two
// sets of pentominoes on 3x40 meet 20 million states where 4 were expected: all orders look as good at
// first.)
func surpriseOf(ctx context.Context, a *automaton.Automaton, c sweep.Config, states, now float64) (float64, error) {
	run, _, err := try(ctx, a, c, int64(states), never)
	if err != nil {
		return 0, err
	}
	return max(1, now/expected(a, run)), nil
}

// Compile is automaton.CompileToCount, but the order is tried and may be given up for a better one,
// as Better has it. It is for whoever cannot change the order of a run under way.
func Compile(ctx context.Context, p *cover.Problem, c sweep.Config) (*automaton.Automaton, error) {
	a, err := automaton.CompileToCount(ctx, p)
	if err != nil || !a.Feasible {
		return a, err
	}
	run, surprised, err := try(ctx, a, c, mostTried, a.Surprises)
	if err != nil || !surprised {
		return a, err
	}
	other, err := Better(ctx, p, c, a, run)
	if err != nil || other == nil {
		return a, err
	}
	return other.Automaton, nil
}

// doubt is how many times the cost of the best order that of another may be which is worth
// a look: any if the best surprises.
func doubt(ctx context.Context, p *cover.Problem, c sweep.Config) (within float64, err error) {
	a, err := automaton.CompileToCount(ctx, p)
	if err != nil || !a.Feasible {
		return automaton.InDoubt, err
	}
	_, surprised, err := try(ctx, a, c, mostTried, a.Surprises)
	if surprised {
		return math.Inf(1), err
	}
	return automaton.InDoubt, err
}

func never(level, states int) bool { return false }

// try sweeps, without counts, to the end, or until a level is as it is asked for, memory
// ends, or so many states are met, which it does not pass if levels grow as they did last.
func try(ctx context.Context, a *automaton.Automaton, c sweep.Config, states int64, until func(level, states int) bool) (run sweep.Run, met bool, err error) {
	run = sweep.Start(a, sweep.Config{Threads: c.Threads, Memory: c.Memory})
	grown := int64(1) // states of the level at hand for one of the level before
	for !ended(a, run) && run.Effort().States+grown*int64(run.States()) <= states {
		before := run.States()
		if _, err := run.Step(ctx); errors.Is(err, sweep.ErrMemory) {
			return run, false, nil
		} else if err != nil {
			return nil, false, err
		}
		grown = int64(1 + run.States()/before)
		if until(run.Level(), run.States()) {
			return run, true, nil
		}
	}
	return run, false, nil
}

// ended reports that a run has no more states to meet.
func ended(a *automaton.Automaton, run sweep.Run) bool {
	return run.Level() == a.Steps() || run.States() == 0
}

// expected is what a whole run is expected to meet.
func expected(a *automaton.Automaton, run sweep.Run) float64 {
	met := float64(run.Effort().States)
	if ended(a, run) {
		return met
	}
	return met + a.Remaining(run.Level(), run.States())
}
