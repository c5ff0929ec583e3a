package count

import (
	"context"
	"fmt"
	"math/big"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/dimer"
)

// Determinants are all solutions of a problem of planar dimers together, of a board of any size: their
// number or their weight, and their marginals. They cannot be ranked.
//
// They are a sum of determinants, each with its sign, and so are the solutions that have one of some options
// (see Having): all less those that have none of them.
type Determinants struct {
	// Effort
	Primes   int
	Products int64
	Bytes    int64

	d         *dimers
	whole     *Whole
	weights   []*big.Int // those of whole, 1 where these have none
	options   Options
	wanted    bool // the marginals are
	total     *big.Int
	marginals []*big.Int // in whole weights, by option; nil if they are not wanted
}

// Determine makes the determinants of a problem, with the marginals if they are wanted. Options.Engine
// is Dimer, or Auto for determinants where these are expected to take less than a sweep: else the result
// is nil. Errors are those of WholeWeights, or wrap ErrNotDimers (not with Auto) or ErrMemory, or
// are ctx's.
func Determine(ctx context.Context, p *cover.Problem, marginals bool, o Options) (*Determinants, error) {
	if err := p.Check(ctx); err != nil {
		return nil, err
	}
	switch o.Engine {
	case Dimer:
	case "", Auto:
		glance := o
		glance.Progress, glance.Planned = nil, nil
		if d, err := newPlanner(p, glance, toCount, usual).dimersOrSweep(ctx); d == nil || err != nil {
			return nil, err
		}
	default:
		return nil, fmt.Errorf("%w %q, want one of %q", ErrEngine, o.Engine, []Engine{Auto, Dimer})
	}
	w, err := WholeWeights(p, o.Weights)
	if err != nil {
		return nil, err
	}
	r := &Determinants{whole: w, weights: w.dense(), options: o, wanted: marginals}
	if r.d, err = readDimers(ctx, w.Problem, r.given(), o); err != nil {
		return nil, err
	}
	return r, r.find(ctx)
}

// dense are the weights, with 1 for those that are nil.
func (w *Whole) dense() []*big.Int {
	all := make([]*big.Int, len(w.Problem.Options))
	for o := range all {
		if all[o] = unit.Num(); w.Weights != nil && w.Weights[o] != nil {
			all[o] = w.Weights[o]
		}
	}
	return all
}

// given are the weights, nil if all are 1.
func (r *Determinants) given() []*big.Int {
	if r.whole.Weights == nil {
		return nil
	}
	return r.weights
}

// Weight is the sum of the weights of all solutions; without weights it is their number.
func (r *Determinants) Weight() *big.Rat { return new(big.Rat).SetFrac(r.total, r.whole.Scale) }

// Marginals are in how many solutions each option is, as those of Ranked, if they were wanted.
func (r *Determinants) Marginals(context.Context) (*Marginals, error) {
	m := &Marginals{Total: r.Weight(), Of: make([]*big.Rat, r.whole.options)}
	for o := range m.Of {
		m.Of[o] = new(big.Rat).SetFrac(r.marginals[o], r.whole.Scale)
	}
	return m, nil
}

// Having are the solutions that have at least one of some options. Progress is not told.
func (r *Determinants) Having(ctx context.Context, options []int) (*Determinants, error) {
	part := &Determinants{d: &dimers{}, whole: r.whole, weights: r.weights, options: r.options, wanted: r.wanted}
	out := make([]bool, len(r.weights))
	for _, o := range options {
		out[o] = true
	}
	part.options.Progress = nil
	for _, t := range r.d.terms {
		part.d.add(t)
		g, some := t.graph.Without(func(o int) bool { return out[o] })
		if !some {
			continue
		}
		m, err := dimer.NewMatrix(ctx, g, sums(g, r.given()))
		if err != nil {
			return nil, err
		}
		part.d.add(term{minus: !t.minus, graph: g, matrix: m})
	}
	return part, part.find(ctx)
}

// find adds the determinants up.
func (r *Determinants) find(ctx context.Context) error {
	r.total = new(big.Int)
	if r.wanted {
		r.marginals = make([]*big.Int, len(r.whole.Problem.Options))
		for o := range r.marginals {
			r.marginals[o] = new(big.Int)
		}
	}
	return r.d.each(r.options, Primes, func(t *term, c dimer.Config) error {
		m, err := t.find(ctx, r.wanted, c)
		if err == nil {
			r.add(t, m)
		}
		return err
	})
}

// find finds one determinant; or marginals, which have it.
func (t *term) find(ctx context.Context, marginals bool, c dimer.Config) (*dimer.Marginals, error) {
	if marginals {
		return t.matrix.Marginals(ctx, c)
	}
	n, err := t.matrix.Count(ctx, c)
	cost := t.matrix.Cost()
	return &dimer.Marginals{Total: n, Primes: cost.Primes, Products: cost.Products, Bytes: bytesFor(cost, c.Threads)}, err
}

// add adds a term to the sums, or takes it away.
func (r *Determinants) add(t *term, m *dimer.Marginals) {
	r.Primes, r.Products, r.Bytes = r.Primes+m.Primes, r.Products+m.Products, max(r.Bytes, m.Bytes)
	factor := big.NewInt(1)
	if t.minus {
		factor.SetInt64(-1)
	}
	for _, o := range t.graph.Forced {
		factor.Mul(factor, r.weights[o])
	}
	all := new(big.Int).Mul(m.Total, factor)
	r.total.Add(r.total, all)
	if !r.wanted {
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
			if len(edge.Options) > 1 { // as much as the option has of the weight of the edge
				part = new(big.Int).Mul(part, r.weights[o])
				part.Quo(part, sum(edge.Options, r.weights))
			}
			r.marginals[o].Add(r.marginals[o], part)
		}
	}
}
