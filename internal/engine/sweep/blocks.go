package sweep

import (
	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/engine/key"
)

// maxLow bits of a key, at most, are within its block: what is left of a key in a
// level takes two bytes, and a bitmap of 2^15 sums four thousand. With as many
// bits blocks have a hundred states or more where levels are large (12x12
// tetrominoes 139, 20x20 dominoes 11,547; 8x8 pentominoes and a square, whose
// flags are high bits, 8 to 108).
const maxLow = 16

// blocks are a level's states, block by block: those that differ in their low bits
// alone. A block does not cross a slab, so states of equal high bits may be two
// blocks; so they may where two parts of a level meet.
type blocks[K key.Key] struct {
	low   uint     // bits within a block, 1 to maxLow
	heads []K      // what the states of a block have in common: the bits above the low ones, never falling, and those low bits that all have
	first []uint32 // by block: its first state; the first is 0, and they rise
}

func (b *blocks[K]) bytes() int64 {
	var k K
	return int64(cap(b.heads)*len(k))*wordBytes + 4*int64(cap(b.first))
}

// lowOf is how many bits of an automaton's keys are within a block.
func lowOf(a *automaton.Automaton) uint { return uint(min(maxLow, a.Window)) }

// key is that of a state of block b.
func (b *blocks[K]) key(i int, low uint16) K {
	k := b.heads[i]
	k[0] |= uint64(low)
	return k
}
