package sweep

import (
	"math/bits"
	"slices"

	"github.com/pavage/pavage/internal/automaton"
	"github.com/pavage/pavage/internal/key"
)

// sorter puts the images of one block of sums at a time in order, see block.go.
type sorter struct {
	words   [sumsWords]uint64      // bit x: there is an image with low bits x
	summary [sumsWords / 64]uint64 // bit w: words[w] is not zero
	below   [sumsWords]uint32      // where words[w] is not zero: the part's states before it

	picked    [pickedStates + 1]image // states of a block
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
	below := key.Low[K](s.in.blocks.low - 1)
	for i := 0; i < len(run); {
		base, j := key.Without(run[i].key, below), i+1
		for j < len(run) && key.Without(run[j].key, below) == base {
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
	p.close()
	if s.noted {
		p.group()
	}
	return nil
}

// mark lists the images of some blocks and sets their bits.
func (s *stepping[K]) mark(w *worker[K], run []entry[K]) error {
	t := w.sorter
	t.images, t.variables = t.images[:0], t.variables[:0]
	for _, e := range run {
		c := &s.classes[e.variable]
		first, end := s.in.blocks.first[e.source], uint32(s.in.end(int(e.source)))
		slab := int(first >> slabBits)
		if err := w.open(int(e.variable), slab); err != nil {
			return err
		}
		lows := w.lows[slab]
		for first < end {
			last := min(end, first&^63+pickedStates)
			t.move(c.moves, lows, s.odd, first, last, &c.shared, c.parity, s.c.Arcs)
			first = last
		}
	}
	for _, m := range t.images {
		t.set(m.low)
	}
	return nil
}

// move appends the images of the states from first to end (exclusive), of one
// slab and at most pickedStates. Whether a move fits is anyone's guess, so that
// it is arithmetic, not a branch.
func (t *sorter) move(moves []lowMove, lows []uint16, odd []uint64, first, end uint32, shared *lowMove, p parity, arcs bool) {
	at := len(t.images)
	t.images = slices.Grow(t.images, int(end-first)*len(moves)+1)
	images := t.images[:cap(t.images)]
	if len(moves) == 1 { // which all fit that are picked
		at += pick(images[at:], lows, odd, first, end, shared, p, moves[0].add, 1)
		t.note(moves[0].variable, at-len(t.images), arcs)
		t.images = images[:at]
		return
	}
	picked := t.picked[:pick(t.picked[:], lows, odd, first, end, shared, p, 0, 0)]
	for _, m := range moves {
		from := at
		for _, s := range picked {
			images[at] = image{(s.low + m.add) >> 1, s.source}
			at += equal(s.low&m.test, m.want)
		}
		t.note(m.variable, at-from, arcs)
	}
	t.images = images[:at]
}

// note notes the variable of n images, if arcs are wanted.
func (t *sorter) note(variable uint32, n int, arcs bool) {
	if arcs {
		t.variables = append(t.variables, slices.Repeat([]uint32{variable}, n)...)
	}
}

// pick lists the states from first to end (exclusive) that have a parity and fit
// what all moves of a class demand, with their low bits increased and shifted,
// and returns how many there are. There is room for one more.
func pick(to []image, lows []uint16, odd []uint64, first, end uint32, shared *lowMove, p parity, add uint32, shift uint8) int {
	test, want := shared.test, shared.want
	n := 0
	for w := first >> 6; w <= (end-1)>>6; w++ {
		set := p.of(odd[w])
		if w == first>>6 {
			set &= ^uint64(0) << (first & 63)
		}
		if over := (w + 1) << 6; over > end {
			set &= ^uint64(0) >> (over - end)
		}
		for ; set != 0; set &= set - 1 {
			s := w<<6 | uint32(bits.TrailingZeros64(set))
			low := uint32(lows[s&slabMask])
			to[n] = image{(low + add) >> (shift & 31), s}
			n += equal(low&test, want)
		}
	}
	return n
}

// equal is 1 if two low parts are equal and 0 otherwise, without a branch.
func equal(a, b uint32) int { return int(a^b-1) >> 31 }

// pickedStates are moved at once.
const pickedStates = 1 << 9

// emit appends the states of a block of sums to the part, but for those that
// keep refuses, with their counts or arcs, and clears the block. It reports
// whether the counts have limbs enough.
func (s *stepping[K]) emit(w *worker[K], p *part[K], base K) bool {
	t := w.sorter
	mask := key.Low[K](s.in.blocks.low)
	high := key.Without(base, mask)
	p.addTo(high, mask)
	half := uint16(base[0] & mask[0])
	summary := t.summary[:1+mask[0]>>1>>12]
	for i, w := range summary {
		for ; w != 0; w &= w - 1 {
			at := uint32(i<<6 | bits.TrailingZeros64(w))
			t.below[at] = uint32(len(p.lows))
			p.readOff(t.words[at], half|uint16(at<<6))
			if s.Keep != nil {
				p.prune(t, at, high, s.Keep)
			}
		}
	}
	p.dropEmpty()
	p.all += len(t.images)
	if s.c.Arcs || s.noted {
		p.list(t)
	}
	wide := true
	if s.out.limbs > 0 {
		wide = p.add(t, w.counts, s.out.limbs, s.in.limbs, s.c.Moduli)
	}
	for i, w := range summary {
		for ; w != 0; w &= w - 1 {
			t.words[i<<6|bits.TrailingZeros64(w)] = 0
		}
	}
	clear(summary)
	return wide
}

// readOff appends the states of a word of the bitmap, whose other low bits are
// given.
func (p *part[K]) readOff(word uint64, low uint16) {
	lows, common := slices.Grow(p.lows, 64), p.common
	for ; word != 0; word &= word - 1 {
		x := low | uint16(bits.TrailingZeros64(word))
		lows = append(lows, x)
		common &= x
	}
	p.lows, p.common = lows, common
}

// prune takes the states that keep refuses out of a word that was read off.
func (p *part[K]) prune(t *sorter, at uint32, high K, keep func(K) bool) {
	from := int(t.below[at])
	kept := p.lows[:from]
	word := t.words[at]
	for i := from; word != 0; i++ {
		bit := word & -word
		word ^= bit
		k := high
		k[0] |= uint64(p.lows[i])
		if keep(k) {
			kept = append(kept, p.lows[i])
		} else {
			t.words[at] ^= bit
			p.pruned++
		}
	}
	p.lows = kept
}

// list appends the arcs of a block to the part's.
func (p *part[K]) list(t *sorter) {
	for i, m := range t.images {
		child, ok := t.index(m.low)
		if !ok {
			continue
		}
		variable := uint32(automaton.Skip)
		if i < len(t.variables) {
			variable = t.variables[i]
		}
		p.arcs = append(p.arcs, partArc{m.source, variable, child})
	}
}

// group turns the part's arcs into those kept for repetition.
func (p *part[K]) group() {
	p.along = gathered{degree: make([]uint16, len(p.lows)), from: make([]uint32, len(p.arcs))}
	for _, a := range p.arcs {
		p.along.degree[a.child]++
	}
	at := make([]uint32, len(p.lows))
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
