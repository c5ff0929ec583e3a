package job

import (
	"context"
	"math"
	"math/big"
)

// weightQuestion asks what weights do to all tilings together.
type weightQuestion Query

func (r *weightQuestion) check() error { return nil }

func (r *weightQuestion) answer(ctx context.Context, w *work, s *subject, to *Queried) error {
	m := s.model
	f, err := (*Query)(r).family(ctx, w, s, to)
	if err != nil || f.total().Sign() == 0 {
		return err
	}
	marginals, err := f.all.Marginals(ctx)
	if err != nil {
		return err
	}
	to.Entropy = entropy(f.total(), marginals.Of, f.options.Weights)
	if m.IsAbstract() {
		return nil
	}
	copies := make([]big.Rat, len(m.Puzzle.Pieces))
	for i, p := range m.Placements {
		copies[p.Piece].Add(&copies[p.Piece], marginals.Of[i])
	}
	for k := range copies {
		to.Expected = append(to.Expected, Expected{m.Puzzle.Pieces[k].Name, copies[k].Quo(&copies[k], f.total()).RatString()})
	}
	return nil
}

// entropy is that of a solution with probability weight/total. The logarithm of the weight
// of a solution is a sum over its options, so its mean is a sum over all options:
//
//	H = log total - Σ (share of option o) · log (weight of o)
func entropy(total *big.Rat, marginals, weights []*big.Rat) *Entropy {
	nats := logarithm(total)
	for o, weight := range weights {
		if weight != nil && marginals[o].Sign() > 0 {
			share, _ := new(big.Rat).Quo(marginals[o], total).Float64()
			nats -= share * logarithm(weight)
		}
	}
	nats = max(0, nats) // not by much below
	return &Entropy{Nats: nats, Bits: nats / math.Ln2}
}

// logarithm is the natural one of a positive number of any size.
func logarithm(x *big.Rat) float64 { return logInt(x.Num()) - logInt(x.Denom()) }

func logInt(x *big.Int) float64 {
	var mantissa big.Float
	exponent := new(big.Float).SetPrec(64).SetInt(x).MantExp(&mantissa)
	m, _ := mantissa.Float64()
	return math.Log(m) + float64(exponent)*math.Ln2
}
