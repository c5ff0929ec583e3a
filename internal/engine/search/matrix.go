package search

import (
	"iter"
	"math/bits"
)

// block is a piece of a row: 256 options. Rows are whole blocks, so that the
// inner loops run over arrays of fixed size.
type block [4]uint64

const blockBits = 256

func (b *block) has(o int) bool { return b[o>>6&3]>>(o&63)&1 != 0 }
func (b *block) set(o int)      { b[o>>6&3] |= 1 << (o & 63) }
func (b *block) clear(o int)    { b[o>>6&3] &^= 1 << (o & 63) }

// common is how many options two blocks share.
func (b *block) common(c *block) int {
	return bits.OnesCount64(b[0]&c[0]) + bits.OnesCount64(b[1]&c[1]) + bits.OnesCount64(b[2]&c[2]) + bits.OnesCount64(b[3]&c[3])
}

func count(set []block) int { return common(set, set) }

func common(a, b []block) (n int) {
	for j := range a {
		n += a[j].common(&b[j])
	}
	return n
}

// upTo is how many options two sets share, or some number over limit if they share more. (It
// looks at two of the eight blocks of a row of 8x8 pentominoes, where a row of ten is known.)
func upTo(limit int, a, b []block) (n int) {
	for j := range a {
		if n += a[j].common(&b[j]); n > limit {
			break
		}
	}
	return n
}

// drop removes the options of b from a.
func drop(a, b []block) {
	for j := range a {
		c, d := &a[j], &b[j]
		c[0], c[1], c[2], c[3] = c[0]&^d[0], c[1]&^d[1], c[2]&^d[2], c[3]&^d[3]
	}
}

// shared goes through the columns that two sets share.
func shared(a, b []block) iter.Seq[int] {
	return func(yield func(int) bool) {
		for j := range a {
			for k, word := range a[j] {
				for word &= b[j][k]; word != 0; word &= word - 1 {
					if !yield(j*blockBits + k*64 + bits.TrailingZeros64(word)) {
						return
					}
				}
			}
		}
	}
}

// nothing is the column of no option.
const nothing = -1

// first is the first column that two sets share, or nothing.
func first(a, b []block) int {
	for column := range shared(a, b) {
		return column
	}
	return nothing
}

// matrix has a bit for each row of an engine and each of some of its options:
// does the option use the item? In the row of a shade: does it use the item, but not
// with this colour?
type matrix struct {
	options []int32  // the option of each column
	blocks  int      // of a row
	bits    []block  // row r is bits[r*blocks : (r+1)*blocks]
	words   []uint64 // scratch of fill
}

func (m *matrix) row(r uint16) []block {
	return m.bits[int(r)*m.blocks : (int(r)+1)*m.blocks]
}

// all is the set of all columns.
func (m *matrix) all(set []block) []block {
	set = grow(set, m.blocks)
	clear(set)
	for o := range m.options {
		set[o/blockBits].set(o)
	}
	return set
}

// grow is s with length n; what it holds is lost.
func grow[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
