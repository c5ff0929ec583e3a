package sweep

import (
	"math/bits"
	"slices"

	"github.com/pavage/pavage/internal/engine/automaton"
)

// The test for lone cells costs 2 to 4 ns for each state. To test all 64 states of a word at once
// would cost as much as ten single tests, and most words have only one or two states.

// readAll appends to p.lows the states that t.words marks. Each has all bits of the argument low.
func (p *Part[K]) readAll(t *sorter, summary []uint64, low uint16) {
	lows, common := p.lows, p.common
	for i, w := range summary {
		for ; w != 0; w &= w - 1 {
			at := uint32(i<<6 | bits.TrailingZeros64(w))
			t.below[at] = uint32(len(lows))
			lows = slices.Grow(lows, 64)
			here := low | uint16(at<<6)
			for word := t.words[at]; word != 0; word &= word - 1 {
				x := here | uint16(bits.TrailingZeros64(word))
				lows = append(lows, x)
				common &= x
			}
		}
	}
	p.lows, p.common = lows, common
}

// readAlive is readAll without states that have a lone cell. Each has all bits of high and low.
func (p *Part[K]) readAlive(t *sorter, summary []uint64, low uint16, high uint64, lone *automaton.Lone) {
	inside, open, edges := lone.Inside&^high, lone.Open, lone.Edges
	if len(edges) == 2 { // as on boards of squares swept by rows
		p.readPlane(t, summary, low, inside, open, edges[0], edges[1])
		return
	}
	common := p.common
	for i, w := range summary {
		for ; w != 0; w &= w - 1 {
			at := uint32(i<<6 | bits.TrailingZeros64(w))
			n := len(p.lows)
			t.below[at] = uint32(n)
			lows := slices.Grow(p.lows, 64)[:n+64]
			here, alive := low|uint16(at<<6), uint64(0)
			for word := t.words[at]; word != 0; word &= word - 1 {
				bit := bits.TrailingZeros64(word)
				lows[n] = here | uint16(bit)
				free := inside &^ uint64(lows[n])
				near := open
				for _, e := range edges {
					near |= e.Near(free)
				}
				one := isZero(free &^ near)
				common &= lows[n] | uint16(one) - 1
				alive |= one << (bit & 63)
				n += int(one)
			}
			p.settleWord(t, at, alive)
			p.lows = lows[:n]
		}
	}
	p.common = common
}

// readPlane is readAlive for two kinds of edges. (It makes 10x10 tetrominoes a tenth faster.)
func (p *Part[K]) readPlane(t *sorter, summary []uint64, low uint16, inside, open uint64, e, f automaton.Edges) {
	common := p.common
	for i, w := range summary {
		for ; w != 0; w &= w - 1 {
			at := uint32(i<<6 | bits.TrailingZeros64(w))
			n := len(p.lows)
			t.below[at] = uint32(n)
			lows := slices.Grow(p.lows, 64)[:n+64]
			here, alive := low|uint16(at<<6), uint64(0)
			for word := t.words[at]; word != 0; word &= word - 1 {
				bit := bits.TrailingZeros64(word)
				lows[n] = here | uint16(bit)
				free := inside &^ uint64(lows[n])
				one := isZero(free &^ (open | e.Near(free) | f.Near(free)))
				common &= lows[n] | uint16(one) - 1
				alive |= one << (bit & 63)
				n += int(one)
			}
			p.settleWord(t, at, alive)
			p.lows = lows[:n]
		}
	}
	p.common = common
}

func (p *Part[K]) settleWord(t *sorter, at uint32, alive uint64) {
	p.pruned += bits.OnesCount64(t.words[at] &^ alive)
	t.words[at] = alive
}

// isZero returns 1 if x is 0 and 0 otherwise, without a branch.
func isZero(x uint64) uint64 { return 1 - (x|-x)>>63 }

// prune removes the states for which keep returns false from p.lows[first:], the last block read.
func (p *Part[K]) prune(t *sorter, summary []uint64, first int, high K, keep func(K) bool) {
	from, kept := first, p.lows[:first]
	for i, w := range summary {
		for ; w != 0; w &= w - 1 {
			at := uint32(i<<6 | bits.TrailingZeros64(w))
			t.below[at] = uint32(len(kept))
			for word := t.words[at]; word != 0; word &= word - 1 {
				k := high
				k[0] |= uint64(p.lows[from])
				if keep(k) {
					kept = append(kept, p.lows[from])
				} else {
					t.words[at] ^= word & -word
					p.pruned++
				}
				from++
			}
		}
	}
	p.lows = kept
}
