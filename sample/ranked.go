package sample

import (
	"context"
	"iter"
	"math/big"
	"math/rand/v2"
	"slices"
	"sync/atomic"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/internal/engine/limb"
	"github.com/pavage/pavage/internal/kit/ordered"
)

// ranked draws uniform ranks of a set, by rejection, and unranks them in batches. A batch costs a
// single pass through the levels of a sweep, and a few binary searches at each step for each draw.
// One goroutine draws the ranks, others unrank them. The draws do not depend on the batches.
type ranked struct {
	set      count.Set
	ranks    *big.Int
	weighted bool         // whether heavier solutions have more ranks; then draws have no Rank
	busy     atomic.Int64 // upper bound on the batches in progress in all calls of Map
}

// bundles yields draws whose options are in the order of a diagram's variables. They depend only on
// src. The errors are errors of count.Set.Unrank.
func (s *ranked) bundles(ctx context.Context, src rand.Source, n uint64) iter.Seq[Bundle] {
	die := newDie(limb.Of(s.ranks, s.width()))
	return s.unranked(ctx, func(r []uint64) { die.roll(r, src) }, n)
}

// share adds the batches of a call of Map to s.busy. The function leave removes them.
func (s *ranked) share(threads int) (leave func()) {
	batches := int64(ordered.InFlight(threads))
	if _, _, alone := s.set.Batch(); alone {
		batches = 1
	}
	s.busy.Add(batches)
	return func() { s.busy.Add(-batches) }
}

func (s *ranked) width() int { return max(1, (s.ranks.BitLen()+63)/64) }

func (s *ranked) unranked(ctx context.Context, next ranks, n uint64) iter.Seq[Bundle] {
	return func(yield func(Bundle) bool) {
		r := make([]uint64, s.width())
		first, most, alone := s.set.Batch()
		for drawn := uint64(0); drawn < n; {
			// The size of batches doubles. So the first draws come early, and a sweep needs few passes.
			batch := min(max(1, uint64(most)/uint64(max(1, s.busy.Load()))), max(uint64(first), drawn))
			ranks := make([]*big.Int, min(n-drawn, batch))
			for i := range ranks {
				next(r)
				ranks[i] = limb.Int(r)
			}
			drawn += uint64(len(ranks))
			if !alone {
				b := Bundle{len(ranks), func(ctx context.Context) ([]Draw, error) { return s.unrank(ctx, ranks) }}
				if !yield(b) {
					return
				}
				continue
			}
			draws, err := s.unrank(ctx, ranks)
			for some := range slices.Chunk(draws, smallBundle) {
				if !yield(Bundle{len(some), func(context.Context) ([]Draw, error) { return some, nil }}) {
					return
				}
			}
			if err != nil {
				yield(failed(err))
				return
			}
		}
	}
}

func (s *ranked) unrank(ctx context.Context, ranks []*big.Int) ([]Draw, error) {
	draws := make([]Draw, 0, len(ranks))
	for options, err := range s.set.Unrank(ctx, ranks) {
		if err != nil {
			return draws, err
		}
		d := Draw{Options: options}
		if !s.weighted {
			d.Rank = ranks[len(draws)]
		}
		draws = append(draws, d)
	}
	return draws, nil
}
