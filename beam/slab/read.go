package slab

import (
	"context"
	"crypto/sha256"
	"sort"

	"github.com/pavage/pavage/internal/engine/blockfile"
	"github.com/pavage/pavage/internal/engine/key"
	"github.com/pavage/pavage/internal/engine/limb"
)

// Reader reads the states of a range of keys. Next hands out a leaf's worth at a time. Close it if it was
// not read to its end.
type Reader[K key.Key] struct {
	Limbs   int // of the counts that Next hands out
	ctx     context.Context
	slab    *Slab[K]
	bounds  Bounds[K]
	layers  []layer[K] // the first is the root, the last lists leaves; nil: nothing was read yet
	leaves  stream[K]
	decoder blockfile.Decoder[K]
	buf     []byte
	sum     []uint64
	last    K // that was read
	any     bool
	done    bool
	err     error // that ended it
}

// layer is where a reader stands in the pages of one height.
type layer[K key.Key] struct {
	page     page[K]   // the present one
	next, to int       // children of it that are still to be read
	place    int64     // where the next child begins
	pages    stream[K] // of the pages of this height, up to the last of the range
	last     page[K]   // the last of the range, which is read before the others
}

// Range reads the states of a range of keys. Nothing is read before Next is called.
func (s *Slab[K]) Range(ctx context.Context, b Bounds[K]) *Reader[K] {
	limbs := s.ref.Limbs()
	return &Reader[K]{
		Limbs: limbs, ctx: ctx, slab: s, bounds: b, done: b.HasLo && b.HasHi && !key.Less(b.Lo, b.Hi),
		decoder: blockfile.Decoder[K]{Limbs: limbs}, sum: make([]uint64, limbs+1),
	}
}

// cut are the children of a page in which states of the range can be.
func (b *Bounds[K]) cut(p *page[K]) (from, to int) {
	n := len(p.children)
	to = n
	if b.HasLo {
		from = max(1, sort.Search(n, func(i int) bool { return key.Less(b.Lo, p.children[i].first) })) - 1
	}
	if b.HasHi {
		to = sort.Search(n, func(i int) bool { return !key.Less(p.children[i].first, b.Hi) })
	}
	return from, max(from, to)
}

// enter makes p the present page of a layer.
func (l *layer[K]) enter(p page[K], b *Bounds[K]) {
	l.page = p
	l.next, l.to = b.cut(&p)
	l.place = p.begin(l.next)
}

// begin reads the pages at the end of the range, from the root down, so that it is known where the reads
// of all heights end; then those at its beginning.
func (r *Reader[K]) begin() error {
	r.layers = make([]layer[K], r.slab.root.height+1)
	r.layers[0].enter(r.slab.root.page, &r.bounds)
	if r.layers[0].next == r.layers[0].to {
		r.done = true
		return nil
	}
	last := r.slab.root.page
	for h := 1; h < len(r.layers); h++ {
		_, to := r.bounds.cut(&last)
		place := last.begin(to - 1)
		p, err := r.slab.page(r.ctx, &last.children[to-1], place)
		if err != nil {
			return err
		}
		r.layers[h].last, last = p, p
		r.layers[h].pages = stream[K]{slab: r.slab, at: -1, end: place}
	}
	_, to := r.bounds.cut(&last)
	r.leaves = stream[K]{slab: r.slab, at: -1, end: last.begin(to)}
	return nil
}

// child is the next child in the range of the pages of a height, and where it begins.
func (r *Reader[K]) child(h int) (c *child[K], place int64, err error) {
	l := &r.layers[h]
	for l.next == l.to {
		if h == 0 {
			return nil, 0, nil
		}
		c, place, err := r.child(h - 1)
		if c == nil || err != nil {
			return nil, 0, err
		}
		if err := r.enter(l, c, place); err != nil {
			return nil, 0, err
		}
	}
	c, place = &l.page.children[l.next], l.place
	l.next, l.place = l.next+1, place+c.length
	return c, place, nil
}

