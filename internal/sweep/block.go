package sweep

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/pavage/pavage/internal/automaton"
	"github.com/pavage/pavage/internal/key"
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

// maxLow bits of a key, at most, are within its block: what is left of a key in a
// level takes two bytes, and a bitmap of 2^15 sums four thousand. With as many
// bits blocks have a hundred states or more where levels are large (12x12
// tetrominoes 139, 20x20 dominoes 11,547; 8x8 pentominoes and a square, whose
// flags are high bits, 8 to 108).
const maxLow = 16

// blocks are a level's states, block by block. No block crosses a slab.
type blocks[K key.Key] struct {
	low   uint     // bits within a block
	heads []K      // what the states of a block have in common: the bits above the low ones, and those low bits that all have
	first []uint32 // by block: its first state
}

func (b *blocks[K]) bytes() int64 {
	var k K
	return int64(cap(b.heads)*len(k))*wordBytes + 4*int64(cap(b.first))
}

// lowOf is how many bits of an automaton's keys are within a block.
func lowOf(a *automaton.Automaton) uint { return uint(min(maxLow, a.Window)) }

// findOdd finds the states whose present item is covered, slab by slab on all
// threads.
func (r *Sweep[K]) findOdd(ctx context.Context) error {
	words := (r.in.n + 63) / 64
	if grown := words - cap(r.odd); grown > 0 {
		if err := r.store.take(int64(grown) * wordBytes); err != nil {
			return err
		}
		r.odd = make([]uint64, words)
	}
	r.odd = r.odd[:words]
	if r.in.shelf != nil {
		r.in.shelf.findOdd(r.odd)
		return nil
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	work := func() {
		for ctx.Err() == nil {
			i := int(next.Add(1)) - 1
			if i >= len(r.in.lows) {
				return
			}
			markOdd(r.odd[i<<slabBits/64:], r.in.lows[i])
		}
	}
	for range min(len(r.workers), len(r.in.lows)) - 1 {
		wg.Go(work)
	}
	work()
	wg.Wait()
	return ctx.Err()
}

// markOdd sets bit s of odd to the lowest bit of state s.
func markOdd(odd []uint64, lows []uint16) {
	for w := 0; len(lows) > 0; w++ {
		some := lows[:min(64, len(lows))]
		var word uint64
		for i, low := range some {
			word |= uint64(low&1) << i
		}
		odd[w] = word
		lows = lows[len(some):]
	}
}

// class is the moves of a step that are the same but for the low bits. As a
// stream it maps the heads of blocks, which only have to leave free what all
// its moves add.
type class[K key.Key] struct {
	automaton.Stream[K]
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
func (r *Sweep[K]) classify(streams []automaton.Stream[K]) {
	mask := key.Low[K](lowOf(r.a))
	r.classes = r.classes[:0]
	for _, s := range slices.Backward(streams) {
		m := lowMove{
			test: uint32(s.Test[0] & mask[0]), want: uint32(s.Want[0] & mask[0]),
			add: uint32(s.Add[0] & mask[0]), variable: s.Variable,
		}
		s = automaton.Stream[K]{Test: key.Without(s.Test, mask), Want: key.Without(s.Want, mask), Add: key.Without(s.Add, mask), Guard: s.Guard}
		at := slices.IndexFunc(r.classes, func(c class[K]) bool { return c.Stream == s && c.parity == m.parity() })
		if at < 0 {
			at = len(r.classes)
			r.classes = append(r.classes, class[K]{Stream: s, parity: m.parity()})
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
	c.Variable = number
	c.shared = c.moves[0]
	for _, m := range c.moves[1:] {
		c.shared.test &= m.test &^ (m.want ^ c.shared.want)
	}
	c.shared.want &= c.shared.test
	c.Test[0] |= uint64(c.shared.test &^ c.shared.want)
}
