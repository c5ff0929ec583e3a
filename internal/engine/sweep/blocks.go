package sweep

import (
	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/engine/key"
)

// maxLow is the largest number of low bits of a key that are stored within its block: the low bits
// of a key then cost two bytes in a level, and the bitmap of 2^15 sums costs four thousand bytes.
// With maxLow bits blocks have a hundred states or more where levels are large (12x12 tetrominoes
// 139, 20x20 dominoes 11,547; 8x8 pentominoes and a square, whose flags are high bits, 8 to 108).
const maxLow = 16

// blocks are a level's states, grouped into blocks of states that differ only in their low bits. A
// block does not cross a slab, so states with equal high bits may lie in two blocks; the same
// happens where two parts of a level meet.
type blocks[K key.Key] struct {
	low   uint     // bits within a block, 1 to maxLow
	heads []K      // the bits that a block's states share: all above the low ones, never falling, and some low ones
	first []uint32 // by block: its first state; the first is 0, and they rise
}

func (b *blocks[K]) bytes() int64 {
	var k K
	return int64(cap(b.heads)*len(k))*wordBytes + 4*int64(cap(b.first))
}

// lowOf is how many bits of an automaton's keys are within a block.
func lowOf(a *automaton.Automaton) uint { return uint(min(maxLow, a.Window)) }

// key is the key of a state of block i.
func (b *blocks[K]) key(i int, low uint16) K {
	k := b.heads[i]
	k[0] |= uint64(low)
	return k
}
