package sample

import (
	"context"
	"iter"
	"math/big"
	"math/rand/v2"

	"github.com/pavage/pavage/bdd"
	"github.com/pavage/pavage/count"
)

// Walk draws uniform solutions of a problem by going back through the levels of
// a sweep, for problems whose diagram would not fit in memory.
//
// The last level's states and, from each state on, its predecessors have as
// many pasts as are counted. Going from a state to a predecessor with
// probability (its pasts)/(the state's), all the way, meets each solution with
// probability
//
//	c(last)   c(before)         1        1
//	─────── · ───────── · … · ────── = ─────
//	 count     c(last)        c(2nd)   count
//
// Instead of one small draw for each step, a uniform rank below the count is
// drawn once, by rejection as in [Sampler]; what is left of it at a state is
// uniform below the state's number of pasts, and it says which predecessor is
// next. So draws are exact, and a solution's rank names it, in the order that
// package count says.
//
// Many draws go back together, level by level: that costs one pass over the
// levels, and for each draw and step a few binary searches.
type Walk struct {
	history *count.History
	count   *big.Int
}

// NewWalk draws from what count.Remember kept.
func NewWalk(h *count.History) *Walk { return &Walk{history: h, count: h.Count()} }

// Count is the number of solutions.
func (w *Walk) Count() *big.Int { return new(big.Int).Set(w.count) }

// Check returns ErrEmpty if there is nothing to draw.
func (w *Walk) Check() error {
	if w.count.Sign() == 0 {
		return ErrEmpty
	}
	return nil
}

// Way is a fair draw by a walk.
type Way struct {
	Rank    *big.Int // in the order of ways, see count.History; not that of a diagram
	Options []int    // in the order of a diagram's variables
}

// Draws yields n independent fair draws with replacement, none if there is no
// solution (see [Walk.Check]). A source gives the same draws whatever the
// memory, the threads and n: fewer are the first of more. Errors are those of
// count.History.Unrank, and end the draws.
func (w *Walk) Draws(ctx context.Context, src rand.Source, n uint64) iter.Seq2[Way, error] {
	return func(yield func(Way, error) bool) {
		if w.count.Sign() == 0 {
			return
		}
		limbs := bdd.Limbs(w.count, (w.count.BitLen()+63)/64)
		die, r := newDie(limbs), make([]uint64, len(limbs))
		more := true
		for n > 0 && more {
			ranks := make([]*big.Int, min(n, uint64(w.history.Batch())))
			for i := range ranks {
				die.roll(r, src)
				ranks[i] = bdd.Big(r)
			}
			n -= uint64(len(ranks))
			next := 0
			err := w.history.Unrank(ctx, ranks, func(options []int) bool {
				next++
				more = yield(Way{ranks[next-1], options}, nil)
				return more
			})
			if err != nil {
				yield(Way{}, err)
				return
			}
		}
	}
}
