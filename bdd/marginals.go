package bdd

import (
	"context"
	"fmt"
	"math/big"
	"math/bits"

	"github.com/pavage/pavage/internal/engine/limb"
)

// Marginals returns, for each variable, the number of sets that have it. If counts has weights, it
// returns the sum of the weights of these sets. It holds at most the given number of bytes, or any
// number if bytes is 0. counts must be the counts of d.
//
// Marginals makes one pass down. For each node n, down(n) is a sum over all paths from the root to n.
// The term of a path is the product of the weights of its variables:
//
//	down(root) = 1, down(lo) += down(n), down(hi) += weight·down(n)
//	marginal of v = weight · sum over the nodes n of v: down(n) · V(hi)
//
// The error wraps [ErrLimit] or is the error of ctx.
func (d *Diagram) Marginals(ctx context.Context, counts *Counts, bytes int64) ([]*big.Int, error) {
	w := &ways{ctx: ctx, d: d, counts: counts, bytes: bytes}
	if err := w.hold(8*int64(d.Size()) + planeBytes*int64(d.Vars())); err != nil {
		return nil, err
	}
	w.low, w.high = make([]uint64, d.Size()), make([]plane, d.Vars())
	w.low[d.Root()] = 1
	marginals := make([]*big.Int, d.Vars())
	for v := range marginals {
		marginals[v] = new(big.Int)
		if first, end := d.Nodes(v); first < end {
			f := counts.factors.of(v)
			if err := w.variable(v, first, end, f); err != nil {
				return nil, err
			}
			marginals[v] = limb.Int(w.sum)
			if f.whole != nil {
				marginals[v].Mul(marginals[v], f.whole)
			}
		}
	}
	return marginals, nil
}

// ways has the numbers down(n). Many parents add to a number, so its width is not known in advance.
// All lowest limbs are in one array. The nodes of a variable get higher limbs when one of
// their numbers needs them, and lose them when the numbers have been added to the children.
type ways struct {
	ctx    context.Context
	d      *Diagram
	counts *Counts
	bytes  int64
	held   int64
	low    []uint64 // lowest limbs, indexed by node
	high   []plane  // higher limbs, indexed by variable
	sum    []uint64 // sum of down(n)·V(hi) over the nodes of the current variable

	number, product []uint64
	late            error // not nil if the limit of bytes has been exceeded
}

// plane has the higher limbs of the nodes of a variable. Each node has width limbs, usually 0.
type plane struct {
	limbs []uint64
	width int
}

const planeBytes = 32

func (p *plane) of(k uint32) []uint64 { return p.limbs[int(k)*p.width:][:p.width] }

func (w *ways) hold(bytes int64) error {
	if w.held += bytes; w.bytes > 0 && w.held > w.bytes {
		return fmt.Errorf("%w: marginals of %d nodes need more than %d bytes",
			ErrLimit, w.d.Size(), w.bytes)
	}
	return nil
}

func (w *ways) variable(v int, first, end uint32, f factor) error {
	w.sum = append(w.sum[:0], 0, 0, 0)
	// The nodes of a variable are sorted by hi, and later nodes of a diagram have counts of at least as
	// many limbs, so the hi of the last node has the widest count.
	word, short := f.word()
	short = short && w.counts.step(w.d.hi[end-1]) == 0 && w.high[v].width == 0
	for n := first; n < end; n += pollEvery {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		if to := min(end, n+pollEvery); short {
			w.sendWords(v, n, to, word)
		} else {
			w.send(v, n, to, f)
		}
		if w.late != nil {
			return w.late
		}
	}
	w.held -= 8 * int64(len(w.high[v].limbs))
	w.high[v] = plane{}
	return nil
}

// sendWords is like send. The weight, the numbers of the nodes of v, and the counts of their hi
// children must have one limb each.
func (w *ways) sendWords(v int, n, end uint32, weight uint64) {
	low, counts := w.low, w.counts.limbs
	s0, s1, s2 := w.sum[0], w.sum[1], w.sum[2]
	for ; n < end; n++ {
		lo, hi, x := w.d.lo[n], w.d.hi[n], low[n]
		over, product := bits.Mul64(x, counts[hi])
		var carry uint64
		s0, carry = bits.Add64(s0, product, 0)
		s1, carry = bits.Add64(s1, over, carry)
		s2 += carry
		if low[lo], carry = bits.Add64(low[lo], x, 0); carry != 0 {
			w.addHigh(v, lo, []uint64{1})
		}
		over, product = bits.Mul64(x, weight)
		if low[hi], carry = bits.Add64(low[hi], product, 0); carry|over != 0 {
			w.addHigh(v, hi, []uint64{over + carry})
		}
	}
	w.sum[0], w.sum[1], w.sum[2] = s0, s1, s2
}

// send adds the number x of each node from n to end-1 to the number of lo, weight·x to the number
// of hi, and x·V(hi) to w.sum.
func (w *ways) send(v int, n, end uint32, f factor) {
	first, _ := w.d.Nodes(v)
	for ; n < end; n++ {
		w.number = append(w.number[:0], w.low[n])
		if high := &w.high[v]; high.width > 0 {
			w.number = append(w.number, high.of(n-first)...)
		}
		w.number = limb.Trim(w.number)
		w.add(v, w.d.lo[n], w.number)
		// A sum of at most 2^64 products needs at most one limb more than the longest product.
		count := w.counts.Limbs(w.d.hi[n])
		for len(w.sum) < len(w.number)+len(count)+1 {
			w.sum = append(w.sum, 0)
		}
		limb.AddProduct(w.sum, count, w.number)
		w.product = f.times(w.product, w.number)
		w.add(v, w.d.hi[n], w.product)
	}
}

func (w *ways) add(v int, n uint32, x []uint64) {
	if len(x) == 0 {
		return
	}
	var carry uint64
	w.low[n], carry = bits.Add64(w.low[n], x[0], 0)
	if len(x) > 1 {
		w.addHigh(v, n, x[1:])
	}
	if carry != 0 {
		w.addHigh(v, n, []uint64{1})
	}
}

// addHigh adds x to the higher limbs of node n, whose variable is > v. It ignores terminals,
// whose numbers are not used.
func (w *ways) addHigh(v int, n uint32, x []uint64) {
	if n <= Top || w.late != nil {
		return
	}
	v = w.d.VarFrom(v+1, n)
	k, high := n-w.d.offset[v+1], &w.high[v]
	if high.width < len(x) && !w.widen(v, len(x)) {
		return
	}
	if width := high.width; limb.Add(high.of(k), x) != 0 && w.widen(v, width+1+width/4) {
		high.of(k)[width] = 1
	}
}

// widen extends the higher limbs of each node of v to width limbs. It reports whether the limit of
// bytes allows this.
func (w *ways) widen(v, width int) bool {
	first, end := w.d.Nodes(v)
	old, wide := w.high[v], plane{width: width}
	size := int64(end-first) * int64(width)
	if w.late = w.hold(8 * size); w.late != nil {
		return false
	}
	wide.limbs = make([]uint64, size)
	for k := range end - first {
		copy(wide.of(k), old.of(k))
	}
	w.high[v] = wide
	w.held -= 8 * int64(len(old.limbs))
	return true
}
