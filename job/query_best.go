package job

import (
	"context"
	"iter"
	"math/big"

	"github.com/pavage/pavage/bdd"
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
	f, err := q.family(ctx, w, s, to)
	if err != nil {
		return err
	}
	if err := w.begin(m.Puzzle); err != nil {
		return err
	}
	left := r.number()
	if left == 0 {
		return nil
	}
	for one, err := range r.ordered(ctx, w, f.ranked) {
		if err != nil {
			return outOfMemory(err)
		}
		if err := w.tiling(f.weighed(one.Set)); err != nil {
			return err
		}
		if to.Written++; to.Written == left {
			return nil
		}
	}
	return nil
}

// number is how many tilings are wanted.
func (r *bestQuestion) number() Whole {
	if r.Best != nil {
		return *r.Best
	}
	return *r.Worst
}

// ordered are the tilings in the order of their weights, the wanted end first.
func (r *bestQuestion) ordered(ctx context.Context, w *work, from *count.Ranked) iter.Seq2[bdd.Weighed, error] {
	d, memory := from.Compiled.Diagram, w.limits.Memory
	if memory > 0 {
		memory = max(1, memory-d.Bytes())
	}
	if r.Best != nil {
		return d.Best(ctx, from.ByVariable, memory)
	}
	return d.Worst(ctx, from.ByVariable, memory)
}

// weighed is the tiling of a set of variables, with its weight. Variables behind those of
// the puzzle are left out.
func (f *family) weighed(set []int) render.Tiling {
	options, weight := []int{}, big.NewRat(1, 1)
	for _, v := range set {
		o := f.ranked.Compiled.Options[v]
		if o >= len(f.model.Problem.Options) {
			continue
		}
		options = append(options, o)
		if f.options.Weights != nil && f.options.Weights[o] != nil {
			weight.Mul(weight, f.options.Weights[o])
		}
	}
	return of(f.model, options, render.Tiling{Weight: weight})
}
