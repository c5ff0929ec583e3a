package count

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/automaton"
)

// Estimate returns a plan with a forecast for each engine, without counting. It probes a search for
// 0.1 s, and sweeps levels for 0.5 s, both on one core. If ctx has a deadline, the probes get at
// most a third of the time, and the sweep at most half of the time that then remains. A search that
// is too deep for a probe has no forecast. If determinants can count a large board, only they
// have a forecast. Estimate returns the errors of Count.
func Estimate(ctx context.Context, p *cover.Problem, o Options) (*Plan, error) {
	if err := p.Check(ctx); err != nil {
		return nil, err
	}
	return forecasts(ctx, p, o, toCount)
}

// Sooner reports whether the estimate ran for over 1 s and a count is expected to take less time.
func (p *Plan) Sooner() bool {
	return p.Seconds > 1 && (p.Sweep != nil && p.Sweep.Seconds < p.Seconds ||
		p.Search != nil && p.Search.Seconds < p.Seconds || p.Dimer != nil && p.Dimer.Seconds < p.Seconds)
}

const (
	// Estimate sweeps levels until they have cost sweepLooks, and makes probes until they have cost
	// probeLooks, in seconds of one core. A single probe may cost ten times probeLooks.
	sweepLooks, probeLooks  = 0.5, 0.1
	sweepShare, searchShare = 2, 3
)

// forecasts returns the forecasts of all engines. It adds up the forecasts of the parts, but
// Orders, Bounds and Levels are from the largest part. If an engine has no forecast for some part,
// its forecast is nil.
func forecasts(ctx context.Context, p *cover.Problem, o Options, g goal) (*Plan, error) {
	s, err := apart(ctx, p, Auto, true)
	if err != nil {
		return nil, err
	}
	if s == nil {
		return forecastsOfPart(ctx, p, o, g)
	}
	all, largest := &Plan{Sweep: &SweepForecast{}, Search: &SearchForecast{}}, -1
	if !s.Impossible { // if there is no part, the sweep has one state
		all.Sweep = &SweepForecast{States: 1, Levels: []float64{1}}
	}
	var parts []PartResult
	for q, times := range different(s) {
		parts = append(parts, PartResult{Times: times, Items: len(q.Items), Options: len(q.Options)})
		of, err := forecastsOfPart(ctx, q, o, g)
		if err != nil {
			return nil, err
		}
		sum := of
		if largest >= 0 {
			sum = all.plus(of)
		}
		if len(q.Options) <= largest {
			of = all
		}
		largest = max(largest, len(q.Options))
		sum.Orders, sum.Bounds = of.Orders, of.Bounds
		if sum.Sweep != nil {
			sum.Sweep.Levels, sum.Sweep.Exact = of.Sweep.Levels, of.Sweep.Exact
		}
		all = sum
	}
	all.Parts = parts
	return all, nil
}

func (p *Plan) plus(q *Plan) *Plan {
	sum := &Plan{Seconds: p.Seconds + q.Seconds}
	if x, y := p.Sweep, q.Sweep; x != nil && y != nil {
		sum.Sweep = &SweepForecast{
			States: x.States + y.States, Seconds: x.Seconds + y.Seconds, Error: max(x.Error, y.Error), Bytes: max(x.Bytes, y.Bytes), cost: x.cost + y.cost,
		}
	}
	if x, y := p.Search, q.Search; x != nil && y != nil {
		sum.Search = &SearchForecast{
			Tries: x.Tries + y.Tries, Seconds: x.Seconds + y.Seconds, Error: max(x.Error, y.Error), cost: x.cost + y.cost, most: max(x.most, y.most),
		}
	}
	if x, y := p.Dimer, q.Dimer; x != nil && y != nil {
		sum.Dimer = &DimerForecast{max(x.Primes, y.Primes), x.Products + y.Products, x.Seconds + y.Seconds}
	}
	return sum
}

func forecastsOfPart(ctx context.Context, p *cover.Problem, o Options, g goal) (*Plan, error) {
	start := time.Now()
	o.Watch = Watch{}
	pl := newPlanner(p, o, g, usual)
	defer pl.endHunt()
	if pl.dimersAtOnce(ctx) {
		pl.plan.Seconds = time.Since(start).Seconds()
		return pl.plan, ctx.Err()
	}
	if err := within(ctx, searchShare, pl.forecastSearch); err != nil {
		return nil, err
	}
	pl.lookForDimers(ctx, o)
	err := pl.begin(ctx)
	if err == nil {
		if err = within(ctx, sweepShare, pl.forecastSweep); err == nil {
			err = pl.forecastOrders(ctx)
		}
	}
	if err != nil && !errors.Is(err, ErrTooWide) {
		return nil, err
	}
	plan := pl.plan
	if g.inFirstOrder {
		plan = pl.present(Diagram)
	}
	plan.Seconds = time.Since(start).Seconds()
	return plan, nil
}

// within calls do with a context that ends after 1/share of the time until the deadline of ctx. If
// only this context ends, within returns no error.
func within(ctx context.Context, share time.Duration, do func(context.Context) error) error {
	short := ctx
	if deadline, ok := ctx.Deadline(); ok {
		var end context.CancelFunc
		short, end = context.WithTimeout(ctx, time.Until(deadline)/share)
		defer end()
	}
	err := do(short)
	if ctx.Err() == nil && short.Err() != nil {
		return nil
	}
	return err
}

