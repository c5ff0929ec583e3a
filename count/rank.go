package count

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"time"

	"github.com/pavage/pavage/bdd"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/limit"
)

// Ranked is all solutions of a problem in a form in which each has a rank, a number
// below their count, and can be had by it: a diagram, or the levels of a sweep.
//
// With Options.Weights a solution has as many ranks as its weight, times one number, the
// scale, that makes all weights whole. So a uniform rank draws by weight. They are the
// ranks 0 ≤ r < Ranks.
type Ranked struct {
	Compiled *Compiled // nil if it is a history. Its Counts are without weights
	History  *History  // nil if it is a diagram
	Reason   string    // why, to be read after "since"
	// ByVariable are the whole weights of the diagram's variables, nil for 1: nil without
	// weights.
	ByVariable []*big.Int
	// Values are the sums of the whole weights of the sets below each node of the diagram;
	// without weights they are its Counts.
	Values *bdd.Counts

	whole  *Whole
	limits Limits // Memory is what is left beside diagram, counts and values
}

// Rank makes a diagram, or keeps the levels of a sweep where a diagram would begin
// with more than walkStates states, unless the solutions are few enough to be
// listed, and where a diagram turns out not to fit in Limits.Memory. Options.Engine may
// be Diagram or Sweep, to have the one or the other. Errors are
// those of Count, and of WholeWeights.
func Rank(ctx context.Context, p *cover.Problem, o Options) (*Ranked, error) {
	return RankUnless(ctx, p, o, func(string) (bool, error) { return false, nil })
}

// RankUnless does what Rank does, but asks before it keeps levels, unless Options.Engine wants them. It tells
// why, to be read after "since". If the answer is true, the result has neither a diagram nor
// a history.
func RankUnless(ctx context.Context, p *cover.Problem, o Options, unless func(reason string) (bool, error)) (*Ranked, error) {
	if err := p.Check(ctx); err != nil {
		return nil, err
	}
	w, err := WholeWeights(p, o.Weights)
	if err != nil {
		return nil, err
	}
	r, err := rank(ctx, w, o, unless)
	if err != nil {
		return nil, err
	}
	return r, r.weigh(ctx, w, o)
}

// Ranked ranks the solutions that are in a diagram, of a problem or of some of its solutions.
// If slack is needed to make fractions whole, the diagram of the Ranked is one with slack.
// Errors are those of WholeWeights, or wrap ErrMemory, or are ctx's.
func (c *Compiled) Ranked(ctx context.Context, p *cover.Problem, o Options) (*Ranked, error) {
	w, err := WholeWeights(p, o.Weights)
	if err != nil {
		return nil, err
	}
	if len(w.Problem.Options) > len(p.Options) {
		if c, err = c.slackened(ctx, w, o); err != nil {
			return nil, err
		}
	}
	r := &Ranked{Compiled: c, Reason: "the diagram is there"}
	return r, r.weigh(ctx, w, o)
}

// weigh gives the diagram's nodes their values.
func (r *Ranked) weigh(ctx context.Context, w *Whole, o Options) error {
	r.whole = w
	if r.Compiled == nil {
		return nil
	}
	r.ByVariable, r.Values = w.of(r.Compiled.Options), r.Compiled.Counts
	r.limits.Memory = limit.Left(o.Memory, r.Compiled.bytes())
	if r.ByVariable == nil {
		return nil
	}
	var err error
	if r.Values, err = r.Compiled.Diagram.Weigh(ctx, r.ByVariable, r.limits.Memory); err != nil {
		return err
	}
	r.limits.Memory = limit.Left(r.limits.Memory, r.Values.Bytes())
	return nil
}

func rank(ctx context.Context, w *Whole, o Options, unless func(string) (bool, error)) (*Ranked, error) {
	c, reason, err := diagramOrLevels(ctx, w.Problem, &o)
	if err != nil {
		return nil, err
	}
	if c != nil {
		return &Ranked{Compiled: c, Reason: reason}, nil
	}
	if o.Engine != Sweep {
		if other, err := unless(reason); other || err != nil {
			return &Ranked{Reason: reason}, err
		}
	}
	o.told(Plan{Engine: Sweep, Reason: "its levels are walked back through: " + reason})
	h, err := remember(ctx, w, o)
	return &Ranked{History: h, Reason: reason}, err
}

// diagramOrLevels makes the diagram, or says that levels are to be made, and why. Then the rest of
// the progress is o's.
func diagramOrLevels(ctx context.Context, p *cover.Problem, o *Options) (*Compiled, string, error) {
	switch o.Engine {
	case "", Auto, Diagram:
	case Sweep:
		return nil, "they were asked for", nil
	default:
		return nil, "", fmt.Errorf("%w %q, want one of %q", ErrEngine, o.Engine, []Engine{Auto, Sweep, Diagram})
	}
	start := time.Now()
	pl := newPlanner(p, *o, toCompile, usual)
	if err := pl.choose(ctx); err != nil {
		return nil, "", err
	}
	walk, reason, err := pl.walkPays(ctx)
	if err != nil || walk && o.Engine != Diagram {
		return nil, reason, err
	}
	c, err := pl.compileChosen(ctx)
	if errors.Is(err, ErrMemory) && o.Engine != Diagram {
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
	// sampleStates are swept to forecast how many there are: so many tell it
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
	for !pl.sweep.done() && pl.sweep.states() < sampleStates {
		if err := pl.sweepLevel(ctx); errors.Is(err, ErrMemory) {
			return true, "a level of the diagram's order does not fit in memory", nil
		} else if err != nil {
			return false, "", err
		}
	}
	if pl.sweep.done() {
		return false, fmt.Sprintf("there are only %d states", pl.sweep.states()), nil
	}
	pl.rest()
	states := pl.plan.Sweep.States
	if states <= walkStates {
		return false, fmt.Sprintf("about %.2g states are few enough", states), nil
	}
	return true, fmt.Sprintf("a diagram would begin with about %.2g states", states), nil
}
