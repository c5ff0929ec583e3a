package count

import (
	"context"
	"errors"
	"time"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/search"
)

// A diagram can be made from the arcs between the levels of a frontier, or from
// a list of all solutions. The one costs three times a sweep in the order of
// the variables, the other a search and the listing; a list that grows beyond
// what was expected, or beyond the memory, is given up for the frontier.
const (
	arcsCost   = 3    // times a sweep (8x8 pentominoes and a square: 30 s of 10)
	listedCost = 1e-6 // seconds a solution (8x8 dominoes: 11 s for 13 million)
)

// compileValid is Compile as countValid is Count.
func compileValid(ctx context.Context, p *cover.Problem, o Options) (*Compiled, error) {
	return newPlanner(p, o, usual).compile(ctx)
}

func (pl *planner) compile(ctx context.Context) (*Compiled, error) {
	start := time.Now()
	pl.cost = arcsCost
	var err error
	if pl.plan.Listed, err = pl.listPays(ctx); err != nil {
		return nil, err
	}
	if pl.o.Explain {
		if err := pl.completeForecasts(ctx); err != nil {
			return nil, err
		}
	}
	pl.sweep = nil
	c, err := pl.compileAsPlanned(ctx)
	if err != nil {
		return nil, err
	}
	c.Result.Plan = pl.present(Diagram)
	c.Result.Plan.Seconds = time.Since(start).Seconds()
	return c, nil
}

func (pl *planner) compileAsPlanned(ctx context.Context) (*Compiled, error) {
	pl.tell(Diagram)
	if pl.plan.Listed {
		c, err := compileListed(ctx, pl.p, pl.o, listSolutions(pl.space, pl.tries()))
		if !errors.Is(err, search.ErrLimit) && !errors.Is(err, ErrMemory) {
			return c, err
		}
		pl.because("a list of the solutions took more than was expected")
		pl.plan.Listed = false
		pl.tell(Diagram)
		pl.o.Progress = pl.work.part(1, Progress{})
	}
	return compileSwept(ctx, pl.p, pl.o)
}

// ofDiagram adds to the forecasts what becomes of levels and solutions.
func (p *Plan) ofDiagram(solutions float64) {
	p.Orders = nil // a diagram has the first
	if p.Sweep != nil {
		p.Sweep.Seconds *= arcsCost
	}
	if p.Search != nil {
		p.Search.Seconds += listedCost * solutions
	}
}

// listPays sweeps the first levels to find out. Nobody is told of their
// progress.
func (pl *planner) listPays(ctx context.Context) (bool, error) {
	var err error
	o := pl.o
	o.Progress = nil
	pl.sweep, err = newSweeper(ctx, pl.p, o, true)
	if errors.Is(err, ErrTooWide) {
		pl.sweep = nil
		pl.because("no order of the items has states of 255 bits or less")
		err := pl.probeLong(ctx)
		return pl.plan.Search != nil, err
	}
	if err != nil {
		return false, err
	}
	for !pl.sweep.done() && pl.sweep.states() < pl.trialStates {
		if err := pl.sweepStep(ctx); errors.Is(err, ErrMemory) {
			break
		} else if err != nil {
			return false, err
		}
		if pl.plan.Search == nil {
			continue
		}
		if pl.plan.Search.Seconds+listedCost*pl.solutions < arcsCost*pl.rest() {
			pl.because("that is expected to take less time than the levels of the frontier")
			return true, nil
		}
		if pl.outOfReach() {
			break
		}
	}
	if pl.plan.Search == nil {
		pl.because("they take so little time that no choice is worth more")
	} else {
		pl.because("they are expected to take less time than a list of the solutions")
	}
	return false, nil
}
