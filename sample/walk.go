package sample

import (
	"context"
	"iter"
	"math"
	"math/big"
	"math/rand/v2"
	"sync/atomic"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/internal/engine/limb"
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
// drawn once, by rejection as from a [Diagram]; what is left of it at a state is
// uniform below the state's number of pasts, and it says which predecessor is
// next. So draws are exact, and a solution's rank names it, in the order that
// package count says.
//
// Many draws go back together, level by level: that costs one pass over the
// levels, and for each draw and step a few binary searches. How many go together
// changes no draw.
//
// A Walk is safe for concurrent use, but for the sources it is given. Who draws at the
// same time shares the memory for draws that go together.
type Walk struct {
	history *count.History
	count   *big.Int
	busy    atomic.Int64 // calls of Draws under way

	// solutions is their number where they have weights; nil where they have none. Then
	// there are as many ranks as solutions. With weights a solution has as many ranks as its
	// weight, so that a rank says more than the solution, and is not told.
	solutions *big.Int
}

var _ Sampler = (*Walk)(nil)

// FromLevels draws from what count.Remember kept.
func FromLevels(h *count.History) *Walk { return &Walk{history: h, count: h.Count()} }

// Count is the number of solutions.
func (w *Walk) Count() *big.Int {
	if w.solutions != nil {
		return new(big.Int).Set(w.solutions)
	}
	return new(big.Int).Set(w.count)
}

// Check implements Sampler.
func (w *Walk) Check() error { return check(w.count) }

// Draws implements Sampler. The options come in the order of a diagram's variables.
// A source gives the same draws whatever the memory and the threads. Errors are
// those of count.History.Unrank.
func (w *Walk) Draws(ctx context.Context, src rand.Source, n uint64) iter.Seq2[Draw, error] {
	if w.count.Sign() == 0 {
		return none(nil)
	}
	return w.draws(ctx, dice{newDie(limb.Of(w.count, w.width())), src}, n)
}

// Unique implements Sampler. A draw is told as by Draws. Draws by weight are those of Weighted.
func (w *Walk) Unique(ctx context.Context, src rand.Source, n uint64, bytes int64) iter.Seq2[Draw, error] {
	if w.solutions != nil {
		if new(big.Int).SetUint64(n).Cmp(w.solutions) > 0 {
			return none(tooMany(n, w.solutions))
		}
		return unseen(w.Draws(ctx, src, math.MaxUint64), n, bytes, mostRepeats)
	}
	ranks, err := newShuffle(src, w.count, w.width(), n, bytes)
	if err != nil {
		return none(err)
	}
	return w.draws(ctx, ranks, n)
}

// width is the limbs of a rank.
func (w *Walk) width() int { return max(1, (w.count.BitLen()+63)/64) }

// draws yields what has the next n ranks.
func (w *Walk) draws(ctx context.Context, from ranks, n uint64) iter.Seq2[Draw, error] {
	return func(yield func(Draw, error) bool) {
		r := make([]uint64, w.width())
		w.busy.Add(1)
		defer w.busy.Add(-1)
		more := true
		for drawn := uint64(0); n > 0 && more; {
			ranks := make([]*big.Int, min(n, w.batch(drawn)))
			for i := range ranks {
				from.next(r)
				ranks[i] = limb.Int(r)
			}
			n -= uint64(len(ranks))
			drawn += uint64(len(ranks))
			next := 0
			err := w.history.Unrank(ctx, ranks, func(options []int) bool {
				d := Draw{ranks[next], OfWalk, options}
				if w.solutions != nil {
					d = Draw{Options: options}
				}
				next++
				more = yield(d, nil)
				return more
			})
			if err != nil {
				yield(Draw{}, err)
				return
			}
		}
	}
}

// AtEach are the solutions of ranks, in their order. Many go back together, as draws do.
func (w *Walk) AtEach(ctx context.Context, of []*big.Int) iter.Seq2[Draw, error] {
	return w.draws(ctx, &given{of}, uint64(len(of)))
}

// firstBatch go back together where somebody waits for the first of them.
const firstBatch = 64

// batch is how many draws go back together next, where so many have: as many as did
// before them, so that the first come soon and the pass costs the many little.
func (w *Walk) batch(drawn uint64) uint64 {
	most := max(1, uint64(w.history.Batch())/uint64(w.busy.Load()))
	if !w.history.Whole() {
		return most
	}
	return min(most, max(firstBatch, drawn))
}
