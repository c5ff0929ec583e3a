package slab

import (
	"context"
	"crypto/sha256"
	"slices"
	"sort"

	"github.com/pavage/pavage/internal/engine/blockfile"
	"github.com/pavage/pavage/internal/engine/key"
	"github.com/pavage/pavage/internal/engine/limb"
)

// Reader reads the states in a range of keys. It must be closed unless it was read to its end.
type Reader[K key.Key] struct {
	Limbs   int // number of limbs of each count that Next returns
	ctx     context.Context
	slab    *Slab[K]
	bounds  Bounds[K]
	pages   []child[K] // pages of the range that are still to be read
	leaves  []child[K] // leaves of the current page that are still to be read
	begun   bool
	from    stream[K] // bytes from the next leaf to the end of the last page of the range
	decoder blockfile.Decoder[K]
	buf     []byte
	sum     []uint64
	last    K
	any     bool
	done    bool
	err     error
}

// Range returns a Reader of a range of keys. It reads nothing before the first call of Next.
func (s *Slab[K]) Range(ctx context.Context, b Bounds[K]) *Reader[K] {
	limbs := limbsOf(s.ref.Bits)
	r := &Reader[K]{
		Limbs: limbs, ctx: ctx, slab: s, bounds: b, done: b.HasLo && b.HasHi && !key.Less(b.Lo, b.Hi),
		decoder: blockfile.Decoder[K]{Limbs: limbs}, sum: make([]uint64, limbs+1),
	}
	from, to := b.cut(s.pages)
	r.pages = s.pages[from:to]
	at := lengthOf(s.pages[:from])
	r.from = stream[K]{slab: s, at: at, end: at + lengthOf(r.pages)}
	return r
}

func (b *Bounds[K]) cut(children []child[K]) (from, to int) {
	n := len(children)
	to = n
	if b.HasLo {
		from = max(1, sort.Search(n, func(i int) bool { return key.Less(b.Lo, children[i].first) })) - 1
	}
	if b.HasHi {
		to = sort.Search(n, func(i int) bool { return !key.Less(children[i].first, b.Hi) })
	}
	return from, max(from, to)
}

// Next returns the next keys and their counts, or no keys at the end. Each count has r.Limbs limbs.
// The slices are valid until the next call. After an error, each call returns the same error.
func (r *Reader[K]) Next() (keys []K, counts []uint64, err error) {
	for len(keys) == 0 && !r.done {
		if keys, counts, r.err = r.next(); r.err != nil {
			r.Close()
		}
	}
	return keys, counts, r.err
}

func (r *Reader[K]) next() (keys []K, counts []uint64, err error) {
	if err := r.ctx.Err(); err != nil {
		return nil, nil, err
	}
	for len(r.leaves) == 0 {
		if len(r.pages) == 0 {
			r.Close()
			return nil, nil, nil
		}
		if err := r.page(); err != nil {
			return nil, nil, err
		}
	}
	if err := r.leaf(); err != nil {
		return nil, nil, err
	}
	keys, counts = r.inside(r.decoder.Keys, r.decoder.Counts)
	return keys, counts, nil
}

// page reads the next page. It reads the first page alone, to skip the leaves before the range.
func (r *Reader[K]) page() (err error) {
	c, place := &r.pages[0], r.from.at
	r.pages = r.pages[1:]
	length := pageBytes[K](c.states)
	if length > maxLeaves*childBytes[K]() || length > c.length {
		return r.slab.damaged(place, "a page is too large")
	}
	if r.begun {
		r.buf, err = r.from.read(r.ctx, length, r.buf[:0])
	} else {
		r.buf, err = r.slab.read(r.ctx, place, length)
	}
	if err != nil {
		return err
	}
	if sha256.Sum256(r.buf) != c.sum {
		return r.slab.damaged(place, "a page has another hash than is listed")
	}
	leaves, wrong := cutChildren[K](r.buf, r.slab.head.Prime)
	if wrong != "" {
		return r.slab.damaged(place, wrong)
	}
	all := whole(leaves, r.slab.head.Prime)
	if all.first != c.first || all.states != c.states || all.bits != c.bits || all.residue != c.residue || length+lengthOf(leaves) != c.length {
		return r.slab.damaged(place, "a page has other sums than are listed")
	}
	from, to := r.bounds.cut(leaves)
	r.leaves = leaves[from:to]
	if !r.begun {
		r.from.at, r.begun = place+length+lengthOf(leaves[:from]), true
	}
	return nil
}

func (r *Reader[K]) leaf() (err error) {
	c, place := &r.leaves[0], r.from.at
	r.leaves = r.leaves[1:]
	n := int(min(c.states, leafStates+1))
	if n > leafStates || c.length > int64(r.decoder.Most(n)) {
		return r.slab.damaged(place, "a leaf is too large")
	}
	if r.buf, err = r.from.read(r.ctx, c.length, r.buf[:0]); err != nil {
		return err
	}
	if sha256.Sum256(r.buf) != c.sum {
		return r.slab.damaged(place, "a leaf has another hash than is listed")
	}
	if !r.decoder.Decode(r.buf, n) || r.decoder.Keys[0] != c.first || r.any && !key.Less(r.last, c.first) {
		return r.slab.damaged(place, "a leaf has other states than are listed")
	}
	r.last, r.any = r.decoder.Keys[n-1], true
	clear(r.sum)
	for count := range slices.Chunk(r.decoder.Counts, r.Limbs) {
		limb.Add(r.sum, count)
	}
	if limb.BitLength(r.decoder.Counts, r.Limbs) != c.bits || limb.Residue(r.sum, r.slab.head.Prime) != c.residue {
		return r.slab.damaged(place, "a leaf has other counts than are listed")
	}
	return nil
}

func (r *Reader[K]) inside(keys []K, counts []uint64) ([]K, []uint64) {
	if b := &r.bounds; b.HasHi {
		n := sort.Search(len(keys), func(i int) bool { return !key.Less(keys[i], b.Hi) })
		keys, counts = keys[:n], counts[:n*r.Limbs]
	}
	if b := &r.bounds; b.HasLo {
		n := sort.Search(len(keys), func(i int) bool { return !key.Less(keys[i], b.Lo) })
		keys, counts = keys[n:], counts[n*r.Limbs:]
	}
	return keys, counts
}

// Close closes the file. Next then returns no more keys.
func (r *Reader[K]) Close() {
	r.done = true
	r.from.close()
}
