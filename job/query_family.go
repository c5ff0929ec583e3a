package job

import (
	"context"
	"errors"
	"math/big"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/query"
	"github.com/pavage/pavage/tiling"
)

// family is all tilings that a question is about, in a form that can be asked about them:
// a diagram, or the levels of a sweep.
type family struct {
	model   *tiling.Model
	words   *query.Index
	options count.Options // with the weights
	ranked  *count.Ranked
}

// family makes the one of the request, and says in the answer how.
func (r *Query) family(ctx context.Context, w *work, m *tiling.Model, to *Queried) (*family, error) {
	f := &family{model: m, words: query.Of(m), options: w.options(new(float64))}
	f.options.Progress = w.engine(Compiling, new(float64))
	f.options.Engine = r.engine()
	var err error
	if f.options.Weights, err = query.Weights(m, r.Weights); err != nil {
		return nil, bad("{weights}: %w", err)
	}
	f.ranked, err = count.Rank(ctx, m.Problem, f.options)
	switch {
	case errors.Is(err, count.ErrWeights):
		return nil, bad("{weights}: %w", err)
	case err != nil:
		return nil, err
	}
	f.describe(to)
	return f, nil
}

// describe fills in what the answer says of all tilings, and of the work.
func (f *family) describe(to *Queried) {
	to.Method, to.Reason = queryDiagram, f.ranked.Reason
	switch c := f.ranked.Compiled; {
	case c == nil:
		to.Method = queryLevels
		to.Effort.States, to.Bytes = f.ranked.History.Effort()
	default:
		to.Effort, to.Bytes = effortOf(&c.Result), c.Result.Bytes
		to.Count = c.Result.Count.String()
	}
	if f.options.Weights != nil {
		to.Weight = f.total().RatString()
	} else {
		to.Count = f.total().RatString()
	}
}

// total is the number of the tilings, or their weight.
func (f *family) total() *big.Rat { return f.ranked.Weight() }

// having is the part of the family that has at least one of these placements.
func (f *family) having(ctx context.Context, options []int) (*family, error) {
	m, err := f.model.WithBounds([]cover.Bound{{Options: options, Min: 1, Max: cover.Unbounded}})
	if err != nil {
		return nil, err
	}
	part := *f
	part.model, part.options.Progress = m, nil
	part.ranked, err = count.Rank(ctx, m.Problem, part.options)
	return &part, err
}
