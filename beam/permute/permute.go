package permute

import (
	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/engine/key"
)

// Permutation moves the bits of keys to other places.
type Permutation[K key.Key] struct {
	there, back [][256]K // where the bits of a byte go, indexed by the position and value of the byte
	above       K        // mask of the bits that do not move
}

// Of returns the Permutation for the band between two levels. The bits that the band touches latest
// and least become the highest bits.
func Of[K key.Key](a *automaton.Automaton, from, to int) *Permutation[K] {
	return of[K](order[K](a, from, to))
}

// of returns a Permutation that moves the bit at place lowest[i] to place i.
func of[K key.Key](lowest []int) *Permutation[K] {
	p := &Permutation[K]{}
	size := (len(lowest) + 7) / 8
	p.there, p.back = make([][256]K, size), make([][256]K, size)
	for i := 0; i < len(p.above); i++ {
		p.above[i] = ^uint64(0) &^ key.LowBits(min(64, max(0, 8*size-64*i)))
	}
	for to := range 8 * size {
		from := to
		if to < len(lowest) {
			from = lowest[to]
		}
		fill(&p.there[from>>3], from&7, to)
		fill(&p.back[to>>3], to&7, from)
	}
	return p
}

func fill[K key.Key](table *[256]K, bit, to int) {
	for value := range table {
		if value>>bit&1 != 0 {
			table[value][to>>6] |= 1 << (to & 63)
		}
	}
}

// Apply moves the bits of a key to their new places.
func (p *Permutation[K]) Apply(k K) K { return spread(p.there, k, p.above) }

// Undo moves the bits of a key back.
func (p *Permutation[K]) Undo(k K) K { return spread(p.back, k, p.above) }

func spread[K key.Key](tables [][256]K, k, above K) K {
	var to K
	for w := 0; w < len(k); w++ {
		to[w] = k[w] & above[w]
	}
	for i := range tables {
		to = key.Union(to, tables[i][byte(k[i>>3]>>(8*(i&7)))])
	}
	return to
}
