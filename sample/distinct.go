package sample

import (
	"context"
	"iter"
	"math/big"
	"math/rand/v2"
	"slices"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/internal/engine/limb"
)

// distinct draws classes of solutions up to the symmetries of a group, each
// class equally likely, whatever its size.
//
// A uniform solution would favour large classes. So draw a pair of an element
// g of the group G and a solution that g fixes, all pairs alike. A solution is
// in as many pairs as its stabilizer has elements, and a class is the orbit of
// any of its members, so that every class is in
//
//	|orbit| · |stabilizer| = |G|
//
// pairs. Of the example in package count, 2x3 with dominoes, 8 pairs:
//
//	ab c     a bc    identity and top-bottom     a b c    all four elements
//	de f     d ef    for either: 4               d e f    4
//
// A pair is drawn by its number: the pairs of one class of elements after
// those of another, within it those of one element after another, and of one
// element in the order of the diagram of the solutions it fixes. All elements
// of a class use the diagram of the first, g: a power of g that generates as
// much fixes the same solutions; and if g' = hgh⁻¹, then s ↦ hs takes the
// solutions that g fixes to those that g' fixes, one to one, while hs is of the
// class of s. So either diagram yields every class equally often, and nothing
// else of the solution is used: what is drawn is the canonical member of its
// class, the one whose ascending list of options comes first.
//
// A distinct is immutable and safe for concurrent use.
type distinct struct {
	compiled *count.CompiledDistinct
	pairs    []*big.Int // of each class of elements
	total    *big.Int   // of all pairs
}

func newDistinct(c *count.CompiledDistinct) *distinct {
	d := &distinct{compiled: c, total: new(big.Int)}
	for _, class := range c.Classes {
		pairs := new(big.Int).Mul(big.NewInt(int64(len(class.Elements))), class.Compiled.Result.Count)
		d.pairs = append(d.pairs, pairs)
		d.total.Add(d.total, pairs)
	}
	return d
}

// draws implements drawer. A class is told by its canonical member, the options
// ascending, with its rank among all solutions.
func (d *distinct) draws(ctx context.Context, src rand.Source, n uint64) iter.Seq2[Draw, error] {
	return func(yield func(Draw, error) bool) {
		limbs := limb.Of(d.total, (d.total.BitLen()+63)/64)
		die := newDie(limbs)
		r := make([]uint64, len(limbs))
		for ; n > 0; n-- {
			if err := ctx.Err(); err != nil {
				yield(Draw{}, err)
				return
			}
			die.roll(r, src)
			m, err := d.member(ctx, limb.Int(r))
			if !yield(m, err) || err != nil {
				return
			}
		}
	}
}

// member is the canonical member of the class in pair number r, which it uses
// up. The error would be a mistake of ours: a symmetry that makes no solution
// of a solution.
func (d *distinct) member(ctx context.Context, r *big.Int) (Draw, error) {
	k := 0
	for ; r.Cmp(d.pairs[k]) >= 0; k++ {
		r.Sub(r, d.pairs[k])
	}
	class := d.compiled.Classes[k]
	// The number of a pair is element · solutions + solution.
	orbits, err := count.At(ctx, class.Compiled, r.Mod(r, class.Compiled.Result.Count))
	if err != nil {
		return Draw{}, err
	}
	var options []int
	for _, o := range orbits {
		options = append(options, class.Orbits[o]...)
	}
	slices.Sort(options)
	options = d.compiled.Canon.Least(options)
	rank, err := d.compiled.Classes[0].Compiled.Rank(ctx, options)
	return Draw{Rank: rank, Options: options}, err
}
