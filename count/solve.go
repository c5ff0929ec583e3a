package count

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/dimer"
)

// Use is what a Set is for.
type Use int

// The uses.
const (
	ForRanks     Use = iota // ranks, draws that have ranks, and sums: a diagram or levels
	ForWeight               // the weight of all and without some: determinants too
	ForMarginals            // marginals too: determinants too
	ForDraws                // draws alone, which need no ranks: a coupling too
)

// Solve makes the representation of all solutions that suits a use, and says why, in words to be read
// after "since".
//
// A diagram is preferred. Levels take its place where it would begin with more than walkStates
// states, unless the solutions are few enough to be listed, and where it turns out not to fit in
// Limits.Memory. Determinants are taken where they are expected to take less than a sweep, and a
// coupling where a walk through levels would be too long. Options.Engine may be Diagram, Sweep for
// levels or, for sums, Dimer. Errors are those of Count, or wrap ErrWeights, or ErrNotDimers
// where Dimer is asked for.
func Solve(ctx context.Context, p *cover.Problem, use Use, o Options) (s Set, reason string, err error) {
	if err := p.Check(ctx); err != nil {
		return nil, "", err
	}
	w, err := makeWhole(p, o.Weights)
	if err != nil {
		return nil, "", err
	}
	if o.Explain {
		whole, err := o.explain(ctx, w.Problem, Diagram)
		if err != nil {
			return nil, "", err
		}
		if s, reason, err = Solve(ctx, p, use, o); err == nil && s.Report().Plan != nil {
			s.Report().Plan = whole(s.Report().Plan)
		}
		return s, reason, err
	}
	var g *dimer.Graph // that a coupling could draw from
	switch auto := o.Engine == "" || o.Engine == Auto; {
	case (use == ForWeight || use == ForMarginals) && (auto || o.Engine == Dimer):
		d, err := determine(ctx, p, w, use, o)
		if d == nil && err == nil || auto && errors.Is(err, cover.ErrMemory) {
			break
		}
		if err != nil {
			return nil, "", err
		}
		if auto {
			return d, "determinants take less than a diagram or levels", nil
		}
		return d, "they were asked for", nil
	case use == ForDraws && auto && o.Weights == nil:
		if g, err = dimer.Read(ctx, p); err != nil && !errors.Is(err, ErrNotDimers) {
			return nil, "", err
		}
		if g == nil || g.Breadth() <= coupledBreadth {
			break
		}
		c, err := couple(ctx, g, o)
		if !errors.Is(err, ErrNotDimers) {
			return c, fmt.Sprintf("a sweep would remember about %d cells at once", g.Breadth()), err
		}
		g = nil // not planar, or some pairs of cells have more options than others
	}
	s, reason, err = diagramOrLevels(ctx, p, w, g, o)
	if errors.Is(err, cover.ErrMemory) && g != nil {
		if c, err := couple(ctx, g, o); !errors.Is(err, ErrNotDimers) {
			return c, "levels did not fit in memory", err
		}
	}
	return s, reason, err
}

// diagramOrLevels makes the diagram, the levels, or a coupling of a graph that would take less.
func diagramOrLevels(ctx context.Context, p *cover.Problem, w *wholeWeights, g *dimer.Graph, o Options) (Set, string, error) {
	c, reason, err := diagramUnlessLarge(ctx, w.Problem, &o)
	if err != nil {
		return nil, "", err
	}
	if c != nil && w.Weights == nil {
		return c, reason, nil
	}
	if c != nil {
		s, err := c.weigh(ctx, w, o.Memory)
		return s, reason, err
	}
	if o.Engine != Sweep && g != nil && Predict(ctx, p, Sweep).States > coupledStates {
		if c, err := couple(ctx, g, o); !errors.Is(err, ErrNotDimers) {
			return c, reason, err
		}
	}
	if o.Engine != Sweep {
		o.told(Plan{Engine: Sweep, Reason: "its levels are walked back through: " + reason})
	}
	h, err := remember(ctx, w, o)
	if err != nil {
		return nil, "", err
	}
	return h, reason, nil
}

// diagramUnlessLarge makes the diagram, or says why levels are to be made. Then the rest of the
// progress is o's.
func diagramUnlessLarge(ctx context.Context, p *cover.Problem, o *Options) (*Compiled, string, error) {
	switch o.Engine {
	case "", Auto:
	case Diagram:
		c, err := compileValid(ctx, p, *o)
		return c, "it was asked for", err
	case Sweep:
		return nil, "they were asked for", nil
	default:
		return nil, "", fmt.Errorf("%w %q, want one of %q", errEngine, o.Engine, []Engine{Auto, Sweep, Diagram})
	}
	start := time.Now()
	pl := newPlanner(p, *o, toCompile, usual)
	if err := pl.choose(ctx); err != nil {
		return nil, "", err
	}
	walk, reason, err := pl.walkPays(ctx)
	if err != nil || walk {
		return nil, reason, err
	}
	c, err := pl.compileChosen(ctx)
	if errors.Is(err, cover.ErrMemory) {
		o.Progress = pl.work.part(1, Progress{})
		return nil, "a diagram did not fit in memory", nil
	}
	if err != nil {
		return nil, "", err
	}
	c.Result.Plan.Seconds = time.Since(start).Seconds()
	return c, reason, nil
}

const (
	// walkStates take a diagram 5 s and half a gigabyte, a walk half a second
	// and a tenth. (16x16 dominoes and monominoes, 15 million states: 11 s and
	// 0.74 GB, 1.9 GB with Go's own; 0.6 s and 0.1 GB. A draw takes the walk
	// longer: of 20x20 dominoes 0.2 ms.)
	walkStates = 1 << 23
	// sampleStates are swept to forecast how many there are: this many give it
	// to a factor of three (20x20 dominoes, 61 million: 27; 10x10 tetrominoes,
	// 42 million: 20), a quarter of them to one of ten.
	sampleStates = 1 << 20
)

// walkPays reports whether a diagram would be too large, and why, or why not. It
// goes on with the levels that the plan was made of.
func (pl *planner) walkPays(ctx context.Context) (bool, string, error) {
	if pl.plan.Listed || pl.sweep == nil { // nil: too wide for a walk, too
		return false, "the solutions are few enough to be listed", nil
	}
	full, err := pl.sweep.while(ctx, pl.sweep.below(sampleStates))
	switch {
	case err != nil:
		return false, "", err
	case full:
		return true, "a level of the diagram's order does not fit in memory", nil
	case pl.sweep.done():
		return false, fmt.Sprintf("there are only %d states", pl.sweep.states()), nil
	}
	pl.rest()
	states := pl.plan.Sweep.States
	if states <= walkStates {
		return false, fmt.Sprintf("about %.2g states are few enough", states), nil
	}
	return true, fmt.Sprintf("a diagram would begin with about %.2g states", states), nil
}
