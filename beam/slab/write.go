package slab

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"

	"github.com/pavage/pavage/internal/engine/blockfile"
	"github.com/pavage/pavage/internal/engine/key"
	"github.com/pavage/pavage/internal/engine/limb"
)

// Writer writes a slab.
type Writer[K key.Key] struct {
	to     io.Writer
	head   Head
	at     int64 // number of bytes that were written
	states int64
	last   K
	keys   []K        // keys of the next leaf
	counts []uint64   // counts of the next leaf, without residues
	res    uint64     // sum of the residues of the next leaf
	leaves []child[K] // leaves of the next page
	bytes  []byte     // bytes of the leaves of the next page
	pages  []child[K]
	sum    []uint64 // sum of the counts; it has one more limb than a count
	marks  marks[K]
	err    error
}

// NewWriter returns a Writer of a slab.
func NewWriter[K key.Key](to io.Writer, h Head) *Writer[K] {
	w := &Writer[K]{to: to, head: h, sum: make([]uint64, h.Limbs+1), marks: marks[K]{stride: 1}}
	if h.Limbs < 1 || h.Prime < 2 || h.Prime > limb.MaxModulus || h.Level < 0 {
		w.err = fmt.Errorf("slab: the head has %d limbs, the prime %d and level %d, expected 1 limb or more, a prime from 2 to %d, and level 0 or more", h.Limbs, h.Prime, h.Level, uint64(limb.MaxModulus))
	}
	return w
}

// Add adds states with rising keys. Each count is followed by its residue. If a count and its
// residue do not agree, the error wraps ErrMiscounted.
func (w *Writer[K]) Add(keys []K, counts []uint64) error {
	if w.err != nil {
		return w.err
	}
	limbs := w.head.Limbs
	for _, k := range keys {
		w.marks.see(w.states, k)
		if w.states > 0 && !key.Less(w.last, k) {
			w.err = fmt.Errorf("slab: the key of state %d is not above the key before it, expected rising keys", w.states)
			return w.err
		}
		count, carried := counts[:limbs], counts[limbs]
		if counts = counts[limbs+1:]; limb.Residue(count, w.head.Prime) != carried {
			w.err = fmt.Errorf("%w: state %d of level %d: the count %s modulo %d is not the residue %d", ErrMiscounted, w.states, w.head.Level, limb.Int(count), w.head.Prime, carried)
			return w.err
		}
		w.keys, w.counts = append(w.keys, k), append(w.counts, count...)
		w.res = limb.SumModulo(w.res, carried, w.head.Prime)
		w.states, w.last = w.states+1, k
		limb.Add(w.sum, count)
		if len(w.keys) == leafStates {
			if w.leaf(); len(w.leaves) == maxLeaves {
				w.page()
			}
		}
	}
	return w.err
}

func (w *Writer[K]) leaf() {
	begin := len(w.bytes)
	w.bytes = blockfile.AppendStates(w.bytes, w.keys, w.counts, w.head.Limbs)
	w.leaves = append(w.leaves, child[K]{
		first: w.keys[0], length: int64(len(w.bytes) - begin), bits: limb.BitLength(w.counts, w.head.Limbs),
		states: int64(len(w.keys)), residue: w.res, sum: sha256.Sum256(w.bytes[begin:]),
	})
	w.keys, w.counts, w.res = w.keys[:0], w.counts[:0], 0
}

func (w *Writer[K]) page() {
	page := appendChildren(nil, w.leaves)
	c := whole(w.leaves, w.head.Prime)
	c.length, c.sum = int64(len(page)+len(w.bytes)), sha256.Sum256(page)
	w.pages = append(w.pages, c)
	w.write(page)
	w.write(w.bytes)
	w.leaves, w.bytes = w.leaves[:0], w.bytes[:0]
}

func (w *Writer[K]) write(b []byte) {
	if w.err == nil {
		_, w.err = w.to.Write(b)
		w.at += int64(len(b))
	}
}

// Close writes the last page and the root. It does not close the underlying writer.
func (w *Writer[K]) Close() (*Ref, error) {
	if w.err == nil && len(w.keys) > 0 {
		w.leaf()
	}
	if w.err == nil && len(w.leaves) > 0 {
		w.page()
	}
	all := whole(w.pages, w.head.Prime)
	if w.err == nil && limb.Residue(w.sum, w.head.Prime) != all.residue {
		w.err = fmt.Errorf("%w: the sum of the counts of level %d does not match the sum of the residues", ErrMiscounted, w.head.Level)
	}
	sum := limb.Int(w.sum)
	root := appendRoot(nil, &w.head, sum, w.pages)
	ref := &Ref{
		Name: nameOf(root), Root: w.at, States: all.states, Bits: all.bits, Sum: sum.String(),
		Residue: all.residue, Marks: w.marks.list(),
	}
	if w.write(root); w.err != nil {
		return nil, w.err
	}
	ref.Bytes, w.err = w.at, errClosed
	return ref, nil
}

var errClosed = errors.New("slab: the root of the slab is already written")

type marks[K key.Key] struct {
	keys   []K
	stride int64 // number of states between two marks, a power of 2
}

func (m *marks[K]) see(number int64, k K) {
	if number&(m.stride-1) != 0 {
		return
	}
	if len(m.keys) == maxMarks { // keep only every second mark
		for i := range maxMarks / 2 {
			m.keys[i] = m.keys[2*i]
		}
		m.keys = m.keys[:maxMarks/2]
		m.stride *= 2
	}
	m.keys = append(m.keys, k)
}

func (m *marks[K]) list() []Mark {
	list := make([]Mark, len(m.keys))
	for i, k := range m.keys {
		list[i] = Mark{formatKey(k), int64(i) * m.stride}
	}
	return list
}
