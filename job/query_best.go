package job

import (
	"cmp"
	"context"
	"math/big"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/render"
)

// maxBest limits Query.Best and Query.Worst: what is needed to find the next grows with
// those that were found.
const maxBest = 100_000

// bestQuestion asks for the tilings of largest or smallest weight.
type bestQuestion Query

func (r *bestQuestion) check() error {
	switch {
	case r.Best != nil && *r.Best > maxBest:
		return bad("{best} is %d, want at most %d", *r.Best, maxBest)
	case r.Worst != nil && *r.Worst > maxBest:
		return bad("{worst} is %d, want at most %d", *r.Worst, maxBest)
	case r.Method == queryLevels:
		return bad("{method} is %s, and only a diagram tells tilings in the order of their weights: want %s or %s", queryLevels, AutoMethod, queryDiagram)
	case len(r.Weights) == 0 && r.Best != nil:
		return bad("{best} given without {weights}: then all tilings have one weight, want {weights}")
	case len(r.Weights) == 0:
		return bad("{worst} given without {weights}: then all tilings have one weight, want {weights}")
	}
	return nil
}

func (r *bestQuestion) answer(ctx context.Context, w *work, s *subject, to *Queried) error {
	m := s.model
	q := *(*Query)(r)
	q.Method = queryDiagram
	set, err := q.solutions(ctx, w, s, count.ForRanks, to)
	if err != nil {
		return err
	}
	weights, err := weightsOf(m, r.Weights)
	if err != nil {
		return err
	}
	if err := w.begin(m.Puzzle); err != nil {
		return err
	}
	left := *cmp.Or(r.Best, r.Worst)
	if left == 0 {
		return nil
	}
	for options, err := range set.Ordered(ctx, r.Best != nil) {
		if err != nil {
			return err
		}
		weight := big.NewRat(1, 1)
		for _, o := range options {
			if weights != nil && weights[o] != nil {
				weight.Mul(weight, weights[o])
			}
		}
		if err := w.tiling(of(m, options, render.Tiling{Weight: weight})); err != nil {
			return err
		}
		if to.Written++; to.Written == left {
			return nil
		}
	}
	return nil
}
