package bdd

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"math/bits"

	"github.com/pavage/pavage/internal/limb"
)

// Counts is the exact number of sets of every node of a diagram. A count has Width limbs
// (words of 64 bits), the lowest first. The limbs of all nodes lie in one array.
type Counts struct {
	width int
	limbs []uint64 // those of node n from n*width
}

// Width is the number of limbs of every count: as many as the largest count needs, at
// least 1.
func (c *Counts) Width() int { return c.width }

// Limbs is the count of node n, the lowest limb first. The caller must not change it.
func (c *Counts) Limbs(n uint32) []uint64 {
	at := int(n) * c.width
	return c.limbs[at : at+c.width : at+c.width]
}

// At is the count of node n.
func (c *Counts) At(n uint32) *big.Int { return limb.Int(c.Limbs(n)) }

// Bytes is the size of the array of counts.
func (c *Counts) Bytes() int64 { return 8 * int64(cap(c.limbs)) }

// Counts counts the sets of every node: 1 for ⊤, 0 for ⊥, and for any other node the sum of
// its children's. It is one loop over the nodes. When a sum does not fit, all counts get
// more limbs. The error is ctx's.
func (d *Diagram) Counts(ctx context.Context) (*Counts, error) {
	return d.CountsWithin(ctx, 0)
}

// CountsWithin does what Counts does with at most so many bytes; 0 is no limit. If that is
// not enough the error wraps [ErrLimit].
func (d *Diagram) CountsWithin(ctx context.Context, bytes int64) (*Counts, error) {
	c := &Counts{width: 1, limbs: make([]uint64, 2)}
	c.limbs[Top] = 1
	if err := c.resize(1, d.Size(), bytes); err != nil {
		return nil, err
	}
	for n := 2; n < d.Size(); {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		end := min(n+pollEvery, d.Size())
		n = c.sum(d.lo, d.hi, n, end)
		if n < end {
			// The growing step keeps the copying linear in the final size.
			if err := c.resize(c.width+1+c.width/4, d.Size(), bytes); err != nil {
				return nil, err
			}
		}
	}
	return c, c.resize(c.used(), d.Size(), bytes)
}

// sum counts the nodes from n to end and stops early at one whose count does
// not fit. It returns the first node that is not counted.
func (c *Counts) sum(lo, hi []uint32, n, end int) int {
	limbs, w := c.limbs, c.width
	if w == 1 {
		for ; n < end; n++ {
			s, carry := bits.Add64(limbs[lo[n]], limbs[hi[n]], 0)
			if carry != 0 {
				break
			}
			limbs[n] = s
		}
		return n
	}
	for ; n < end; n++ {
		x, y := limbs[int(lo[n])*w:][:w], limbs[int(hi[n])*w:][:w]
		z := limbs[n*w:][:w]
		carry := uint64(0)
		for k := range z {
			z[k], carry = bits.Add64(x[k], y[k], carry)
		}
		if carry != 0 {
			break
		}
	}
	return n
}

// used is the number of limbs that the largest count needs.
func (c *Counts) used() int {
	used := 1
	for at := 0; at < len(c.limbs); at += c.width {
		row := c.limbs[at : at+c.width]
		for used < c.width && anySet(row[used:]) {
			used++
		}
	}
	return used
}

func anySet(limbs []uint64) bool {
	for _, l := range limbs {
		if l != 0 {
			return true
		}
	}
	return false
}

// resize copies the counts to an array of size counts of the given width.
func (c *Counts) resize(width, size int, limit int64) error {
	if width == c.width && size*width == len(c.limbs) {
		return nil
	}
	if err := checkCountBytes(width, size, len(c.limbs), limit); err != nil {
		return err
	}
	limbs := make([]uint64, size*width)
	for n := range len(c.limbs) / c.width {
		copy(limbs[n*width:][:width], c.limbs[n*c.width:][:c.width])
	}
	c.limbs, c.width = limbs, width
	return nil
}

// checkCountBytes refuses size counts of the given width beside the limbs held.
func checkCountBytes(width, size, held int, limit int64) error {
	high, need := bits.Mul64(8*uint64(width), uint64(size))
	need += 8 * uint64(held)
	if high != 0 || need > math.MaxInt64 || limit > 0 && need > uint64(limit) {
		return fmt.Errorf("%w: counts of %d nodes need more than %d bytes", ErrLimit, size, limit)
	}
	return nil
}
