package clues

import (
	"math"
	"math/bits"
	"slices"
)

// set is a bit set. Sets that are used together must have the same length.
type set []uint64

func newSet(size int) set { return make(set, (size+63)/64) }

func setOf(size int, members []int) set {
	s := newSet(size)
	for _, k := range members {
		s.add(k)
	}
	return s
}

func (s set) has(k int) bool { return s[k>>6]>>(k&63)&1 != 0 }
func (s set) add(k int)      { s[k>>6] |= 1 << (k & 63) }
func (s set) remove(k int)   { s[k>>6] &^= 1 << (k & 63) }

func (s set) without(t set) set {
	rest := slices.Clone(s)
	rest.removeAll(t)
	return rest
}

func (s set) removeAll(t set) {
	for w := range t {
		s[w] &^= t[w]
	}
}

func (s set) with(k int) set {
	more := slices.Clone(s)
	more.add(k)
	return more
}

func (s set) meets(t set) bool {
	for w := range s {
		if s[w]&t[w] != 0 {
			return true
		}
	}
	return false
}

func (s set) addAll(t set) {
	for w := range t {
		s[w] |= t[w]
	}
}

func (s set) isEmpty() bool { return !s.meets(s) }

func (s set) size() int { return s.common(s, math.MaxInt) }

// common counts the common members. It may stop when the number is above limit.
func (s set) common(t set, limit int) (n int) {
	for w, word := range s {
		if n += bits.OnesCount64(word & t[w]); n > limit {
			break
		}
	}
	return n
}

func (s set) members() []int { return s.shared(s) }

// shared returns the common members in ascending order. The result is never nil.
func (s set) shared(t set) []int {
	all := []int{}
	for w, word := range s {
		for word &= t[w]; word != 0; word &= word - 1 {
			all = append(all, w*64+bits.TrailingZeros64(word))
		}
	}
	return all
}