// enter makes the page c, which begins at place, the present one of a layer.
func (r *Reader[K]) enter(l *layer[K], c *child[K], place int64) (err error) {
	p := l.last
	if place != l.pages.end {
		if err := r.slab.fits(c, place); err != nil {
			return err
		}
		if r.buf, err = r.page(&l.pages, c, place); err != nil {
			return err
		}
		if p, err = r.slab.cut(r.buf, c, place); err != nil {
			return err
		}
	}
	l.enter(p, &r.bounds)
	return nil
}

// page reads a page from the stream of its height, on which it must be the next.
func (r *Reader[K]) page(f *stream[K], c *child[K], place int64) ([]byte, error) {
	if f.at < 0 {
		f.at = place
	}
	if f.at != place {
		return nil, r.slab.damaged(place, "pages of one height do not lie side by side")
	}
	return f.read(r.ctx, c.length, r.buf[:0])
}

// Next hands out the next states and their counts, of r.Limbs limbs each, without residues: good until it is
// called again. When there are no more it hands out nothing. After an error it has no other answer.
func (r *Reader[K]) Next() (keys []K, counts []uint64, err error) {
	for len(keys) == 0 && !r.done {
		if keys, counts, r.err = r.next(); r.err != nil {
			r.Close()
		}
	}
	return keys, counts, r.err
}

// next hands out the part of the next leaf that is in the range.
func (r *Reader[K]) next() (keys []K, counts []uint64, err error) {
	if err := r.ctx.Err(); err != nil {
		return nil, nil, err
	}
	if r.layers == nil {
		if err := r.begin(); err != nil || r.done {
			return nil, nil, err
		}
	}
	c, place, err := r.child(len(r.layers) - 1)
	if err != nil {
		return nil, nil, err
	}
	if c == nil {
		r.Close()
		return nil, nil, nil
	}
	if err := r.leaf(c, place); err != nil {
		return nil, nil, err
	}
	keys, counts = r.inside(r.decoder.Keys, r.decoder.Counts)
	return keys, counts, nil
}

// leaf reads a leaf and checks it.
func (r *Reader[K]) leaf(c *child[K], place int64) (err error) {
	n := int(min(c.states, LeafStates+1))
	if n > LeafStates || c.length > int64(r.decoder.Most(n)) {
		return r.slab.damaged(place, "a leaf is too large")
	}
	if r.buf, err = r.page(&r.leaves, c, place); err != nil {
		return err
	}
	if sha256.Sum256(r.buf) != c.sum {
		return r.slab.damaged(place, "a leaf has another hash than is listed")
	}
	if !r.decoder.Decode(r.buf, n) || r.decoder.Keys[0] != c.first || r.any && !key.Less(r.last, c.first) {
		return r.slab.damaged(place, "a leaf has other states than are listed")
	}
	r.last, r.any = r.decoder.Keys[n-1], true
	if limb.BitLength(r.decoder.Counts, r.Limbs) != c.bits || r.residue() != c.residue {
		return r.slab.damaged(place, "a leaf has other counts than are listed")
	}
	return nil
}

// residue is that of the sum of the leaf's counts.
func (r *Reader[K]) residue() uint64 {
	clear(r.sum)
	addAll(r.sum, r.decoder.Counts, r.Limbs)
	return limb.Residue(r.sum, r.slab.head.Prime)
}

// addAll adds counts to a sum, which has a limb more.
func addAll(sum, counts []uint64, limbs int) {
	for ; len(counts) > 0; counts = counts[limbs:] {
		limb.Add(sum, counts[:limbs])
	}
}

// inside are the states of a leaf that are in the range.
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

// Close ends the reads. Next then hands out nothing.
func (r *Reader[K]) Close() {
	r.done = true
	r.leaves.close()
	for i := range r.layers {
		r.layers[i].pages.close()
	}
}
