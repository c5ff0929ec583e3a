package sweep

import (
	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/engine/key"
)

// maxLow is the largest number of low bits, which a level stores in two bytes for each state.
const maxLow = 16

// blocks groups states by high bits. Two blocks share high bits only if a slab or a part ends
// between them.
type blocks[K key.Key] struct {
	low   uint     // number of low bits of a key, 1 to maxLow
	heads []K      // high bits of each block, and the low bits that are set in all its states
	first []uint32 // index of the first state of each block; it rises from 0
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
