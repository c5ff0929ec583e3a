package count

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/dimer"
	"github.com/pavage/pavage/internal/kit/wording"
)

// Use says which methods of a Set will be called.
type Use int

const (
	ForRanks     Use = iota // ranks, draws with ranks, and sums, by a diagram or levels
	ForWeight               // Weight, and Weight of the Sums from Without; determinants are allowed, too
	ForMarginals            // Weight and Marginals; determinants are allowed, too
	ForDraws                // draws without ranks; Matchings are allowed, too
)

// Solve returns the best representation of the solutions for a use. The reason for the choice is
// worded to follow the word "since".
//
// Solve prefers a diagram. It returns levels if the diagram does not fit in Limits.Memory, or if it
// would have over diagramStates states before its reduction. (It still returns a diagram if a list
// of the solutions is faster.) Solve returns determinants if they are expected to be faster than a
// sweep, and Matchings if a sweep would be too slow. Options.Engine may be Diagram, or Sweep, which
// selects levels. For sums it may also be Dimer. Errors wrap ErrWeights or ErrNotDimers, or are
// errors of Count.
func Solve(ctx context.Context, p *cover.Problem, use Use, o Options) (s Set, reason string, err error) {
	if err := p.Check(ctx); err != nil {
		return nil, "", err
	}
	w, err := makeWhole(p, o.Weights)
	if err == errScale && use == ForDraws && (o.Engine == "" || o.Engine == Auto) {
		m, failed := Match(ctx, p, Fastest, o)
		if failed == nil {
			return m, "the weights are too long for a sweep, and " + m.Reason, nil
		}
		err = cmp.Or(ctx.Err(), err)
	}
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
	split, err := apart(ctx, w.Problem, o.Engine, w.Weights == nil)
	if err != nil {
		return nil, "", err
	}
	if split != nil {
		return solveParts(ctx, w, split, use, o)
	}
	return solvePart(ctx, p, w, use, o)
}

func solvePart(ctx context.Context, p *cover.Problem, w *wholeWeights, use Use, o Options) (s Set, reason string, err error) {
	var g *dimer.Graph // nil if Matchings are not possible
	switch auto := o.Engine == "" || o.Engine == Auto; {
	case (use == ForWeight || use == ForMarginals) && (auto || o.Engine == Dimer):
		d, err := determine(ctx, p, w, use, o)
		if d == nil && err == nil || auto && (errors.Is(err, cover.ErrMemory) || errors.Is(err, ErrNotDimers)) {
			break
		}
		if err != nil {
			return nil, "", err
		}
		if auto {
			return d, "determinants cost less than a diagram or a sweep", nil
		}
		return d, "they were asked for", nil
	case use == ForDraws && auto:
		if g, err = dimer.Read(ctx, p); err != nil && !errors.Is(err, ErrNotDimers) {
			return nil, "", err
		}
		if g == nil || g.Breadth() <= uncountedBreadth {
			break
		}
		m, err := match(ctx, newMatcher(p.Places, g, o), Fastest)
		if err == nil {
			return m, broad(g.Breadth(), m), nil
		}
		if !errors.Is(err, ErrNotDimers) {
			return nil, "", err
		}
		g = nil // Matchings are not possible, since the problem is not planar, for example
	}
	c, reason, err := diagramUnlessLarge(ctx, w.Problem, &o)
	switch {
	case err != nil || c == nil:
	case w.Weights == nil:
		return c, reason, nil
	default:
		if s, err = c.weigh(ctx, w, o.Memory); err == nil {
			return s, reason, nil
		}
	}
	if err != nil && (g == nil || !errors.Is(err, cover.ErrMemory)) {
		return nil, "", err
	}
	if g != nil {
		if err != nil {
			reason = "levels did not fit in memory"
		}
		m, failed := match(ctx, newMatcher(p.Places, g, o), Fastest)
		switch {
		case failed == nil:
			return m, reason + ", and " + m.Reason, nil
		case err != nil:
			return nil, "", err
		case !errors.Is(failed, ErrNotDimers):
			return nil, "", failed
		}
	}
	if o.Engine != Sweep {
		o.told(Plan{Engine: Sweep, Reason: "its levels are kept: " + reason})
	}
	h, err := remember(ctx, w, o)
	if err != nil {
		return nil, "", err
	}
	return h, reason, nil
}

func broad(breadth int, m *Matchings) string {
	return fmt.Sprintf("a sweep would remember about %d cells at once, and %s", breadth, m.Reason)
}

// diagramUnlessLarge returns the diagram, or nil and the reason to prefer levels. If it returns
// nil, o.Progress reports only the rest of the progress, which is for the levels.
func diagramUnlessLarge(ctx context.Context, p *cover.Problem, o *Options) (*Compiled, string, error) {
	switch o.Engine {
	case "", Auto:
	case Diagram:
		c, err := compilePart(ctx, p, *o)
		return c, "it was asked for", err
	case Sweep:
		return nil, "they were asked for", nil
	default:
		return nil, "", fmt.Errorf("%w %q, expected %s", errEngine, o.Engine, wording.List([]Engine{Auto, Sweep, Diagram}))
	}
	start := time.Now()
	pl := newPlanner(p, *o, toCompile, usual)
	if err := pl.choose(ctx); err != nil {
		return nil, "", err
	}
	levels, reason, err := pl.sweepPays(ctx)
	if err != nil || levels {
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
	// diagramStates is the largest forecast of states for which a diagram is built. With so many
	// states, a diagram costs 5 s and 0.5 GB, and a sweep costs 0.5 s and 0.1 GB.
	diagramStates = 1 << 23
	// sampleStates is the number of states that are swept before the total is forecast. This
	// forecast is accurate to a factor of three.
	sampleStates = 1 << 20
)

// sweepPays continues pl.sweep. It reports whether a diagram would be too large, and the reason.
func (pl *planner) sweepPays(ctx context.Context) (bool, string, error) {
	if pl.plan.Listed || pl.sweep == nil { // pl.sweep is nil if the states are too wide
		return false, "the solutions are few enough to be listed", nil
	}
	full, err := pl.sweep.while(ctx, pl.sweep.below(sampleStates))
	switch {
	case err != nil:
		return false, "", err
	case full:
		return true, "a level of the diagram's order does not fit in memory", nil
	case pl.sweep.done():
		return false, fmt.Sprintf("the sweep has only %s", wording.Plural(pl.sweep.states(), "state")), nil
	}
	pl.rest()
	states := pl.plan.Sweep.States
	if states <= diagramStates {
		return false, fmt.Sprintf("about %.2g states are few enough for a diagram", states), nil
	}
	return true, fmt.Sprintf("a diagram would begin with about %.2g states", states), nil
}
