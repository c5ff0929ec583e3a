package job

import (
	"context"
	"errors"
	"math/big"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/tiling"
)

// subject is the tilings that a question is about: the solutions of a model, or those in a compiled file.
type subject struct {
	model    *tiling.Model
	compiled *compiledFamily // nil for a puzzle
	work     *work
}

// solutions makes the set of all tilings, with the weights of the request, for a use, and fills in the
// answer how, and the number or the weight of the tilings.
func (r *Query) solutions(ctx context.Context, w *work, s *subject, use count.Use, to *Queried) (count.Set, error) {
	weights, err := weightsOf(s.model, r.Weights)
	if err != nil {
		return nil, err
	}
	var set count.Set
	switch {
	case s.compiled == nil:
		o := w.options(Compiling)
		o.Engine, o.Weights = r.engine(), weights
		set, to.Reason, err = count.Solve(ctx, s.model.Problem, use, o)
	case use == count.ForRanks && weights == nil:
		set, to.Reason, err = s.compiled.ranked(ctx, w)
	default:
		to.Reason = "the diagram is there"
		var c *count.Compiled
		if c, err = s.compiled.load(ctx, w); err != nil {
			return nil, err
		}
		if set = c; weights != nil {
			set, err = c.Weigh(ctx, weights, w.limits.Memory)
		}
	}
	if errors.Is(err, count.ErrNotDimers) {
		err = bad("{method} is %s: %w", queryDimer, err)
	}
	if err != nil {
		return nil, aboutWeights(err)
	}
	report := set.Report()
	to.Method = map[count.Engine]string{count.Diagram: queryDiagram, count.Sweep: queryLevels, count.Dimer: queryDimer}[report.Engine]
	to.Effort, to.Bytes, to.Count = effortOf(report), report.Bytes, numeral(set.Count())
	if weights != nil {
		to.Weight = set.Weight().RatString()
	}
	return set, nil
}

// having are the marginals of the tilings that have at least one of some placements, and the sum of
// their weights: all less those that have none of them.
func having(ctx context.Context, set count.Set, all *count.Marginals, options []int) (*count.Marginals, error) {
	without, err := set.Without(ctx, options)
	if err != nil {
		return nil, err
	}
	none, err := without.Marginals(ctx)
	if err != nil {
		return nil, err
	}
	m := &count.Marginals{Total: new(big.Rat).Sub(all.Total, none.Total), Of: make([]*big.Rat, len(all.Of))}
	for o := range m.Of {
		m.Of[o] = new(big.Rat).Sub(all.Of[o], none.Of[o])
	}
	return m, nil
}
