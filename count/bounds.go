package count

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/automaton"
)

// A sweep keeps in its states how often each item was used that has bounds of its own,
// as pieces have that may be used so and so many times. Such counters multiply the
// states, and each other: 12x12 with every pentomino 0 to 3 times has 4^12 times as many
// states, or nearly, as with any number of them. So plans name what counters cost.

const (
	// cheapBounds multiply the states by so much at most, together, and are not told.
	cheapBounds = 1000
	// boundStates are swept to forecast what there is without bounds.
	boundStates = 1 << 16
)

// costOfBounds is nil where bounds cost little. Items that are used at most once are not
// among them: a problem without those bounds is quite another one.
func costOfBounds(ctx context.Context, p *cover.Problem, a *automaton.Automaton, o Options) (*Bounds, error) {
	if a == nil {
		return nil, nil
	}
	b := &Bounds{}
	relaxed := *p
	relaxed.Items = slices.Clone(p.Items)
	all := 1.0
	for _, bound := range a.Bounds() {
		if bound.Values <= 2 {
			continue
		}
		all *= float64(bound.Values)
		b.Costs = append(b.Costs, BoundCost{bound.Item, p.Items[bound.Item].Name, bound.Values})
		relaxed.Items[bound.Item].Min, relaxed.Items[bound.Item].Max = 0, math.MaxInt32
	}
	if all <= cheapBounds {
		return nil, nil
	}
	slices.SortFunc(b.Costs, func(x, y BoundCost) int { return cmp.Or(y.Values-x.Values, x.Item-y.Item) })
	var err error
	b.Without, err = forecastSweep(ctx, &relaxed, o)
	return b, err
}

// forecastSweep is what a sweep is expected to take, told by its first levels; nil if
// it cannot be told.
func forecastSweep(ctx context.Context, p *cover.Problem, o Options) (*Forecast, error) {
	o.Watch = Watch{}
	pl := newPlanner(p, o, toCount, usual)
	if err := pl.begin(ctx); errors.Is(err, ErrTooWide) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	for !pl.sweep.done() && pl.sweep.states() < boundStates {
		if err := pl.sweepLevel(ctx); errors.Is(err, ErrMemory) {
			break
		} else if err != nil {
			return nil, err
		}
	}
	pl.rest()
	return pl.plan.Sweep, nil
}
