package sample

import (
	"context"
	"errors"
	"iter"
	"math"
	"math/big"
	"math/rand/v2"

	"github.com/pavage/pavage/bdd"
	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/internal/engine/limb"
)

// Weighted draws the sets of a decision diagram in proportion to their weights, which are
// the products of their members' weights.
//
// Every node has a value V, the sum of the weights of its sets: V(n) = V(lo) + w·V(hi), where
// w is the weight of the node's variable. A uniform number r below the value of the root
// leads to a set:
//
//	    n           r < V(lo)     go to lo with r
//	lo╱   ╲hi·w     r ≥ V(lo)     go to hi with ⌊(r - V(lo)) / w⌋
//
// What is left at each node is uniform below the node's value, if it is at the root. For if
// r is uniform below V(n), then under the condition r < V(lo) it is uniform below V(lo);
// and under the other r - V(lo) is uniform below w·V(hi), in which each number below V(hi) is
// the quotient of exactly w numbers. At ⊤, of value 1, only 0 is left. So a set is found from
// as many r as its weight, one of weight 0 from none: no division is rounded, and draws are
// exact.
//
// So a number r says more than the set, and the draws have no rank. A Weighted is immutable
// and safe for concurrent use, but for the sources it is given.
type Weighted struct {
	d       *bdd.Diagram
	values  *bdd.Counts
	weights []*big.Int // by variable, nil for 1
	options []int      // by variable
	own     int        // options from here on are slack, and are not told
	count   *big.Int   // sets
	total   *big.Int   // of their weights
}

var _ Sampler = (*Weighted)(nil)

// ErrRepeats is wrapped when draws by weight without replacement find nothing new.
var ErrRepeats = errors.New("no tiling is drawn that was not drawn before")

// newWeighted draws from a ranked diagram. Of the options only so many are told.
func newWeighted(r *count.Ranked, own int) *Weighted {
	c, values := r.Compiled, r.Values
	s := &Weighted{
		d: c.Diagram, values: values, weights: make([]*big.Int, c.Diagram.Vars()),
		options: c.Options, own: own, count: c.Result.Count, total: values.At(c.Diagram.Root()),
	}
	copy(s.weights, r.ByVariable)
	return s
}

// Count is the number of sets of the family, those of weight 0 too.
func (s *Weighted) Count() *big.Int { return new(big.Int).Set(s.count) }

// Check implements Sampler: there is nothing to draw if all weights are 0.
func (s *Weighted) Check() error { return check(s.total) }

// Bytes is the memory that is held.
func (s *Weighted) Bytes() int64 { return s.d.Bytes() + s.values.Bytes() }

// Draws implements Sampler. The options come in the order of their variables.
func (s *Weighted) Draws(ctx context.Context, src rand.Source, n uint64) iter.Seq2[Draw, error] {
	return func(yield func(Draw, error) bool) {
		if s.total.Sign() == 0 {
			return
		}
		width := s.values.Width()
		die, r := newDie(limb.Of(s.total, width)), make([]uint64, width)
		for ; n > 0; n-- {
			if err := ctx.Err(); err != nil {
				yield(Draw{}, err)
				return
			}
			die.roll(r, src)
			if !yield(Draw{Options: s.at(r)}, nil) {
				return
			}
		}
	}
}

// at is the options of the set that a number, which it uses up, leads to.
func (s *Weighted) at(r []uint64) (options []int) {
	v := 0
	for n := s.d.Root(); n > bdd.Top; {
		v = s.d.VarFrom(v, n)
		if !limb.Take(r, s.values.Limbs(s.d.Lo(n))) {
			n = s.d.Lo(n)
			continue
		}
		if o := s.options[v]; o < s.own {
			options = append(options, o)
		}
		if w := s.weights[v]; w != nil {
			limb.Divide(r, w)
		}
		n = s.d.Hi(n)
	}
	return options
}

// Unique implements Sampler: each draw is one by weight of what was not drawn before. Draws
// are repeated until one is new, so the error wraps ErrRepeats where what is left weighs
// almost nothing.
func (s *Weighted) Unique(ctx context.Context, src rand.Source, n uint64, bytes int64) iter.Seq2[Draw, error] {
	if new(big.Int).SetUint64(n).Cmp(s.count) > 0 {
		return none(tooMany(n, s.count))
	}
	return unseen(s.Draws(ctx, src, math.MaxUint64), n, bytes, mostRepeats)
}
