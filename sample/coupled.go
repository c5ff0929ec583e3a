package sample

import (
	"cmp"
	"context"
	"iter"
	"math/rand/v2"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/internal/engine/dimer"
	"github.com/pavage/pavage/internal/engine/limb"
)

// coupled draws from a count.Coupling. Its draws have no rank.
type coupled struct {
	*count.Coupling
	told func(sweeps int64) // nil: no reports
}

// bundles yields single draws with ascending options.
func (c *coupled) bundles(_ context.Context, src rand.Source, n uint64) iter.Seq[Bundle] {
	return func(yield func(Bundle) bool) {
		for ; n > 0; n-- {
			key := dimer.Key(src)
			b := Bundle{1, func(ctx context.Context) ([]Draw, error) {
				options, err := c.Draw(ctx, key, c.told)
				if err := cmp.Or(ctx.Err(), err); err != nil {
					return nil, err
				}
				return []Draw{{Options: options}}, nil
			}}
			if !yield(b) {
				return
			}
		}
	}
}

// combined draws from a count.Product some of whose parts are couplings. Its draws have no rank.
type combined struct {
	*count.Product
	told func(sweeps int64) // nil: no reports
}

// bundles yields single draws, each a draw from every coupling and the solutions of uniform ranks of
// the other parts. All randomness is read from src before a bundle is yielded.
func (c *combined) bundles(_ context.Context, src rand.Source, n uint64) iter.Seq[Bundle] {
	return func(yield func(Bundle) bool) {
		dice := make([]die, len(c.Parts))
		for k, part := range c.Parts {
			if ranks := part.Ranks(); ranks.Sign() > 0 {
				dice[k] = newDie(limb.Of(ranks, (ranks.BitLen()+63)/64))
			}
		}
		for ; n > 0; n-- {
			draws := make([]func(context.Context) ([]int, error), len(c.Parts))
			for k, part := range c.Parts {
				if chain, is := part.(*count.Coupling); is {
					key := dimer.Key(src)
					draws[k] = func(ctx context.Context) ([]int, error) { return chain.Draw(ctx, key, c.told) }
					continue
				}
				rank := make([]uint64, len(dice[k].n))
				dice[k].roll(rank, src)
				draws[k] = func(ctx context.Context) ([]int, error) { return count.At(ctx, part, limb.Int(rank)) }
			}
			b := Bundle{1, func(ctx context.Context) ([]Draw, error) {
				of := make([][]int, len(draws))
				for k, draw := range draws {
					options, err := draw(ctx)
					if err := cmp.Or(ctx.Err(), err); err != nil {
						return nil, err
					}
					of[k] = options
				}
				return []Draw{{Options: c.Join(of)}}, nil
			}}
			if !yield(b) {
				return
			}
		}
	}
}
