package search

import (
	"math/bits"

	"github.com/pavage/pavage/internal/engine/key"
)

// chart is a graph of the ways to cover the ground. The ground is the items of an order; all other
// items have capacities. A place is a set of covered ground items such that the rest of the ground
// can be covered too. A way is an option that covers the first free item of a place, and leads to
// another place.
//
// A place does not store which pieces were used, so a chart has few places. All places are found
// before the walk, so each way stores how much of the capacities the remaining options use, at
// least and at most. The walk reads nothing else.
type chart struct {
	ways       []way // by place; the ways of a place come after those of the places they lead to
	options    []int32
	kinds      []kind
	capacities capacities
	root       uint32 // the first way of the root, the place with all ground items free
	roots      uint16 // the number of these ways
	places     int
	merges     bool // a count merges spots
}

// way is an option that may be chosen at a place, or none, which leaves an item bare.
type way struct {
	// low and high bound the remaining capacities with which the way may lead to a solution:
	// with less or more there is none.
	low, high uint64
	to        uint32 // the first way of the place that it leads to
	ways      uint16 // the number of ways of that place; 0: the whole ground is covered
	kind      uint16
}

// kind is the use of the capacities by an option, and the number of options it represents.
type kind struct{ use, weight uint64 }

// capacities has the numbers of uses that the items outside the ground allow, in fields of one
// word. The highest bit of each field is its guard.
//
//	      13 planks  1 cube  1 tile  3 bars
//	room  0|1101     0|0001  0|0001  0|0011
type capacities struct {
	width int
	guard uint64
	room  uint64
	slack uint64 // room that a solution may leave unused
}

// field returns the lowest bit of the field of an item.
func (s *capacities) field(k int) int { return k * s.width }

// newCapacities returns the fields for items with these bounds. It reports whether the fields fit
// into a word.
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

// fits reports whether in each field low <= left <= high.
func fits(left, low, high, guard uint64) bool {
	return ((left|guard)-low)&((high|guard)-left)&guard == guard
}

// allows reports whether in each field use <= left.
func (s *capacities) allows(left, use uint64) bool { return ((left|s.guard)-use)&s.guard == s.guard }

// chosen returns the bits, without the guards, of all fields in which a >= b.
func (s *capacities) chosen(a, b uint64) uint64 {
	atLeast := ((a | s.guard) - b) & s.guard
	return atLeast - atLeast>>(s.width-1)
}

// least and most return the minimum and the maximum of a and b in each field.
func (s *capacities) least(a, b uint64) uint64 {
	m := s.chosen(a, b)
	return b&m | a&^m
}

func (s *capacities) most(a, b uint64) uint64 {
	m := s.chosen(a, b)
	return a&m | b&^m
}

// plus returns in each field the minimum of a+b and the room. a and b are at most the room.
func (s *capacities) plus(a, b uint64) uint64 {
	return (b + s.least(a, s.room-b))
}

// step is an option while the chart is built.
type step[K key.Key] struct {
	covers K
	kind   uint16
	option int32
}

const none = -1
