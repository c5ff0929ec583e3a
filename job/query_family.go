package job

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/big"

	"github.com/pavage/pavage/bdd"
	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/limit"
	"github.com/pavage/pavage/tiling"
)

// subject is the tilings that a question is about: the solutions of a model, or those in a compiled file.
type subject struct {
	model    *tiling.Model
	compiled *compiledFamily // nil for a puzzle
	work     *work
}

// family is all tilings that a question is about, in a form that can be asked about them:
// a diagram, or the levels of a sweep.
type family struct {
	model   *tiling.Model
	options count.Options   // with the weights
	all     summed          // what marginals and weights come of: ranked, or determinants
	ranked  *count.Ranked   // nil for determinants
	diagram *count.Compiled // of all the tilings, if parts of the family are to be taken from it; else nil
}

// summed are all tilings of a family together.
type summed interface {
	Weight() *big.Rat
	Marginals(ctx context.Context) (*count.Marginals, error)
}

// family makes the one of the request, and says in the answer how.
func (r *Query) family(ctx context.Context, w *work, s *subject, to *Queried) (*family, error) {
	f := &family{model: s.model, options: w.options(Compiling)}
	f.options.Engine = r.engine()
	var err error
	if f.options.Weights, err = weightsOf(s.model, r.Weights); err != nil {
		return nil, err
	}
	if done, err := r.determine(ctx, s, f, to); done || err != nil {
		return f, err
	}
	if s.compiled != nil {
		if f.diagram, err = s.compiled.load(ctx, w); err != nil {
			return nil, err
		}
	}
	if err := f.rank(ctx); err != nil {
		return nil, err
	}
	to.Method, to.Reason = queryDiagram, f.ranked.Reason
	switch c := f.ranked.Compiled; {
	case c == nil:
		to.Method = queryLevels
		to.Effort.States, to.Bytes = f.ranked.History.Effort()
	default:
		to.Effort, to.Bytes = effortOf(&c.Result), c.Result.Bytes
		to.Count = c.Result.Count.String()
	}
	f.tell(to)
	return f, nil
}

// rank makes what marginals and weights come of. Parts of a diagram that has no weights
// are cheaper to take from it than to be made anew.
func (f *family) rank(ctx context.Context) (err error) {
	if f.diagram != nil {
		f.ranked, err = f.diagram.Ranked(ctx, f.model.Problem, f.options)
	} else {
		f.ranked, err = count.Rank(ctx, f.model.Problem, f.options)
	}
	if err == nil && f.options.Weights == nil {
		f.diagram = f.ranked.Compiled
	}
	f.all = f.ranked
	return aboutWeights(err)
}

// tell fills in the number of the tilings, or their weight.
func (f *family) tell(to *Queried) {
	if f.options.Weights != nil {
		to.Weight = f.total().RatString()
	} else {
		to.Count = f.total().RatString()
	}
}

// total is the number of the tilings, or their weight.
func (f *family) total() *big.Rat { return f.all.Weight() }

// having is the part of the family that has at least one of these placements.
func (f *family) having(ctx context.Context, options []int) (_ *family, err error) {
	part := *f
	part.options.Progress = nil
	if d, determined := f.all.(*count.Determinants); determined {
		part.all, err = d.Having(ctx, options)
		return &part, err
	}
	if f.diagram == nil {
		part.model, err = f.model.WithBounds(ctx, []cover.Bound{{Options: options, Min: 1, Max: cover.Unbounded}})
		if err != nil {
			return nil, err
		}
		return &part, part.rank(ctx)
	}
	wanted := taken(f.diagram.Variables(len(f.model.Problem.Options)), options)
	left := limit.Left(f.options.Memory, f.diagram.Result.Bytes)
	d, err := f.diagram.Diagram.Select(ctx, wanted, 1, math.MaxInt, bdd.Limits{Bytes: left})
	if err != nil {
		return nil, err
	}
	if part.diagram, err = count.OfDiagram(ctx, d, f.diagram.Options, left); err != nil {
		return nil, err
	}
	return &part, part.rank(ctx)
}

// determine makes a family by determinants, if they are asked for, or if there are
// determinants and they are expected to take less than a diagram or levels.
func (r *Query) determine(ctx context.Context, s *subject, f *family, to *Queried) (done bool, err error) {
	if s.compiled != nil || f.options.Engine != "" && r.Method != queryDimer {
		return false, nil
	}
	wanted := len(r.Pairs) == 0 && (!r.Entropy || len(r.Weights) > 0) // the marginals are
	d, err := count.Determine(ctx, s.model.Problem, wanted, f.options)
	switch {
	case errors.Is(err, count.ErrNotDimers):
		return false, bad("{method} is %s: %w", queryDimer, err)
	case errors.Is(err, ErrMemory) && cmp.Or(r.Method, AutoMethod) == AutoMethod:
		return false, nil
	case d == nil || err != nil:
		return false, aboutWeights(err)
	}
	to.Method, to.Reason = queryDimer, "determinants take less than a diagram or levels"
	if r.Method == queryDimer {
		to.Reason = "they were asked for"
	}
	to.Effort, to.Bytes = Effort{Primes: d.Primes, Products: d.Products}, d.Bytes
	f.all = d
	f.tell(to)
	return true, nil
}
