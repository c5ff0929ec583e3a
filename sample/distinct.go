package sample

import (
	"cmp"
	"context"
	"iter"
	"math/big"
	"math/rand/v2"
	"slices"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/internal/engine/limb"
)

// distinct draws classes of solutions up to the symmetries of a group, each equally likely. The
// class of a uniform solution would favour large classes. So distinct draws a uniform pair of an
// element g of the group G and a solution that g fixes. A solution is in one pair for each element
// of its stabilizer, and a class is the orbit of each of its solutions, so every class is in
//
//	|orbit| · |stabilizer| = |G|
//
// pairs. In the example of package count, 2x3 with dominoes, there are 8 pairs:
//
//	ab c     a bc    identity and top-bottom     a b c    all four elements
//	de f     d ef    2 · 2 = 4 pairs             d e f    1 · 4 = 4 pairs
//
// Pairs are sorted by the class of the element, then by the element, then by the solution in the
// diagram of the class. This diagram has the solutions that the first element g of the class fixes.
// For g' = hgh⁻¹, s ↦ hs maps the solutions that g fixes one to one to the solutions that g' fixes,
// and hs is in the class of s. If g' is a power of g with the same order, it fixes the same
// solutions. So g and g' would yield every class equally often. The draw is the solution of
// the class whose ascending list of options is least. Goroutines may share a distinct.
type distinct struct {
	compiled *count.CompiledDistinct
	pairs    []*big.Int // number of pairs of each class of elements
	total    *big.Int   // number of all pairs
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

// bundles yields canonical solutions, with ascending options and ranks among all solutions.
func (d *distinct) bundles(_ context.Context, src rand.Source, n uint64) iter.Seq[Bundle] {
	return func(yield func(Bundle) bool) {
		limbs := limb.Of(d.total, (d.total.BitLen()+63)/64)
		die := newDie(limbs)
		r := make([]uint64, len(limbs))
		for n > 0 {
			pairs := make([]*big.Int, min(n, smallBundle))
			for i := range pairs {
				die.roll(r, src)
				pairs[i] = limb.Int(r)
			}
			n -= uint64(len(pairs))
			if !yield(Bundle{len(pairs), func(ctx context.Context) ([]Draw, error) { return d.members(ctx, pairs) }}) {
				return
			}
		}
	}
}

func (d *distinct) members(ctx context.Context, pairs []*big.Int) ([]Draw, error) {
	draws := make([]Draw, 0, len(pairs))
	for _, r := range pairs {
		m, err := d.member(ctx, r)
		if err := cmp.Or(ctx.Err(), err); err != nil {
			return draws, err
		}
		draws = append(draws, m)
	}
	return draws, nil
}

// member returns the canonical solution for the pair with the number r, and overwrites r. If an
// error is not from ctx, there is a bug: a symmetry maps a solution to a set that is no solution.
func (d *distinct) member(ctx context.Context, r *big.Int) (Draw, error) {
	k := 0
	for ; r.Cmp(d.pairs[k]) >= 0; k++ {
		r.Sub(r, d.pairs[k])
	}
	class := d.compiled.Classes[k]
	// Solution s has the numbers s, s + Count, s + 2·Count, …, one for each element of the class.
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
