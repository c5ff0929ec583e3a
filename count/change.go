package count

import (
	"context"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/estimate"
	"github.com/pavage/pavage/internal/engine/sweep"
)

// change changes the order of a sweep whose first levels show that it was badly chosen. Nil:
// the order stays.
type change struct {
	problem *cover.Problem
	options Options
	next    int64           // no look at other orders before so many states
	before  int64           // states in the orders that were given up
	orders  []OrderEstimate // once there was a change: the present order, and those given up
}

// firstLook is how many states for each option are met before the first look, for it makes
// the automata of all orders. (Nonominoes on 6x6, 58,624 options: 2 s, where the search that
// was taken then took 2.)
const firstLook = 50

// look changes the order, where that is worth it.
func (c *change) look(ctx context.Context, s *sweeper) error {
	if c == nil || s.states() < c.next || s.done() || !s.automaton.Surprises(s.run.Level(), s.run.States()) {
		return nil
	}
	c.next = estimate.LookAgain * s.states()
	other, err := estimate.Better(ctx, c.problem, sweep.Config{Threads: c.options.threads(), Memory: c.options.Memory}, s.automaton, s.run)
	if err != nil || other == nil {
		return err
	}
	c.before += s.states()
	given := OrderEstimate{other.Given, float64(s.states()) + s.automaton.Remaining(s.run.Level(), s.run.States())}
	c.orders = append([]OrderEstimate{{other.Index, other.States}, given}, c.orders[min(1, len(c.orders)):]...)
	s.automaton, s.blocks = other.Automaton, 0
	s.meter.ends = foreseen(s.automaton)
	s.meter.goOn(0, c.before)
	s.run = sweep.Start(s.automaton, s.config(c.options))
	return nil
}

// changed reports that the order is not that which the sweep began in.
func (c *change) changed() bool { return c != nil && len(c.orders) > 0 }
