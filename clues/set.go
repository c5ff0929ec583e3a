package clues

import (
	"math/bits"
	"slices"
)

// set is a set of candidates by their numbers, a bit each. All sets of a Finder have the same length.
type set []uint64

func newSet(size int) set { return make(set, (size+63)/64) }

func (s set) has(k int) bool { return s[k>>6]>>(k&63)&1 != 0 }
func (s set) add(k int)      { s[k>>6] |= 1 << (k & 63) }

// without returns s without the members of t.
func (s set) without(t set) set {
	rest := slices.Clone(s)
	for w := range t {
		rest[w] &^= t[w]
	}
	return rest
}

// with returns s and k.
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

func (s set) size() (n int) {
	for _, word := range s {
		n += bits.OnesCount64(word)
	}
	return n
}

// members returns the numbers in s, ascending; never nil.
func (s set) members() []int {
	all := make([]int, 0, s.size())
	for w, word := range s {
		for ; word != 0; word &= word - 1 {
			all = append(all, w*64+bits.TrailingZeros64(word))
		}
	}
	return all
}
