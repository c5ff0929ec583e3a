package frontier

import (
	"math/bits"
	"slices"
)

// sorter puts the images of one block of sums at a time in order, see block.go.
type sorter struct {
	words   [sumsWords]uint64      // bit x: there is an image with low bits x
	summary [sumsWords / 64]uint64 // bit w: words[w] is not zero
	below   [sumsWords]uint32      // where words[w] is not zero: the part's states before it

	picked    [pickedStates]image // states of a block
	images    []image
	variables []uint32 // of the images, if arcs are wanted
}

const sumsWords = 1 << (maxLow - 1) / 64

// image is a state, or an arc: the low bits of the state it goes to, and its source's index.
type image struct{ low, source uint32 }

const imageBytes = 8

func (t *sorter) bytes() int64 {
	if t == nil {
		return 0
	}
	const fixed = pickedStates*imageBytes + sumsWords*wordBytes + sumsWords/64*wordBytes + sumsWords*4
	return fixed + int64(cap(t.images))*imageBytes + int64(cap(t.variables))*4
}

// set sets bit x.
func (t *sorter) set(x uint32) {
	t.words[x>>6%sumsWords] |= 1 << (x & 63)
	t.summary[x>>12%(sumsWords/64)] |= 1 << (x >> 6 & 63)
}

// index is that of an image's state in the part, if it was kept.
func (t *sorter) index(x uint32) (at uint32, ok bool) {
	w, bit := x>>6%sumsWords, uint64(1)<<(x&63)
	word := t.words[w]
	return t.below[w] + uint32(bits.OnesCount64(word&(bit-1))), word&bit != 0
}

// fill makes a part of a sorted run of blocks. It fails with
// errNarrow, and where slabs cannot be fetched.
func (s *stepping[K]) fill(w *worker[K], p *part[K], run []entry[K]) error {
	if w.sorter == nil {
		w.sorter = &sorter{}
	}
	p.clear()
	below := lowMask[K](s.blocks.low - 1)
	for i := 0; i < len(run); {
		base, j := without(run[i].key, below), i+1
		for j < len(run) && without(run[j].key, below) == base {
			j++
		}
		if err := s.mark(w, run[i:j]); err != nil {
			return err
		}
		if !s.emit(w, p, base) {
			return errNarrow
		}
		w.settle()
		i = j
	}
	if s.noted {
		p.group()
	}
	return nil
}

// mark lists the images of some blocks and sets their bits.
func (s *stepping[K]) mark(w *worker[K], run []entry[K]) error {
	t := w.sorter
	t.images, t.variables = t.images[:0], t.variables[:0]
	mask := uint32(lowBits(int(s.blocks.low)))
	for _, e := range run {
		c := &s.classes[e.variable]
		first, end := s.blocks.first[e.source], s.blocks.first[e.source+1]
		slab := int(first >> slabBits)
		if err := w.open(int(e.variable), slab); err != nil {
			return err
		}
		keys := w.reader.keys[slab]
		for first < end {
			last := min(end, first&^63+pickedStates)
			picked := pick(t, keys, s.blocks.odd, first, last, c, mask)
			t.move(c.moves, picked, s.c.Arcs)
			first = last
		}
	}
	for _, m := range t.images {
		t.set(m.low)
	}
	return nil
}

// pick lists the low bits and the numbers of the states from first to end
// (exclusive), of one slab and at most pickedStates, that fit what all moves of
// a class demand. Whether one does is anyone's guess, so that it is arithmetic,
// not a branch.
func pick[K key](t *sorter, keys []K, odd []uint64, first, end uint32, c *class[K], mask uint32) []image {
	test, want := c.shared.test, c.shared.want
	n := 0
	for w := first >> 6; w <= (end-1)>>6; w++ {
		set := c.parity.of(odd[w])
		if w == first>>6 {
			set &= ^uint64(0) << (first & 63)
		}
		if over := (w + 1) << 6; over > end {
			set &= ^uint64(0) >> (over - end)
		}
		for ; set != 0; set &= set - 1 {
			s := w<<6 | uint32(bits.TrailingZeros64(set))
			low := uint32(keys[s&slabMask][0]) & mask
			t.picked[n%pickedStates] = image{low, s}
			n += equal(low&test, want)
		}
	}
	return t.picked[:n]
}

