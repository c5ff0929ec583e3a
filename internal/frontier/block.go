package frontier

import (
	"context"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"
)

// The merge, block by block. States that share all but their lowest bits lie
// side by side in a level: a block. Moves that share what they do above those
// bits, a class, map a block into one block of sums, so that all but the
// lowest bits are tested, added and merged once for a block and a class, not
// for every state and move:
//
//	level, low = 2                 classes            blocks of sums
//	┌ 0100 │ 00 01 11 ┐  ───  +0000: skip, +01, +11  ───►  0100 │ …
//	│ 0101 │ 10 11    │  ╲                                 0101 │ …
//	└ 1000 │ 00 10    ┘   ╲──  +0010: +01             ───►  0110 │ …
//
// Blocks are the keys of a small level of its own, classes its moves: their
// images are merged as states are. Within a block of sums order comes from a
// bitmap: one pass over its sources sets the bits of the images, which are then
// read off rising, and a second pass over the arcs adds counts where the number
// of bits below says. So a dense block costs what an array without keys would.
// A bit for each state tells whether the present item is covered, for then it
// has one move and most classes none.
//
// Reading the level once a move and merging arcs, which this came from, took
// 1.4 times as long for 10x10 tetrominoes (6 to 20 moves a step, 6 to 9 classes).
// What did not help: looking up which moves of a class fit by six low bits at a
// time, in place of testing each without a branch (as fast, and more to fill);
// levels of states whose present item is free alone, each kept until its turn
// (twice as many of them, for they no longer meet); blocks of other sizes (64
// to 512 states differ by less than a twentieth).

const (
	// maxLow bits of a key, at most, are within its block: a bitmap of 2^17
	// sums takes 16 KiB.
	maxLow = 18
	// fullBlock is how many states a block is to have on average.
	fullBlock = 256
)

// blocks are a level's states, block by block. No block crosses a slab.
type blocks[K key] struct {
	low   uint     // bits within a block
	heads []K      // what the states of a block have in common: the bits above low, and those bits below that all have
	first []uint32 // by block, and one more: its first state
	odd   []uint64 // bit s: the present item is covered in state s
}

func (b *blocks[K]) bytes() int64 {
	var k K
	return int64(cap(b.heads)*len(k)+cap(b.odd))*wordBytes + 4*int64(cap(b.first))
}

// lowMask is a key of low ones.
func lowMask[K key](low uint) (k K) {
	k[0] = lowBits(int(low))
	return k
}

// without is a without the bits of b.
func without[K key](a, b K) K {
	for i := 0; i < len(a); i++ {
		a[i] &^= b[i]
	}
	return a
}

// blockBits is for how many low bits a level has full blocks, as far as a
// sample of neighbours tells: where the highest bits lie that tell them apart.
func (r *run[K]) blockBits() uint {
	var apart [64 + 1]int // pairs of neighbours by the bit length of what tells them apart
	pairs := 0
	stretches := 1 + r.in.n/blockSample
	for from := 1; from < r.in.n; from += max(blockSample, r.in.n/min(stretches, blockStretches)) {
		last := r.in.key(from - 1)
		for i := from; i < min(r.in.n, from+blockSample); i++ {
			k := r.in.key(i)
			apart[apartBits(last, k)]++
			last = k
			pairs++
		}
	}
	most := uint(min(maxLow, r.a.Window))
	starts, low := pairs, uint(0)
	for low < most && (low == 0 || starts*fullBlock > pairs) {
		low++
		starts -= apart[low]
	}
	return low
}

// blockStretches of blockSample neighbours are looked at.
const (
	blockSample    = 1 << 9
	blockStretches = 1 << 5
)

// apartBits is the bit length of what tells two keys apart, 64 if it is not in
// the lowest word.
func apartBits[K key](a, b K) int {
	for i := 1; i < len(a); i++ {
		if a[i] != b[i] {
			return 64
		}
	}
	return bits.Len64(a[0] ^ b[0])
}

