package count

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/frontier"
)

// Estimation is what counting is expected to take, told before it begins.
type Estimation struct {
	Sweep  *SweepEstimate // nil: no order of the items has states of 255 bits or less
	Search *Forecast      // nil: there is no memory for it, or it is too deep to be probed
}

// SweepEstimate is what a sweep is expected to take.
type SweepEstimate struct {
	// States by level. Those up to level Exact are certain: they were made.
	States []float64
	Exact  int
	Total  float64 // of States
	Error  float64 // its standard error, relative; 0: certain, or not known
	Peak   int     // the largest level
	// Bytes for levels, arcs that are kept and buffers at the peak.
	Bytes   float64
	Seconds float64         // by the clock, with the threads that were asked for
	Orders  []OrderEstimate // that of the above first, then others that were looked into
}

// OrderEstimate is how many states a sweep in some order is expected to meet.
type OrderEstimate struct {
	// Order is an index into the problem's Orders; at their number and above are
	// breadth-first walks from item to item.
	Order  int
	States float64
}

// estimateSeed is that of all estimates: the same problem is told the same.
const estimateSeed = 1

// Estimate tells what Count is expected to take, by each engine: of a sweep the
// first levels are made and the others sampled, a search is probed. It takes
// seconds for problems that take minutes or more, and much less for small ones.
// Errors are Count's.
func Estimate(ctx context.Context, p *cover.Problem, o Options) (*Estimation, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	e := &Estimation{}
	var err error
	if e.Sweep, err = estimateSweep(ctx, p, o); err != nil && !errors.Is(err, ErrTooWide) {
		return nil, err
	}
	o.Progress = nil
	pl := newPlanner(p, o, usual)
	pl.spent = searchProbes * probeShare
	if err := pl.probes(ctx); err != nil {
		return nil, err
	}
	e.Search = pl.plan.Search
	return e, nil
}

// searchProbes is for the probes of an estimate of a search.
const searchProbes = time.Second / 2

func estimateSweep(ctx context.Context, p *cover.Problem, o Options) (*SweepEstimate, error) {
	if Unbalanced(p) {
		return &SweepEstimate{}, nil
	}
	c := frontier.Config{Threads: o.Threads, Memory: o.Memory}
	choices, err := frontier.Choose(ctx, p, c, frontier.Quick(estimateSeed), frontier.Careful(estimateSeed))
	if err != nil {
		return nil, err
	}
	if len(choices) == 0 {
		return &SweepEstimate{}, nil
	}
	best := choices[0].Estimate
	s := &SweepEstimate{
		States: best.States, Exact: best.Exact, Total: best.Total(), Error: best.Error,
		Bytes: best.Bytes, Seconds: best.Seconds, Orders: orderEstimates(choices),
	}
	s.Peak, _ = best.Peak()
	return s, nil
}

func orderEstimates(choices []frontier.Choice) []OrderEstimate {
	all := make([]OrderEstimate, len(choices))
	for i, c := range choices {
		all[i] = OrderEstimate{c.Index, c.Estimate.Total()}
	}
	return all
}

// survey says when the order of a sweep is looked into.
type survey struct {
	// states it must have met, and rest it must seem to have before it: an
	// estimate takes a third of a second, the states a second or more.
	states int64
	rest   float64
	// doubtful is the rest that is then expected for other orders to be looked
	// into: these take seconds, and so many states ten.
	doubtful float64
}

var usualSurvey = survey{states: 1 << 24, rest: 1 << 25, doubtful: 1 << 28}

// clearlyFewer states are worth beginning again.
const clearlyFewer = 0.7

// reconsider looks into the order of a sweep that turns out to be large, once,
// and begins again in another that is expected to have clearly fewer states
// than are left.
func (s *sweeper) reconsider(ctx context.Context) error {
	if s.settled || s.done() || s.states() < s.survey.states ||
		s.automaton.Remaining(s.meter.step, s.run.States()) < s.survey.rest {
		return nil
	}
	s.settled = true
	e, err := s.automaton.Foresee(ctx, s.run, frontier.Quick(estimateSeed))
	if err != nil {
		return err
	}
	s.foreseen = e
	rest := e.Remaining(s.meter.step, s.run.States())
	if rest < s.survey.doubtful {
		return nil
	}
	choices, err := frontier.Choose(ctx, s.p, frontier.Config{Threads: s.o.Threads}, frontier.Quick(estimateSeed), frontier.Closer(estimateSeed))
	if err != nil || len(choices) < 2 {
		return err
	}
	s.orders = orderEstimates(choices)
	if best := choices[0]; best.Estimate.Total() < clearlyFewer*rest && !slices.Equal(best.Order, s.automaton.Order) {
		s.begin(best.Automaton)
		s.foreseen = best.Estimate
	}
	return nil
}

// order is the order of a sweep that was not looked into, and what is expected
// in it, for those who want to be told.
func (pl *planner) order() []OrderEstimate {
	s := pl.sweep
	if s == nil || s.automaton == nil || pl.plan.Sweep == nil {
		return nil
	}
	k := slices.IndexFunc(pl.p.Orders, func(order []int) bool {
		n := 0
		for _, i := range order {
			if pl.p.Items[i].Max != 1 {
				continue
			}
			if n == len(s.automaton.Order) || s.automaton.Order[n] != i {
				return false
			}
			n++
		}
		return true
	})
	if k < 0 {
		k = len(pl.p.Orders)
	}
	return []OrderEstimate{{k, pl.plan.Sweep.States}}
}