// forecastSearch forecasts the search from probes and, if the goal is a count, also from tries.
func (pl *planner) forecastSearch(ctx context.Context) error {
	if Unbalanced(pl.p) {
		pl.plan.Search = &SearchForecast{}
		return nil
	}
	err := pl.probe(ctx, pl.manyProbes, probeLooks)
	if err != nil || pl.inFirstOrder || pl.search.probed == nil {
		return err
	}
	return pl.tryFor(ctx, glimpseCost)
}

// forecastSweep forecasts the sweep from its first levels. It stores the forecast even if ctx ends.
func (pl *planner) forecastSweep(ctx context.Context) error {
	s, levels := pl.sweep, []float64{}
	_, err := s.while(ctx, func() bool {
		levels = append(levels[:s.run.Level()], float64(s.run.States())) // a sweep in a new order begins at level 0
		return s.cost() < sweepLooks
	})
	f := s.forecast()
	pl.plan.Sweep = f
	if s.run == nil {
		return err
	}
	f.Exact, f.Bytes = s.run.Level(), s.bytes(1)
	f.Levels = append(levels[:s.run.Level()], float64(s.run.States()))
	if s.done() {
		f.Exact = s.automaton.Steps()
		f.Levels = append(f.Levels, make([]float64, s.automaton.Steps()+1-len(f.Levels))...)
	} else {
		f.Levels = append(f.Levels, s.automaton.Behind(s.run.Level(), float64(s.run.States()))...)
	}
	return err
}

// forecastOrders forecasts sweeps in other orders. It assumes that states are in proportion to the
// costs of the orders.
func (pl *planner) forecastOrders(ctx context.Context) error {
	s, own := pl.sweep, pl.plan.Sweep.States
	if pl.inFirstOrder || s.run == nil {
		return nil
	}
	if s.change.changed() {
		pl.plan.Orders = slices.Clone(s.change.orders)
		pl.plan.Orders[0].States = own
	} else {
		orders, err := automaton.Costs(ctx, pl.p)
		if err != nil {
			return err
		}
		for _, c := range orders {
			pl.plan.Orders = append(pl.plan.Orders, Order{Order: c.Index, States: own * c.Cost / orders[0].Cost})
		}
	}
	var err error
	pl.plan.Bounds, err = costOfBounds(ctx, pl.p, s.automaton, pl.o)
	return err
}

func explained(ctx context.Context, p *cover.Problem, e Engine, o Options) (*Result, error) {
	whole, err := o.explain(ctx, p, e)
	if err != nil {
		return nil, err
	}
	asked := &Plan{Engine: e, Reason: "it was asked for"}
	if e == Sweep || e == Search || e == Dimer {
		o.told(*asked)
	}
	start := time.Now()
	r, err := countPart(ctx, p, e, o)
	if err != nil {
		return nil, err
	}
	if r.Plan == nil {
		r.Plan = asked
		r.Plan.Seconds = time.Since(start).Seconds()
	}
	r.Plan = whole(r.Plan)
	return r, nil
}

func (o *Options) explain(ctx context.Context, p *cover.Problem, e Engine) (whole func(*Plan) *Plan, err error) {
	g := toCount
	if e == Diagram {
		g = toCompile
	}
	f, err := forecasts(ctx, p, *o, g)
	if err != nil {
		return nil, err
	}
	whole = func(p *Plan) *Plan {
		c := *p
		c.Sweep, c.Search, c.Dimer = cmp.Or(p.Sweep, f.Sweep), cmp.Or(p.Search, f.Search), cmp.Or(p.Dimer, f.Dimer)
		c.Bounds, c.Orders = f.Bounds, slices.Clone(f.Orders)
		for i := range c.Orders { // the forecast of the sweep in p is better than the one in f
			c.Orders[i].States *= c.Sweep.States / max(1, f.Sweep.States)
		}
		return &c
	}
	o.Explain = false
	if told := o.Planned; told != nil {
		o.Planned = func(p *Plan) { told(whole(p)) }
	}
	return whole, nil
}

// A state has a counter for each item with several possible numbers of uses, such as a piece. If
// each of 12 pieces may be used 0 to 3 times, the counters multiply the states by up to 4^12.

const (
	// Bounds that together multiply the states by at most cheapBounds are not reported.
	cheapBounds = 1000
	// boundStates is the number of states to sweep for the forecast without bounds.
	boundStates = 1 << 16
)

// costOfBounds returns nil for cheap bounds. It ignores items that are used at most once.
func costOfBounds(ctx context.Context, p *cover.Problem, a *automaton.Automaton, o Options) (*Bounds, error) {
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
	o.Watch = Watch{}
	s, err := beginSweep(ctx, &relaxed, o)
	if errors.Is(err, ErrTooWide) {
		return b, nil
	}
	if err == nil {
		_, err = s.while(ctx, s.below(boundStates))
	}
	if err == nil {
		b.Without = s.forecast()
	}
	return b, err
}
