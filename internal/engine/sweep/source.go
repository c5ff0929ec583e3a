package sweep

import (
	"math/big"

	"github.com/pavage/pavage/internal/engine/limb"
)

// Source is where the slabs of a level lie, read only: in memory, in a file, in another machine's
// store. In memory are the heads of blocks, which states are odd, and a sample of the low bits.
type Source interface {
	// AtHand are all slabs, if they are in memory, and else nil.
	AtHand() (lows [][]uint16, counts [][]uint64)
	// Get is slab i, valid until it is let go of as often as it was got. Calls may be concurrent.
	Get(i int) (lows []uint16, counts []uint64, err error)
	// LetGo undoes one Get of slab i, which its caller does not read any more.
	LetGo(i int)
	// Odd fills a bitmap of the states of slab i: bit s is the lowest bit of s.
	Odd(i int, odd []uint64)
	// Sample are the low bits of state i, a multiple of Stride.
	Sample(i int) uint16
	Stride() int
	// Total is the sum of all counts.
	Total() *big.Int
	// Close releases the level, which is not read any more.
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
