package bdd

import (
	"errors"
	"math/big"

	"github.com/pavage/pavage/internal/engine/limb"
)

// ErrMember is returned by [Counted.Rank] for a set that is not in the family.
var ErrMember = errors.New("decision diagram: not a member of the family")

// Counted is a diagram with the number of sets of every node, in memory ([Diagram.With]) or in a
// file ([Mapped]). Its sets have ranks: at each node the sets without its variable come first.
// Goroutines may share a Counted.
//
// A call of Unrank or Rank makes a whole walk from the root, because a method call at each node
// would be slow. In a file, a walk returns an error if it reads wrong bytes; the result is then
// invalid.
type Counted interface {
	// Vars returns the number of variables, and Size the number of nodes, including terminals.
	Vars() int
	Size() int
	// Count returns the number of sets, which has at most Width limbs.
	Count() *big.Int
	Width() int
	// Unrank appends the set of rank r < Count, ascending, to the slice set. It overwrites r.
	Unrank(r []uint64, set []int) ([]int, error)
	// Rank returns the rank of an ascending set, or ErrMember if it is not in the family.
	Rank(set []int) (*big.Int, error)
	// Bytes returns the memory held, in bytes.
	Bytes() int64
}

// With returns the diagram with its counts. If the counts have weights, a set of weight 3 has three
// ranks, and Rank must not be called. V(n) is the count of the sets of node n, or the sum of their
// weights; w is the weight of its variable. From n, a rank r < V(n) leads to a child:
//
//	    n           r < V(lo)     go to lo with r
//	lo╱   ╲hi·w     r ≥ V(lo)     go to hi with ⌊(r - V(lo)) / w⌋
//
// If r is uniform below V(n), the rank at the child is uniform below V(child): r is
// uniform below V(lo) if r < V(lo); else r - V(lo) is uniform below w·V(hi), and each number below
// V(hi) is the quotient of exactly w numbers. So random sets are drawn exactly by weight.
func (d *Diagram) With(c *Counts) Counted { return counted{d, c} }

type counted struct {
	*Diagram
	counts *Counts
}

func (c counted) Count() *big.Int { return c.counts.At(c.root) }
func (c counted) Width() int      { return c.counts.Width() }
func (c counted) Bytes() int64    { return c.Diagram.Bytes() + c.counts.Bytes() }

// Unrank has a second, faster loop for nodes whose counts have one limb.
func (c counted) Unrank(r []uint64, set []int) ([]int, error) {
	d, v := c.Diagram, 0
	n, words, weights := d.root, c.counts.words(), c.counts.factors
	if len(weights) > 0 {
		words = Top + 1
	}
	for n >= words {
		if limb.Take(r, c.counts.Limbs(d.lo[n])) {
			v = d.VarFrom(v, n)
			set = append(set, v)
			if v < len(weights) && weights[v].whole != nil {
				limb.Divide(r, weights[v].whole)
			}
			n = d.hi[n]
		} else {
			n = d.lo[n]
		}
	}
	lo, hi, counts, left := d.lo, d.hi, c.counts.limbs, r[0]
	for n > Top {
		below := counts[lo[n]]
		if left < below {
			n = lo[n]
			continue
		}
		left -= below
		v = d.VarFrom(v, n)
		set = append(set, v)
		n = hi[n]
	}
	return set, nil
}

func (c counted) Rank(set []int) (*big.Int, error) {
	d, rank, v := c.Diagram, make([]uint64, c.Width()), 0
	n := d.root
	for n > Top {
		v = d.VarFrom(v, n)
		switch {
		case len(set) > 0 && set[0] < v:
			return nil, ErrMember // no set of n has this variable
		case len(set) > 0 && set[0] == v:
			limb.Add(rank, c.counts.Limbs(d.lo[n]))
			set, n = set[1:], d.hi[n]
		default:
			n = d.lo[n]
		}
	}
	if n != Top || len(set) > 0 {
		return nil, ErrMember
	}
	return limb.Int(rank), nil
}
