package sweep

import (
	"slices"

	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/engine/key"
)

// The merge, block by block. States that share all but their lowest bits lie side by side in a
// level: a block. Moves that have the same effect above those bits, a class, map a block into one
// block of sums. So all but the lowest bits are tested, added and merged once for a block and a
// class, not for every state and move:
//
//	level, low = 2                 classes            blocks of sums
//	┌ 0100 │ 00 01 11 ┐  ───  +0000: skip, +01, +11  ───►  0100 │ …
//	│ 0101 │ 10 11    │  ╲                                 0101 │ …
//	└ 1000 │ 00 10    ┘   ╲──  +0010: +01             ───►  0110 │ …
//
// Blocks are the keys of a small level of its own, classes its moves: their images are merged as
// states are. Within a block of sums a bitmap puts the states in order: one pass over the sources
// sets the bits of the images, which are then read off rising, and a second pass over the arcs
// adds each count at the index that is the number of set bits below. So a dense block costs no
// more than an array without keys would. A bit for each state records whether the present item is
// covered: such a state has one move, and none in most classes.
//
// An earlier version, which read the level once for each move and merged arcs, needed 1.4 times
// the time for 10x10 tetrominoes (6 to 20 moves a step, 6 to 9 classes). Three changes did not
// help: looking up which moves of a class fit by six low bits at a time, in place of testing each
// without a branch (the same speed, and more to fill); levels that contain only states whose
// present item is free, and keep each state until its turn (twice the number of states, for they
// no longer meet); blocks of other sizes (64 to 512 states differ by less than a twentieth).

// class is the moves of a step that are equal but for the low bits. As a stream it maps the heads
// of blocks; a head must leave free only the bits that all its moves add.
type class[K key.Key] struct {
	automaton.Stream[K]
	parity parity  // of the states that its moves fit
	shared lowMove // the demands and bits that all of them share
	moves  []lowMove
}

// parity selects states by whether the present item is covered.
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

// lowMove is the effect of a move on the low bits, and the move's variable.
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

// share finds the tests and additions that all moves of a class have in common. Bits that all
// moves add must be free in some state of a block, so that not all of its states have them.
func (c *class[K]) share(number uint32) {
	c.Variable = number
	c.shared = c.moves[0]
	for _, m := range c.moves[1:] {
		c.shared.test &= m.test &^ (m.want ^ c.shared.want)
	}
	c.shared.want &= c.shared.test
	c.Test[0] |= uint64(c.shared.test &^ c.shared.want)
}
