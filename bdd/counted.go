package bdd

import (
	"errors"
	"math/big"

	"github.com/pavage/pavage/internal/engine/limb"
)

// ErrMember is returned by [Counted.Rank] for a set that is not in the family.
var ErrMember = errors.New("decision diagram: not a member of the family")

// Counted is a diagram with the number of sets of every node, in memory or in a file: see
// [Diagram.With] and [Mapped]. At each node the sets without its variable come first, so
// every set has a rank, and is found by it in one walk from the root. Goroutines may share
// it.
//
// A walk is one call, so that in memory it costs no call at each node; and in a file its error
// says that a byte on the way was wrong, and there is no set.
type Counted interface {
	// Vars is the number of variables, and Size that of nodes, terminals included.
	Vars() int
	Size() int
	// Count is the number of sets, of Width limbs at most.
	Count() *big.Int
	Width() int
	// Unrank appends the set of rank r < Count to set, in rising variables. It uses up
	// the limbs of r.
	Unrank(r []uint64, set []int) ([]int, error)
	// Rank is the rank of a set, given as rising variables. The error is ErrMember if it
	// is not in the family.
	Rank(set []int) (*big.Int, error)
	// Bytes is the memory that it takes.
	Bytes() int64
}

// With is the diagram with its counts. If they have weights, as many ranks lead to a set as its
// weight, and Count is the weight of all sets. Rank needs counts without weights. A rank r, below
// the number V of a node, leads to a set below it:
//
//	    n           r < V(lo)     go to lo with r
//	lo╱   ╲hi·w     r ≥ V(lo)     go to hi with ⌊(r - V(lo)) / w⌋
//
// What is left at each node is uniform below the node's number, if it is at the root. For if
// r is uniform below V(n), then under the condition r < V(lo) it is uniform below V(lo);
// and under the other r - V(lo) is uniform below w·V(hi), in which each number below V(hi) is
// the quotient of exactly w numbers. At ⊤, of number 1, only 0 is left. So a set is found from
// as many r as its weight, one of weight 0 from none: no division is rounded, and draws are
// exact.
func (d *Diagram) With(c *Counts) Counted { return counted{d, c} }

type counted struct {
	*Diagram
	counts *Counts
}

func (c counted) Count() *big.Int { return c.counts.At(c.root) }
func (c counted) Width() int      { return c.counts.Width() }
func (c counted) Bytes() int64    { return c.Diagram.Bytes() + c.counts.Bytes() }

// Unrank implements Counted. From the first node on whose count is one word, all are, and what
// is left of the rank too. The variable of a node is looked up only if it is taken.
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
			return nil, ErrMember // no set below has this variable
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
