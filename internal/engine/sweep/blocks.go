package sweep

import (
	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/engine/key"
)

// maxLow is the largest number of low bits, which a level stores in two bytes for each state. A
// block of a large level has many states: 139 for 12x12 tetrominoes, 11,547 for 20x20 dominoes.
const maxLow = 16

// blocks groups states by high bits. Two blocks share high bits only where slabs or parts meet.
type blocks[K key.Key] struct {
	low   uint     // number of low bits of a key, 1 to maxLow
	heads []K      // by block: its high bits (not falling), and the low bits that all its states have
	first []uint32 // by block: index of its first state, from 0 on, rising
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
