package count

import (
	"context"
	"errors"
	"time"

	"github.com/pavage/pavage/bdd"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/search"
)

// A diagram is built from the arcs between levels, at the cost of three sweeps (arcsCost), or from
// a list of the solutions, at the cost of a search and of the listing (listedCost). The list is
// given up if it costs far more than expected or does not fit in memory.

func compileValid(ctx context.Context, p *cover.Problem, o Options) (*Compiled, error) {
	s, err := apart(ctx, p, Auto, true)
	if err != nil {
		return nil, err
	}
	if s != nil {
		return compileParts(ctx, p, s, o)
	}
	return compilePart(ctx, p, o)
}

func compileParts(ctx context.Context, p *cover.Problem, s *cover.Split, o Options) (*Compiled, error) {
	all := newJoint(s, Auto, o)
	of, held := map[*cover.Problem]*Compiled{}, int64(0)
	for q, times := range different(s) {
		c, err := compilePart(ctx, q, all.within(q, held))
		if err != nil {
			return nil, err
		}
		of[q] = c
		held += c.Bytes()
		all.add(q, times, &c.Result)
	}
	return join(ctx, p, s, func(k int) *Compiled { return of[s.Parts[k].Problem] }, o, all.Result)
}

func join(ctx context.Context, p *cover.Problem, s *cover.Split, part func(k int) *Compiled, o Options, effort Result) (*Compiled, error) {
	if s.Impossible {
		d, err := bdd.Empty(0)
		if err != nil {
			return nil, err
		}
		return compiled(ctx, p, d, nil, o, newWork(o.Progress), effort)
	}
	taken, err := bdd.NewList(len(s.Taken), bdd.Limits{})
	if err != nil {
		return nil, err
	}
	every := make([]int, len(s.Taken))
	for v := range every {
		every[v] = v
	}
	if err := taken.Add(every); err != nil {
		return nil, err
	}
	d, err := taken.Diagram(ctx)
	if err != nil {
		return nil, err
	}
	diagrams, options := []*bdd.Diagram{d}, append([]int{}, s.Taken...)
	for k := range s.Parts {
		c := part(k)
		diagrams = append(diagrams, c.Diagram)
		for _, v := range c.Options {
			options = append(options, s.Parts[k].Options[v])
		}
	}
	if d, err = bdd.Join(diagrams, bdd.Limits{Bytes: o.Memory}); err != nil {
		return nil, err
	}
	return compiled(ctx, p, d, options, o, newWork(o.Progress), effort)
}

func compilePart(ctx context.Context, p *cover.Problem, o Options) (*Compiled, error) {
	return newPlanner(p, o, toCompile, usual).compile(ctx)
}

func (pl *planner) compile(ctx context.Context) (*Compiled, error) {
	start := time.Now()
	if err := pl.choose(ctx); err != nil {
		return nil, err
	}
	c, err := pl.compileChosen(ctx)
	if err == nil {
		c.Result.Plan.Seconds = time.Since(start).Seconds()
	}
	return c, err
}

// choose sweeps the first levels to decide whether a list is faster. It reports no progress.
func (pl *planner) choose(ctx context.Context) error {
	told := pl.o.Progress
	pl.o.Progress = nil
	defer func() { pl.o.Progress = told }()
	err := pl.begin(ctx)
	if errors.Is(err, ErrTooWide) {
		pl.because(tooWide)
		err := pl.probeLong(ctx)
		pl.plan.Listed = pl.plan.Search != nil
		return err
	}
	if err != nil {
		return err
	}
	engine, err := pl.trial(ctx, pl.trialStates, func() {})
	pl.plan.Listed = engine == Search
	switch {
	case err != nil && !errors.Is(err, cover.ErrMemory):
		return err
	case pl.plan.Listed:
		pl.because("a search is expected to be faster than a sweep")
	case pl.plan.Search == nil || pl.sweep.done():
		pl.because("the sweep is so fast that no comparison is worth the time")
	case pl.ofSearch() < pl.rest():
		pl.because("a search is not expected to be much faster")
	default:
		pl.because("a sweep is expected to be faster than a search")
	}
	return nil
}

func (pl *planner) compileChosen(ctx context.Context) (*Compiled, error) {
	tries := int64(0) // 0 means no limit
	if pl.plan.Listed && pl.sweep != nil {
		tries = pl.tries(pl.firstTurn(pl.rest()))
	}
	pl.sweep = nil
	pl.tell(Diagram)
	c, err := pl.compileList(ctx, tries)
	if err == nil && c == nil {
		c, err = compileSwept(ctx, pl.p, pl.o)
	}
	if err != nil {
		return nil, err
	}
	c.Result.Plan = pl.present(Diagram)
	return c, nil
}

// compileList builds the diagram from a list. It returns nil if the plan did not choose a list, if
// the list needs more than the given number of tries, or if it does not fit in memory.
func (pl *planner) compileList(ctx context.Context, tries int64) (*Compiled, error) {
	if !pl.plan.Listed {
		return nil, nil
	}
	list := func(ctx context.Context, o Options, yield func([]int) bool) error {
		h := pl.search.space.Hunt(ctx, searchOptions(o, "states"), yield)
		defer h.End()
		_, err := h.Run(tries)
		return err
	}
	c, err := compileListed(ctx, pl.p, pl.o, list)
	if !errors.Is(err, search.ErrLimit) && !errors.Is(err, cover.ErrMemory) {
		return c, err
	}
	pl.because("a search was slower than expected")
	pl.plan.Listed = false
	pl.tell(Diagram)
	pl.o.Progress = pl.work.part(1, Progress{})
	return nil, nil
}
