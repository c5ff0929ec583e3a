package sweep

import (
	"math/bits"
	"slices"
)

type sorter struct {
	words   [sumsWords]uint64      // bit x is set if some image has the low bits x
	summary [sumsWords / 64]uint64 // bit w is set if words[w] is not 0
	below   [sumsWords]uint32      // number of states of the part before a word that is not 0

	picked    [pickedStates + 1]image // states of a block that fit class.shared
	images    []image
	variables []uint32 // indexed by image; empty unless arcs are wanted
}

const sumsWords = 1 << (maxLow - 1) / 64

// image is an arc: the field source is the index of its source, and low has the low bits of its
// target. But in sorter.picked, low has the low bits of the source.
type image struct{ low, source uint32 }

const imageBytes = 8

func (t *sorter) bytes() int64 {
	if t == nil {
		return 0
	}
	const fixed = pickedStates*imageBytes + sumsWords*wordBytes + sumsWords/64*wordBytes + sumsWords*4
	return fixed + int64(cap(t.images))*imageBytes + int64(cap(t.variables))*4
}

func (t *sorter) set(x uint32) {
	t.words[x>>6%sumsWords] |= 1 << (x & 63)
	t.summary[x>>12%(sumsWords/64)] |= 1 << (x >> 6 & 63)
}

func (t *sorter) wipe(words int) {
	summary := t.summary[:words]
	for i, w := range summary {
		for ; w != 0; w &= w - 1 {
			t.words[i<<6|bits.TrailingZeros64(w)] = 0
		}
	}
	clear(summary)
}

func (t *sorter) index(x uint32) (at uint32, ok bool) {
	w, bit := x>>6%sumsWords, uint64(1)<<(x&63)
	word := t.words[w]
	return t.below[w] + uint32(bits.OnesCount64(word&(bit-1))), word&bit != 0
}

// move appends the images of the states from first to end-1, at most pickedStates states.
func (t *sorter) move(moves []lowMove, lows []uint16, odd []uint64, first, end uint32, shared *lowMove, p parity, arcs bool) {
	at := len(t.images)
	t.images = slices.Grow(t.images, int(end-first)*len(moves)+1)
	images := t.images[:cap(t.images)]
	if len(moves) == 1 { // the move fits all states that fit shared
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

func (t *sorter) note(variable uint32, n int, arcs bool) {
	for i := 0; arcs && i < n; i++ {
		t.variables = append(t.variables, variable)
	}
}

// pick stores the states from first to end-1 that have parity p and fit the tests in shared. To
// their low bits it adds the argument add, and then it shifts them right by shift bits. It returns
// the number of stored states, and may overwrite the entry after them.
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

// equal returns 1 if a and b are equal and 0 otherwise, without a branch. Both are below 2^31.
func equal(a, b uint32) int { return int(a^b-1) >> 31 }

const pickedStates = 1 << 9
