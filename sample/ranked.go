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

// ranked draws by ranks: a uniform number below the number of ranks of a set, by rejection, and
// the solution with this rank.
//
// Ranks are passed to the set in batches, which changes no draw: levels of a sweep then cost
// one pass for many draws, and a few binary searches for each draw and step.
type ranked struct {
	set      count.Set
	ranks    *big.Int
	weighted bool         // a solution has several ranks, by weight, so draws have no rank
	busy     atomic.Int64 // number of calls of Draws in progress
}

// draws yields draws whose options are in the order of a diagram's variables. A seed gives the
// same draws for any memory and threads. Errors are as for count.Set.Unrank.
func (s *ranked) draws(ctx context.Context, src rand.Source, n uint64) iter.Seq2[Draw, error] {
	die := newDie(limb.Of(s.ranks, s.width()))
	return s.unranked(ctx, func(r []uint64) { die.roll(r, src) }, n)
}

// width returns the number of limbs of a rank.
func (s *ranked) width() int { return max(1, (s.ranks.BitLen()+63)/64) }

// unranked yields the solutions of the next n ranks.
func (s *ranked) unranked(ctx context.Context, next ranks, n uint64) iter.Seq2[Draw, error] {
	return func(yield func(Draw, error) bool) {
		r := make([]uint64, s.width())
		first, most := s.set.Batch()
		s.busy.Add(1)
		defer s.busy.Add(-1)
		for drawn := uint64(0); drawn < n; {
			// Each batch doubles the number of ranks, so the first draws come soon and the
			// passes cost little for each of many draws.
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

// failed returns an iterator that yields only an error.
func failed(err error) iter.Seq2[Draw, error] {
	return func(yield func(Draw, error) bool) { yield(Draw{}, err) }
}
