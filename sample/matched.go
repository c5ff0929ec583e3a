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

// matched draws from count.Matchings. Its draws have no rank.
type matched struct {
	*count.Matchings
	told func(units int64) // nil: no reports
}

// bundles yields draws with ascending options.
func (m *matched) bundles(_ context.Context, src rand.Source, n uint64) iter.Seq[Bundle] {
	return func(yield func(Bundle) bool) {
		for n > 0 {
			keys := make([][32]byte, min(n, uint64(m.Keys())))
			for k := range keys {
				keys[k] = dimer.Key(src)
			}
			n -= uint64(len(keys))
			b := Bundle{len(keys), func(ctx context.Context) ([]Draw, error) {
				all, err := m.Draw(ctx, keys, m.told)
				if err := cmp.Or(ctx.Err(), err); err != nil {
					return nil, err
				}
				draws := make([]Draw, len(all))
				for k, options := range all {
					draws[k].Options = options
				}
				return draws, nil
			}}
			if !yield(b) {
				return
			}
		}
	}
}

// grown draws tilings of an Aztec diamond with the tilings out of which they grow.
type grown struct{ *count.Growth }

// bundles yields a bundle of tilings of the orders 1, 2, … for each draw.
func (g *grown) bundles(_ context.Context, src rand.Source, n uint64) iter.Seq[Bundle] {
	return func(yield func(Bundle) bool) {
		for ; n > 0; n-- {
			key := dimer.Key(src)
			b := Bundle{g.Order(), func(ctx context.Context) ([]Draw, error) {
				all, err := g.Draw(ctx, key)
				draws := make([]Draw, len(all))
				for k, options := range all {
					draws[k].Options = options
				}
				return draws, err
			}}
			if !yield(b) {
				return
			}
		}
	}
}

// combined draws from a count.Product some of whose parts are count.Matchings. Its draws have no
// rank.
type combined struct {
	*count.Product
	told func(units int64) // nil: no reports
}

// bundles yields single draws, each a draw from all count.Matchings and the solutions of uniform
// ranks of the other parts. All randomness is read from src before a bundle is yielded.
func (c *combined) bundles(_ context.Context, src rand.Source, n uint64) iter.Seq[Bundle] {
	return func(yield func(Bundle) bool) {
		dice := make([]die, len(c.Parts))
		for k, part := range c.Parts {
			if ranks := part.Ranks(); ranks.Sign() > 0 { // 0 of count.Matchings
				dice[k] = newDie(limb.Of(ranks, (ranks.BitLen()+63)/64))
			}
		}
		for ; n > 0; n-- {
			draws := make([]func(context.Context) ([]int, error), len(c.Parts))
			for k, part := range c.Parts {
				if m, is := part.(*count.Matchings); is {
					key := dimer.Key(src)
					draws[k] = func(ctx context.Context) ([]int, error) {
						all, err := m.Draw(ctx, [][32]byte{key}, c.told)
						if err != nil {
							return nil, err
						}
						return all[0], nil
					}
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
