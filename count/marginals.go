package count

import (
	"context"
	"math/big"
)

// Marginals are in how many solutions each option is; with Options.Weights, the total
// weight of these.
type Marginals struct {
	Total *big.Rat   // of all solutions
	Of    []*big.Rat // by option
}

// Marginals are those of the problem that was ranked: whole numbers without weights. They
// come of one pass down through the diagram and one up, or of a pass forward and one back
// through the levels. The error wraps ErrMemory or is ctx's.
func (r *Ranked) Marginals(ctx context.Context) (*Marginals, error) {
	m := &Marginals{Total: r.Weight(), Of: make([]*big.Rat, r.whole.options)}
	for o := range m.Of {
		m.Of[o] = new(big.Rat)
	}
	sums, options, err := r.sums(ctx)
	if err != nil {
		return nil, err
	}
	for v, sum := range sums {
		if o := options[v]; o < len(m.Of) {
			m.Of[o].SetFrac(sum, r.whole.Scale)
		}
	}
	return m, nil
}

// sums are the marginals in whole weights, by variable, and the options of these.
func (r *Ranked) sums(ctx context.Context) (sums []*big.Int, options []int, err error) {
	switch {
	case r.Compiled != nil:
		sums, err = r.Compiled.Diagram.Marginals(ctx, r.Values, r.ByVariable, r.limits.Memory)
		return sums, r.Compiled.Options, err
	case r.History.automaton == nil:
		return nil, nil, nil
	}
	sums, err = r.History.marginals(ctx)
	return sums, r.History.automaton.Variables, err
}

// Weight is the sum of the weights of all solutions; without weights it is their number.
func (r *Ranked) Weight() *big.Rat { return new(big.Rat).SetFrac(r.Ranks(), r.whole.Scale) }

// Ranks is the number of ranks. Without weights a solution has one. With weights it has as
// many as its weight, times the same number for all solutions.
func (r *Ranked) Ranks() *big.Int {
	if r.History != nil {
		return r.History.Count()
	}
	return r.Values.At(r.Compiled.Diagram.Root())
}
