package sweep

import (
	"slices"

	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/engine/key"
)

// The merge works block by block. States that share all but their lowest bits lie side by side in a
// level and form a block. Moves with the same effect above those bits form a class, and map a block
// into one block of sums. So the high bits are tested and merged once for each block and class:
//
//	level, low = 2                 classes            blocks of sums
//	┌ 0100 │ 00 01 11 ┐  ───  +0000: skip, +01, +11  ───►  0100 │ …
//	│ 0101 │ 10 11    │  ╲                                 0101 │ …
//	└ 1000 │ 00 10    ┘   ╲──  +0010: +01             ───►  0110 │ …
//
// The heads of the blocks form a small level, and the classes are its moves. Within a block of sums
// a bitmap sorts the states. One pass over the sources sets the bit of each image, and the bits are
// read off in rising order. A second pass over the arcs adds each count at the index of its image,
// which is the number of set bits below the bit of the image. So a dense block costs no more than
// an array without keys. A bit for each state records whether only the move without an option fits,
// because the present item is covered.
//
// If each move has a pass over the level and all arcs are merged, 10x10 tetrominoes take 1.4 times
// as long. These variants did not help: looking up fitting moves by six low bits; blocks of 64 to
// 512 states; delaying states whose present item is covered, which made levels twice as large.

// class has the moves of a step that differ only in the low bits. Its Stream maps the head of a
// block to a block of sums. It tests no low bits except those that must be 0 for all moves.
type class[K key.Key] struct {
	automaton.Stream[K]
	parity parity  // parity of the states that the moves fit
	shared lowMove // the tests that all moves share
	moves  []lowMove
}

type parity uint64

const (
	bare    parity = iota // the present item is not covered
	covered               // the present item is covered
	either
)

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

// share finds the tests that all moves share. If a bit must be 0, but is set in all states of a
// block, then the class does not fit the head.
func (c *class[K]) share(number uint32) {
	c.Variable = number
	c.shared = c.moves[0]
	for _, m := range c.moves[1:] {
		c.shared.test &= m.test &^ (m.want ^ c.shared.want)
	}
	c.shared.want &= c.shared.test
	c.Test[0] |= uint64(c.shared.test &^ c.shared.want)
}
