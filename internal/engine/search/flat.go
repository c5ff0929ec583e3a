package search

import (
	"math/bits"

	"github.com/pavage/pavage/internal/engine/key"
)

// chart is a graph of the ways to cover the ground. The ground is the items that an order goes
// through; all other items have capacities. A place is a set of ground items that can be covered
// when the rest can be covered too. A way is an option that covers the first free item, and so
// leads from place to place.
//
// A place does not tell which pieces were used, so a chart has few places. All places are found
// before the walk, so each way stores how much of the capacities the remaining options use, at
// least and at most. The walk reads nothing else.
type chart struct {
	ways       []way // of one place after another; a place behind those that its ways lead to
	options    []int32
	kinds      []kind
	capacities capacities
	root       uint32 // its first way
	roots      uint16
	places     int
	merges     bool // what counts merges errands first
}

// way is an option that may be taken at a place, or none, which leaves an item bare.
type way struct {
	// low and high bound the capacities left with which the way leads to
	// a solution, as far as the chart can tell.
	low, high uint64
	to        uint32 // its first way
	ways      uint16 // of the place that it leads to; 0: the ground is done
	kind      uint16
}

// kind is what an option uses of the capacities, and how many options it represents.
type kind struct{ use, weight uint64 }

// capacities are the numbers of uses that the items outside the ground still allow, in fields
// of one word, each with a bit above it that is the guard.
//
//	      13 planks  1 cube  1 tile  3 bars
//	room  0|1101     0|0001  0|0001  0|0011
type capacities struct {
	width int
	guard uint64
	room  uint64
	slack uint64 // room that may be left over
}

// field is the lowest bit of an item's field.
func (s *capacities) field(k int) int { return k * s.width }

// newCapacities makes the fields of items with these bounds; false if they do not fit a word.
func newCapacities(bounds []bound) (s capacities, ok bool) {
	most := int32(0)
	for _, b := range bounds {
		most = max(most, b.room)
	}
	s.width = bits.Len32(uint32(most)) + 1
	if s.width*len(bounds) > 64 {
		return s, false
	}
	for k, b := range bounds {
		at := s.field(k)
		s.guard |= 1 << (at + s.width - 1)
		s.room |= uint64(b.room) << at
		s.slack |= uint64(b.room-b.need) << at
	}
	return s, true
}

// fits reports whether each field of low is at most that of left, and that of left at most
// that of high.
func fits(left, low, high, guard uint64) bool {
	return ((left|guard)-low)&((high|guard)-left)&guard == guard
}

// allows reports whether each field of use is at most that of left.
func (s *capacities) allows(left, use uint64) bool { return ((left|s.guard)-use)&s.guard == s.guard }

// chosen are the fields in which a is at least b, all their bits but the guard.
func (s *capacities) chosen(a, b uint64) uint64 {
	atLeast := ((a | s.guard) - b) & s.guard
	return atLeast - atLeast>>(s.width-1)
}

// least and most are of each field.
func (s *capacities) least(a, b uint64) uint64 {
	m := s.chosen(a, b)
	return b&m | a&^m
}

func (s *capacities) most(a, b uint64) uint64 {
	m := s.chosen(a, b)
	return a&m | b&^m
}

// plus is a+b, at most the room. Both are at most the room.
func (s *capacities) plus(a, b uint64) uint64 {
	return (b + s.least(a, s.room-b))
}

// step is an option as the chart's maker sees it.
type step[K key.Key] struct {
	covers K
	around K // neighbours
	kind   uint16
	option int32
}

const none = -1

const (
	// longWalk is what a walk is expected to take at least, in seconds, for it to be looked whether
	// errands can be merged: on 6x10 of 5 ms it takes as long as it saves.
	longWalk = 0.03
	// fewErrands are found before it is asked whether it pays to merge them, which it does if
	// there are so many times fewer of them then. (Kanoodle's 5x11: 3.3 million visits to places, with
	// 196,874 different pairs of a place and pieces left. Whole process, user time: 0.148 s ->
	// 0.072.)
	fewErrands = 1 << 12
	mergesPay  = 1.25
	// mostErrands are made in this way: two lists of 32 bytes each.
	mostErrands = 1 << 17
	// mostWeight is that of errands in one. Times that of all options that are still to be taken,
	// it is to fit a word: only one of these stands for more than itself.
	mostWeight = 1 << 31
)

// isOfSingles reports whether all options use some item outside the ground, and no item has room for
// more than one. Then errands that leave the same are as deep in the tree.
func (c *chart) isOfSingles() bool {
	for _, k := range c.kinds[1:] {
		if k.use == 0 {
			return false
		}
	}
	return c.capacities.width == 2
}
