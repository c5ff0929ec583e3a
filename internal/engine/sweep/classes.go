package sweep

import (
	"slices"

	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/engine/key"
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

// classify sorts the moves of a step into classes, in the order of their last
// moves, and appends them.
func classify[K key.Key](classes []class[K], streams []automaton.Stream[K], low uint) []class[K] {
	mask := key.Low[K](low)
	for _, s := range slices.Backward(streams) {
		m := lowMove{
			test: uint32(s.Test[0] & mask[0]), want: uint32(s.Want[0] & mask[0]),
			add: uint32(s.Add[0] & mask[0]), variable: s.Variable,
		}
		s = automaton.Stream[K]{Test: key.Without(s.Test, mask), Want: key.Without(s.Want, mask), Add: key.Without(s.Add, mask), Guard: s.Guard}
		at := slices.IndexFunc(classes, func(c class[K]) bool { return c.Stream == s && c.parity == m.parity() })
		if at < 0 {
			at = len(classes)
			classes = append(classes, class[K]{Stream: s, parity: m.parity()})
		}
		classes[at].moves = append(classes[at].moves, m)
	}
	slices.Reverse(classes)
	for i := range classes {
		classes[i].share(uint32(i))
	}
	return classes
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
