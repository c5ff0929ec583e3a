package sweep

import (
	"github.com/pavage/pavage/internal/engine/key"
)

// Part has consecutive states of a level, and the arcs that lead to them.
type Part[K key.Key] struct {
	blocks blocks[K] // blocks.first counts from the first state of the part
	common uint16    // low bits that are 1 in all states of the last block
	lows   []uint16
	counts []uint64
	room   []room // parts of slabs of the level, to which copyOut copies lows and counts
	arcs   []partArc
	along  gathered // arcs for a record; only set if Want.noted is true
	all    int      // number of arcs, including arcs to pruned states
	pruned int
	held   int64 // bytes of this part that the store has counted
}

// Each calls do with each state in order, and the words of its count, valid until do returns.
func (p *Part[K]) Each(do func(k K, count []uint64)) {
	limbs := len(p.counts) / max(1, len(p.lows))
	b := 0
	for i, low := range p.lows {
		if b+1 < len(p.blocks.first) && int(p.blocks.first[b+1]) == i {
			b++
		}
		do(p.blocks.key(b, low), p.counts[i*limbs:(i+1)*limbs])
	}
}

func (p *Part[K]) clear() {
	p.blocks.heads, p.blocks.first = p.blocks.heads[:0], p.blocks.first[:0]
	p.lows, p.counts, p.arcs = p.lows[:0], p.counts[:0], p.arcs[:0]
	p.all, p.pruned = 0, 0
}

func (p *Part[K]) addTo(high, mask K) {
	n := len(p.blocks.heads)
	if n > 0 && key.Without(p.blocks.heads[n-1], mask) == high {
		return
	}
	p.close()
	p.blocks.heads = append(p.blocks.heads, high)
	p.blocks.first = append(p.blocks.first, uint32(len(p.lows)))
	p.common = uint16(mask[0])
}

func (p *Part[K]) dropEmpty() {
	if n := len(p.blocks.heads) - 1; int(p.blocks.first[n]) == len(p.lows) {
		p.blocks.heads, p.blocks.first = p.blocks.heads[:n], p.blocks.first[:n]
		p.common = 0
	}
}

func (p *Part[K]) close() {
	if n := len(p.blocks.heads); n > 0 {
		p.blocks.heads[n-1][0] |= uint64(p.common)
	}
}

func (p *Part[K]) copyOut() { fillRooms(p.room, p.lows, p.counts) }

func (p *Part[K]) grown() int64 {
	size := p.blocks.bytes() + int64(cap(p.lows))*lowBytes + int64(cap(p.counts))*wordBytes + int64(cap(p.arcs))*partArcBytes
	grown := size - p.held
	p.held = size
	return grown
}

// partArc is an arc. Its child is the index of a state in the part.
type partArc struct{ source, variable, child uint32 }

const partArcBytes = 12

// arcBytes is the largest memory of an arc while a step collects and sorts arcs. While append
// copies arcs, they have 12 bytes each in the old array, and the new array is a quarter larger.
const arcBytes = 12 + 15
