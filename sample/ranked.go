package sample

import (
	"context"
	"iter"
	"math/big"
	"math/rand/v2"
	"sync/atomic"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/internal/engine/limb"
)

// ranked draws by ranks: a uniform number below the number of ranks of a set, by rejection,
// and the solution that has it.
//
// Ranks go to the set in batches, which changes no draw: levels of a sweep then cost one pass for
// many draws, and for each draw and step a few binary searches.
type ranked struct {
	set      count.Set
	ranks    *big.Int
	weighted bool         // a solution has as many ranks as its weight, so that ranks are not told
	busy     atomic.Int64 // calls of Draws under way
}

// draws implements drawer. The options come in the order of a diagram's variables. A seed
// gives the same draws whatever the memory and the threads. Errors are those of count.Set.Unrank.
func (s *ranked) draws(ctx context.Context, src rand.Source, n uint64) iter.Seq2[Draw, error] {
	die := newDie(limb.Of(s.ranks, s.width()))
	return s.unranked(ctx, func(r []uint64) { die.roll(r, src) }, n)
}

// width is the limbs of a rank.
func (s *ranked) width() int { return max(1, (s.ranks.BitLen()+63)/64) }

// unranked yields the solutions of the next n ranks.
func (s *ranked) unranked(ctx context.Context, next ranks, n uint64) iter.Seq2[Draw, error] {
	return func(yield func(Draw, error) bool) {
		r := make([]uint64, s.width())
		first, most := s.set.Batch()
		s.busy.Add(1)
		defer s.busy.Add(-1)
		for drawn := uint64(0); drawn < n; {
			// As many as before go together next, so that the first come soon and a pass costs the
			// many little.
			batch := min(max(1, uint64(most)/uint64(s.busy.Load())), max(uint64(first), drawn))
			ranks := make([]*big.Int, min(n-drawn, batch))
			for i := range ranks {
				next(r)
				ranks[i] = limb.Int(r)
			}
			drawn += uint64(len(ranks))
			for options, err := range s.set.Unrank(ctx, ranks) {
				d := Draw{Options: options}
				if !s.weighted && err == nil {
					d.Rank = ranks[0]
				}
				if ranks = ranks[1:]; !yield(d, err) || err != nil {
					return
				}
			}
		}
	}
}

// failed yields an error.
func failed(err error) iter.Seq2[Draw, error] {
	return func(yield func(Draw, error) bool) { yield(Draw{}, err) }
}