// equal is 1 if two low parts are equal and 0 otherwise, without a branch.
func equal(a, b uint32) int { return int(a^b-1) >> 31 }

// pickedStates are moved at once.
const pickedStates = 1 << 9

// move appends the images of picked states.
func (t *sorter) move(moves []lowMove, picked []image, arcs bool) {
	t.images = slices.Grow(t.images, len(picked)*len(moves)+1)
	images := t.images[:cap(t.images)]
	at := len(t.images)
	for _, m := range moves {
		from := at
		for _, s := range picked {
			images[at] = image{(s.low + m.add) >> 1, s.source}
			at += equal(s.low&m.test, m.want)
		}
		if arcs {
			t.variables = append(t.variables, slices.Repeat([]uint32{m.variable}, at-from)...)
		}
	}
	t.images = images[:at]
}

// emit appends the states of a block of sums to the part, but for those that
// keep refuses, with their counts or arcs, and clears the block. It reports
// whether the counts have limbs enough.
func (s *stepping[K]) emit(w *worker[K], p *part[K], base K) bool {
	t := w.sorter
	summary := t.summary[:1+(lowBits(int(s.blocks.low))>>1)>>12]
	p.keys = slices.Grow(p.keys, len(t.images))
	for i, w := range summary {
		for ; w != 0; w &= w - 1 {
			at := uint32(i<<6 | bits.TrailingZeros64(w))
			t.below[at] = uint32(len(p.keys))
			p.keys = readOff(p.keys, t.words[at], base, at<<6)
			if s.keep != nil {
				p.prune(t, at, base, s.keep)
			}
		}
	}
	p.all += len(t.images)
	if s.c.Arcs || s.noted {
		p.list(t)
	}
	wide := true
	if s.out.limbs > 0 {
		wide = p.add(t, w.counts, s.out.limbs, s.in.limbs)
	}
	for i, w := range summary {
		for ; w != 0; w &= w - 1 {
			t.words[i<<6|bits.TrailingZeros64(w)] = 0
		}
	}
	clear(summary)
	return wide
}

// readOff appends the states of a word of the bitmap to keys, which have room.
func readOff[K key](keys []K, word uint64, base K, at uint32) []K {
	n := len(keys)
	keys = keys[:n+bits.OnesCount64(word)]
	for ; word != 0; word &= word - 1 {
		keys[n] = base
		keys[n][0] |= uint64(at) | uint64(bits.TrailingZeros64(word))
		n++
	}
	return keys
}

// prune takes the states that keep refuses out of a word that was read off.
func (p *part[K]) prune(t *sorter, at uint32, base K, keep func(K) bool) {
	from := int(t.below[at])
	kept := p.keys[:from]
	word := t.words[at]
	for _, k := range p.keys[from:] {
		if keep(k) {
			kept = append(kept, k)
		} else {
			t.words[at] &^= 1 << ((k[0] ^ base[0]) & 63)
		}
	}
	p.pruned += bits.OnesCount64(word ^ t.words[at])
	p.keys = kept
}

// list appends the arcs of a block to the part's.
func (p *part[K]) list(t *sorter) {
	for i, m := range t.images {
		child, ok := t.index(m.low)
		if !ok {
			continue
		}
		variable := uint32(Skip)
		if i < len(t.variables) {
			variable = t.variables[i]
		}
		p.arcs = append(p.arcs, partArc{m.source, variable, child})
	}
}

// group turns the part's arcs into those kept for repetition.
func (p *part[K]) group() {
	p.along = gathered{degree: make([]uint16, len(p.keys)), from: make([]uint32, len(p.arcs))}
	for _, a := range p.arcs {
		p.along.degree[a.child]++
	}
	at := make([]uint32, len(p.keys))
	sum := uint32(0)
	for child, d := range p.along.degree {
		at[child] = sum
		sum += uint32(d)
	}
	for _, a := range p.arcs {
		p.along.from[at[a.child]] = a.source
		at[a.child]++
	}
	p.arcs = p.arcs[:0]
}
