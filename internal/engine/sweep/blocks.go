package sweep

import (
	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/engine/key"
)

// maxLow is the most low bits of a key within its block, two bytes a state. Where levels are large,
// blocks have a hundred states or more (12x12 tetrominoes 139, 20x20 dominoes 11,547).
const maxLow = 16

// blocks groups a level's states by high bits, which two blocks share where slabs or parts meet.
type blocks[K key.Key] struct {
	low   uint     // bits within a block, 1 to maxLow
	heads []K      // the bits that a block's states share: all above the low ones, never falling, and some low ones
	first []uint32 // by block: its first state; the first is 0, and they rise
}

func (b *blocks[K]) bytes() int64 {
	var k K
	return int64(cap(b.heads)*len(k))*wordBytes + 4*int64(cap(b.first))
}

func lowOf(a *automaton.Automaton) uint { return uint(min(maxLow, a.Window)) }

func (b *blocks[K]) key(i int, low uint16) K {
	k := b.heads[i]
	k[0] |= uint64(low)
	return k
}
