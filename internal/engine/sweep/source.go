package sweep

import (
	"math/big"

	"github.com/pavage/pavage/internal/engine/limb"
)

// Source provides the slabs of a level for reading, from memory, a file or the store of another
// machine. A bitmap of the odd states and a sample of the low bits are always in memory.
type Source interface {
	// AtHand returns all slabs if they are in memory, and nil otherwise.
	AtHand() (lows [][]uint16, counts [][]uint64)
	// Get returns slab i, valid until LetGo was called once for each Get. Calls may be concurrent.
	Get(i int) (lows []uint16, counts []uint64, err error)
	// LetGo ends one Get of slab i: the caller does not read the slab any more.
	LetGo(i int)
	// Odd fills the bitmap odd: bit s becomes the lowest bit of state s of slab i.
	Odd(i int, odd []uint64)
	// Sample returns the low bits of state i, where i is a multiple of Stride.
	Sample(i int) uint16
	Stride() int
	// Total returns the sum of all counts.
	Total() *big.Int
	// Close releases the level. No method may be called after Close.
	Close()
}

type inMemory struct {
	lows   [][]uint16
	counts [][]uint64
	width
}

func (m inMemory) AtHand() (lows [][]uint16, counts [][]uint64) { return m.lows, m.counts }

func (m inMemory) Get(i int) (lows []uint16, counts []uint64, err error) {
	return m.lows[i], m.counts[i], nil
}

func (m inMemory) LetGo(int) {}

func (m inMemory) Odd(i int, odd []uint64) { markOdd(odd, m.lows[i]) }

func (m inMemory) Sample(i int) uint16 { return m.lows[i>>slabBits][i&slabMask] }

func (m inMemory) Stride() int { return 1 }

func (m inMemory) Close() {}

func (m inMemory) Total() *big.Int { return limb.Total(m.counts, m.words, m.limbs()) }

func markOdd(odd []uint64, lows []uint16) {
	for w := 0; len(lows) > 0; w++ {
		some := lows[:min(64, len(lows))]
		var word uint64
		for i, low := range some {
			word |= uint64(low&1) << i
		}
		odd[w] = word
		lows = lows[len(some):]
	}
}
