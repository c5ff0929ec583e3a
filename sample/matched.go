package sample

import (
	"cmp"
	"context"
	"iter"
	"math/big"
	"math/rand/v2"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/internal/engine/dimer"
	"github.com/pavage/pavage/internal/engine/limb"
)

// matched draws without ranks, from one or more sets of which at least one is count.Matchings.
type matched struct {
	parts []count.Set
	join  func(of [][]int) []int         // makes a solution from the solutions of all parts
	told  func(units int64, unit string) // argument of Telling, or nil
}

// A bundle has at most Matchings.Keys draws. Before bundles yields a bundle, it reads a key or a
// uniform rank from src for each draw and each part.
func (m *matched) bundles(_ context.Context, src rand.Source, n uint64) iter.Seq[Bundle] {
	return func(yield func(Bundle) bool) {
		most, dice := n, make([]die, len(m.parts))
		for k, part := range m.parts {
			if by, is := part.(*count.Matchings); is {
				most = min(most, uint64(by.Keys()))
			} else if ranks := part.Ranks(); ranks.Sign() > 0 {
				dice[k] = newDie(limb.Of(ranks, (ranks.BitLen()+63)/64))
			}
		}
		for n > 0 {
			size := min(n, most)
			n -= size
			keys, ranks := make([][][32]byte, len(m.parts)), make([][]*big.Int, len(m.parts))
			for range size {
				for k, part := range m.parts {
					if _, is := part.(*count.Matchings); is {
						keys[k] = append(keys[k], dimer.Key(src))
						continue
					}
					rank := make([]uint64, len(dice[k].n))
					dice[k].roll(rank, src)
					ranks[k] = append(ranks[k], limb.Int(rank))
				}
			}
			b := Bundle{int(size), func(ctx context.Context) ([]Draw, error) {
				draws, of := make([]Draw, size), make([][][]int, len(m.parts))
				for k, part := range m.parts {
					var err error
					if of[k], err = m.drawPart(ctx, part, keys[k], ranks[k]); cmp.Or(ctx.Err(), err) != nil {
						return nil, cmp.Or(ctx.Err(), err)
					}
				}
				for i := range draws {
					solution := make([][]int, len(of))
					for k := range of {
						solution[k] = of[k][i]
					}
					draws[i].Options = m.join(solution)
				}
				return draws, nil
			}}
			if !yield(b) {
				return
			}
		}
	}
}

// drawPart returns a solution of a part for each key or, if the part has ranks, for each rank.
func (m *matched) drawPart(ctx context.Context, part count.Set, keys [][32]byte, ranks []*big.Int) (all [][]int, err error) {
	if by, is := part.(*count.Matchings); is {
		var told func(int64)
		if m.told != nil {
			told = func(units int64) { m.told(units, by.Unit()) }
		}
		return by.Draw(ctx, keys, told)
	}
	for _, rank := range ranks {
		options, err := count.At(ctx, part, rank)
		if err != nil {
			return nil, err
		}
		all = append(all, options)
	}
	return all, nil
}

type grown struct{ *count.Growth }

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