// findBlocks finds the blocks of the level, slab by slab on all threads. Those
// of slabs on a shelf are there.
func (r *run[K]) findBlocks(ctx context.Context) error {
	b := &r.blocks
	if r.in.shelf != nil {
		return r.takeBlocks()
	}
	b.low = r.blockBits()
	b.odd = slices.Grow(b.odd[:0], (r.in.n+63)/64)[:(r.in.n+63)/64]
	for len(r.slabs) < len(r.in.keys) {
		r.slabs = append(r.slabs, blocks[K]{})
	}
	slabs := r.slabs[:len(r.in.keys)]
	var next atomic.Int64
	var wg sync.WaitGroup
	work := func() {
		for ctx.Err() == nil {
			i := int(next.Add(1)) - 1
			if i >= len(slabs) {
				return
			}
			slabs[i].split(r.in.keys[i], uint32(i<<slabBits), b.low, b.odd[i<<slabBits/64:])
		}
	}
	for range min(len(r.workers), len(slabs)) - 1 {
		wg.Go(work)
	}
	work()
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	b.heads, b.first = b.heads[:0], b.first[:0]
	for i := range slabs {
		b.heads, b.first = append(b.heads, slabs[i].heads...), append(b.first, slabs[i].first...)
	}
	b.first = append(b.first, uint32(r.in.n))
	return r.countBlocks()
}

// countBlocks counts what the memory of the blocks has grown by. Like the
// workers' buffers it is used from now on, also if it is too much.
func (r *run[K]) countBlocks() error {
	size := r.blocks.bytes()
	for i := range r.slabs {
		size += r.slabs[i].bytes()
	}
	grown := size - r.splitBytes
	err := r.store.take(grown)
	if err != nil {
		r.store.used.Add(grown)
	}
	r.splitBytes = size
	return err
}

// split finds the blocks of a slab, whose first state is given.
func (b *blocks[K]) split(keys []K, first uint32, low uint, odd []uint64) {
	b.heads, b.first = b.heads[:0], b.first[:0]
	mask := lowMask[K](low)
	var high K
	all := mask[0] // low bits that all states of the block have
	for len(keys) > 0 {
		var word uint64
		some := keys[:min(64, len(keys))]
		for i, k := range some {
			word |= k[0] & 1 << i
			if h := without(k, mask); h != high || len(b.heads) == 0 {
				if len(b.heads) > 0 {
					b.heads[len(b.heads)-1][0] |= all
				}
				b.heads, b.first = append(b.heads, h), append(b.first, first+uint32(i))
				high, all = h, mask[0]
			}
			all &= k[0]
		}
		odd[0], odd = word, odd[1:]
		keys, first = keys[len(some):], first+uint32(len(some))
	}
	if len(b.heads) > 0 {
		b.heads[len(b.heads)-1][0] |= all
	}
}

// class is the moves of a step that are the same but for the low bits. As a
// stream it maps the heads of blocks, which only have to leave free what all
// its moves add.
type class[K key] struct {
	stream[K]
	parity parity  // of the states that its moves fit
	shared lowMove // what all of them demand
	moves  []lowMove
}

// parity tells states by whether the present item is covered.
type parity uint64

const (
	bare    parity = iota // it is not
	covered               // it is
	either
)

// of picks the states of a parity out of 64, given which are covered.
func (p parity) of(odd uint64) uint64 {
	switch p {
	case bare:
		return ^odd
	case covered:
		return odd
	default:
		return ^uint64(0)
	}
}

// lowMove is what a move does to the low bits, and its variable.
type lowMove struct {
	test, want, add uint32
	variable        uint32
}

func (m *lowMove) parity() parity {
	if m.test&1 == 0 {
		return either
	}
	return parity(m.want & 1)
}

// classes sorts the moves into classes, in the order of their last moves.
func (r *run[K]) classify(streams []stream[K]) {
	mask := lowMask[K](r.blocks.low)
	r.classes = r.classes[:0]
	for _, s := range slices.Backward(streams) {
		m := lowMove{
			test: uint32(s.test[0] & mask[0]), want: uint32(s.want[0] & mask[0]),
			add: uint32(s.add[0] & mask[0]), variable: s.variable,
		}
		s = stream[K]{test: without(s.test, mask), want: without(s.want, mask), add: without(s.add, mask), guard: s.guard}
		at := slices.IndexFunc(r.classes, func(c class[K]) bool { return c.stream == s && c.parity == m.parity() })
		if at < 0 {
			at = len(r.classes)
			r.classes = append(r.classes, class[K]{stream: s, parity: m.parity()})
		}
		r.classes[at].moves = append(r.classes[at].moves, m)
	}
	slices.Reverse(r.classes)
	for i := range r.classes {
		r.classes[i].share(uint32(i))
	}
}

// share finds what a class's moves have in common. What they all add must be
// free in some state of a block, so that not all of its states have it.
func (c *class[K]) share(number uint32) {
	c.variable = number
	c.shared = c.moves[0]
	for _, m := range c.moves[1:] {
		c.shared.test &= m.test &^ (m.want ^ c.shared.want)
	}
	c.shared.want &= c.shared.test
	c.test[0] |= uint64(c.shared.test &^ c.shared.want)
}
