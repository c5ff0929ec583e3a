package count

import (
	"context"
	"math/big"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/dimer"
)

// determinantSet is the set of all solutions of a problem of planar dimers, without ranks.
type determinantSet struct {
	unanswered
	d         *dimers
	whole     *wholeWeights
	weights   []*big.Int // indexed by option of whole.Problem; all 1 if whole has no weights
	options   Options
	report    Result
	marginals []*big.Int // indexed by option, in units of 1/whole.Scale; nil if not computed
}

// determine returns the determinants of a valid problem, with marginals if use is ForMarginals. It
// returns nil if Options.Engine is not Dimer and a sweep is expected to be faster. The error wraps
// ErrNotDimers or cover.ErrMemory, or is the error of ctx.
func determine(ctx context.Context, p *cover.Problem, w *wholeWeights, use Use, o Options) (*determinantSet, error) {
	if o.Engine != Dimer {
		glance := o
		glance.Progress, glance.Planned = nil, nil
		if d, err := newPlanner(p, glance, toCount, usual).dimersOrSweep(ctx); d == nil || err != nil {
			return nil, err
		}
	}
	return newDeterminants(ctx, w, use == ForMarginals, o)
}

func newDeterminants(ctx context.Context, w *wholeWeights, marginals bool, o Options) (*determinantSet, error) {
	r := &determinantSet{whole: w, weights: make([]*big.Int, len(w.Problem.Options)), options: o}
	for o := range r.weights {
		if r.weights[o] = unit.Num(); w.Weights != nil && w.Weights[o] != nil {
			r.weights[o] = w.Weights[o]
		}
	}
	given := r.weights
	if w.Weights == nil {
		given = nil
	}
	if marginals {
		r.marginals = make([]*big.Int, len(r.weights))
		for o := range r.marginals {
			r.marginals[o] = new(big.Int)
		}
	}
	var err error
	if r.d, err = readDimers(ctx, w.Problem, given, o); err != nil {
		return nil, err
	}
	r.report = Result{Count: new(big.Int), Engine: Dimer}
	return r, r.d.each(o, "primes", func(t *term, c dimer.Config) error {
		m, err := t.find(ctx, marginals, c)
		if err == nil {
			r.add(t, m)
		}
		return err
	})
}

// Count returns nil if the options have weights, since only the sum of the weights is known.
func (r *determinantSet) Count() *big.Int {
	if r.whole.Weights != nil {
		return nil
	}
	return r.report.Count
}

func (r *determinantSet) Weight() *big.Rat {
	return new(big.Rat).SetFrac(r.report.Count, r.whole.Scale)
}

func (r *determinantSet) Marginals(ctx context.Context) (*Marginals, error) {
	if r.marginals == nil {
		return r.unanswered.Marginals(ctx)
	}
	m := &Marginals{Total: r.Weight(), Of: make([]*big.Rat, r.whole.options)}
	for o := range m.Of {
		m.Of[o] = new(big.Rat).SetFrac(r.marginals[o], r.whole.Scale)
	}
	return m, nil
}

// Without recomputes the determinants with weight 0 for the given options. It reports no progress.
func (r *determinantSet) Without(ctx context.Context, options []int) (Sums, error) {
	o := r.options
	o.Watch = Watch{}
	w, err := r.whole.without(options)
	if err != nil {
		return nil, err
	}
	return newDeterminants(ctx, w, r.marginals != nil, o)
}

func (r *determinantSet) Report() *Result { return &r.report }

func (r *determinantSet) Bytes() int64 { return r.report.Bytes }

func (t *term) find(ctx context.Context, marginals bool, c dimer.Config) (*dimer.Marginals, error) {
	if marginals {
		return t.matrix.Marginals(ctx, c)
	}
	n, err := t.matrix.Count(ctx, c)
	cost := t.matrix.Cost()
	return &dimer.Marginals{Total: n, Primes: cost.Primes, Products: cost.Products, Bytes: bytesFor(cost, c.Threads)}, err
}

func (r *determinantSet) add(t *term, m *dimer.Marginals) {
	to := &r.report
	to.Primes, to.Products, to.Bytes = to.Primes+m.Primes, to.Products+m.Products, max(to.Bytes, m.Bytes)
	factor := big.NewInt(1)
	if t.minus {
		factor.SetInt64(-1)
	}
	for _, o := range t.graph.Forced {
		factor.Mul(factor, r.weights[o])
	}
	all := new(big.Int).Mul(m.Total, factor)
	to.Count.Add(to.Count, all)
	if r.marginals == nil {
		return
	}
	for _, o := range t.graph.Forced {
		r.marginals[o].Add(r.marginals[o], all)
	}
	for e, edge := range t.graph.Edges {
		if m.Of[e].Sign() == 0 {
			continue
		}
		m.Of[e].Mul(m.Of[e], factor)
		for _, o := range edge.Options {
			part := m.Of[e]
			if len(edge.Options) > 1 { // divide the edge's weight among its options
				part = new(big.Int).Mul(part, r.weights[o])
				part.Quo(part, sum(edge.Options, r.weights))
			}
			r.marginals[o].Add(r.marginals[o], part)
		}
	}
}
