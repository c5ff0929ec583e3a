package slab

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math/big"

	"github.com/pavage/pavage/internal/engine/blockfile"
	"github.com/pavage/pavage/internal/engine/key"
	"github.com/pavage/pavage/internal/engine/limb"
)

// Writer writes a slab.
type Writer[K key.Key] struct {
	to     io.Writer
	head   Head
	at     int64      // bytes that were written
	states int64      // that were added
	last   K          // of them
	keys   []K        // of the next leaf
	counts []uint64   // of the next leaf, without residues
	res    uint64     // sum of the residues of the next leaf
	leaves []child[K] // that were written
	sum    []uint64   // of the counts, with a limb more
	marks  marks[K]
	buf    []byte
	err    error
}

// NewWriter begins a slab.
func NewWriter[K key.Key](to io.Writer, h Head) *Writer[K] {
	w := &Writer[K]{to: to, head: h, sum: make([]uint64, h.Limbs+1)}
	if h.Limbs < 1 || h.Prime < 2 || h.Prime > limb.MaxModulus || h.Level < 0 {
		w.err = fmt.Errorf("slab: a head of %d limbs, prime %d, level %d", h.Limbs, h.Prime, h.Level)
	}
	return w
}

// Add adds states with rising keys, also those of the calls before. Behind the limbs of each count stands its
// residue, which is compared with it (ErrMiscounted).
func (w *Writer[K]) Add(keys []K, counts []uint64) error {
	for len(keys) > 0 && w.err == nil {
		n := min(len(keys), LeafStates-len(w.keys))
		some := n * (w.head.Limbs + 1)
		w.err = w.take(keys[:n], counts[:some])
		keys, counts = keys[n:], counts[some:]
		if w.err == nil && len(w.keys) == LeafStates {
			w.err = w.leaf()
		}
	}
	return w.err
}

// take checks states and puts them into the next leaf.
func (w *Writer[K]) take(keys []K, counts []uint64) error {
	limbs := w.head.Limbs
	w.marks.see(w.states, keys)
	for _, k := range keys {
		if w.states > 0 && !key.Less(w.last, k) {
			return fmt.Errorf("slab: state %d is not above the one before it", w.states)
		}
		count, carried := counts[:limbs], counts[limbs]
		if counts = counts[limbs+1:]; limb.Residue(count, w.head.Prime) != carried {
			return fmt.Errorf("%w: state %d of level %d: %s modulo %d is not %d", ErrMiscounted, w.states, w.head.Level, limb.Int(count), w.head.Prime, carried)
		}
		w.keys, w.counts = append(w.keys, k), append(w.counts, count...)
		w.res = limb.SumModulo(w.res, carried, w.head.Prime)
		w.states, w.last = w.states+1, k
		limb.Add(w.sum, count)
	}
	return nil
}

// leaf writes the next leaf.
func (w *Writer[K]) leaf() error {
	w.buf = blockfile.AppendStates(w.buf[:0], w.keys, w.counts, w.head.Limbs)
	c := child[K]{
		first: w.keys[0], bits: limb.BitLength(w.counts, w.head.Limbs),
		states: int64(len(w.keys)), residue: w.res,
	}
	err := w.put(&c)
	w.leaves = append(w.leaves, c)
	w.keys, w.counts, w.res = w.keys[:0], w.counts[:0], 0
	return err
}

// put writes the page that is in the buffer, and enters its length and digest in c.
func (w *Writer[K]) put(c *child[K]) error {
	c.length, c.sum = int64(len(w.buf)), sha256.Sum256(w.buf)
	_, err := w.to.Write(w.buf)
	w.at += c.length
	return err
}

// Close writes the inner pages and the root. It does not close what it writes to.
func (w *Writer[K]) Close() (*Ref, error) {
	if w.err == nil && len(w.keys) > 0 {
		w.err = w.leaf()
	}
	if w.err != nil {
		return nil, w.err
	}
	r, err := w.inner()
	if err != nil {
		return nil, err
	}
	all := whole(r.children, w.head.Prime)
	if limb.Residue(w.sum, w.head.Prime) != all.residue {
		return nil, fmt.Errorf("%w: the sum of level %d", ErrMiscounted, w.head.Level)
	}
	w.buf = appendRoot(w.buf[:0], &w.head, r)
	ref := &Ref{
		Name: nameOf(w.buf), Root: w.at, States: all.states, Bits: all.bits, Sum: r.sum.String(),
		Residue: all.residue, Marks: w.marks.list(),
	}
	if err := w.put(&all); err != nil {
		return nil, err
	}
	ref.Bytes, w.err = w.at, errClosed
	return ref, nil
}

var errClosed = errors.New("slab: it is written already")

// inner writes the inner pages, from those that list leaves upwards, and returns the root.
func (w *Writer[K]) inner() (*root[K], error) {
	r := &root[K]{sum: new(big.Int).Set(limb.Int(w.sum))}
	r.children = w.leaves
	for len(r.children) > Children {
		place, next := w.at, r.place
		var above []child[K]
		for rest := r.children; len(rest) > 0; {
			some := rest[:min(Children, len(rest))]
			rest = rest[len(some):]
			c := whole(some, w.head.Prime)
			w.buf = appendPage(w.buf[:0], next, some)
			for i := range some {
				next += some[i].length
			}
			if err := w.put(&c); err != nil {
				return nil, err
			}
			above = append(above, c)
		}
		r.children, r.place = above, place
		r.height++
	}
	return r, nil
}
