package frontier

import (
	"math/big"
	"math/bits"
)

// addCounts fills the part's counts: for each state the sum over its arcs.
// The level's widest count and the number of streams have fixed a number of
// limbs that no sum can pass (see run.fitLimbs); the carry out of the last
// limb is checked all the same.
func (w *worker[K]) addCounts(p *part[K], run []entry[K], in *level[K]) {
	limbs := in.limbs
	size := len(w.groups) * limbs
	if cap(p.counts) < size {
		p.counts = make([]uint64, size+size/2)
	}
	p.counts = p.counts[:size]
	var lost uint64
	switch limbs {
	case 1:
		lost = addOne(p.counts, w.groups, run, in.counts)
	case 2:
		lost = addTwo(p.counts, w.groups, run, in.counts)
	default:
		lost = addMany(p.counts, w.groups, run, in.counts, limbs)
	}
	if lost != 0 {
		panic("frontier: a count passed its limbs") // a bug: fitLimbs rules it out
	}
	p.widest = bitLength(p.counts, limbs)
}

func addOne[K key](out []uint64, groups []group, run []entry[K], in [][]uint64) (lost uint64) {
	for g, r := range groups {
		var a, c uint64
		for _, e := range run[r.from:r.to] {
			a, c = bits.Add64(a, in[e.source>>slabBits][e.source&slabMask], 0)
			lost |= c
		}
		out[g] = a
	}
	return lost
}

func addTwo[K key](out []uint64, groups []group, run []entry[K], in [][]uint64) (lost uint64) {
	for g, r := range groups {
		var a, b, c uint64
		for _, e := range run[r.from:r.to] {
			at := 2 * (e.source & slabMask)
			v := in[e.source>>slabBits][at : at+2 : at+2]
			a, c = bits.Add64(a, v[0], 0)
			b, c = bits.Add64(b, v[1], c)
			lost |= c
		}
		out[2*g], out[2*g+1] = a, b
	}
	return lost
}

func addMany[K key](out []uint64, groups []group, run []entry[K], in [][]uint64, limbs int) (lost uint64) {
	for g, r := range groups {
		total := out[g*limbs : (g+1)*limbs]
		clear(total)
		for _, e := range run[r.from:r.to] {
			at := int(e.source&slabMask) * limbs
			lost |= addTo(total, in[e.source>>slabBits][at:at+limbs])
		}
	}
	return lost
}

// sum sums the counts along the arcs into the counts of the states they lead
// to, and returns the length of the longest in bits.
func (g *gathered) sum(out, in [][]uint64, limbs int) (widest int) {
	var lost uint64
	from := g.from
	for first, degree := g.first, g.degree; len(degree) > 0; {
		slab := out[first>>slabBits]
		n := min(len(degree), slabSize-first&slabMask)
		at := (first & slabMask) * limbs
		totals := slab[at : at+n*limbs]
		for q, d := range degree[:n] {
			lost |= gather(totals[q*limbs:(q+1)*limbs], from[:d], in)
			from = from[d:]
		}
		widest = max(widest, bitLength(totals, limbs))
		first, degree = first+n, degree[n:]
	}
	if lost != 0 {
		panic("frontier: a count passed its limbs") // a bug: fitLimbs rules it out
	}
	return widest
}

// gather fills total with the sum of the counts of the sources.
func gather(total []uint64, sources []uint32, in [][]uint64) (lost uint64) {
	switch len(total) {
	case 1:
		var a, c uint64
		for _, s := range sources {
			a, c = bits.Add64(a, in[s>>slabBits][s&slabMask], 0)
			lost |= c
		}
		total[0] = a
	case 2:
		var a, b, c uint64
		for _, s := range sources {
			at := 2 * (s & slabMask)
			v := in[s>>slabBits][at : at+2 : at+2]
			a, c = bits.Add64(a, v[0], 0)
			b, c = bits.Add64(b, v[1], c)
			lost |= c
		}
		total[0], total[1] = a, b
	default:
		limbs := len(total)
		clear(total)
		for _, s := range sources {
			at := int(s&slabMask) * limbs
			lost |= addTo(total, in[s>>slabBits][at:at+limbs])
		}
	}
	return lost
}

// addTo adds v to total and returns the carry. Both have equal lengths.
func addTo(total, v []uint64) (carry uint64) {
	v = v[:len(total)]
	for i := range total {
		total[i], carry = bits.Add64(total[i], v[i], carry)
	}
	return carry
}

// bitLength is the length of the longest of the counts in bits.
func bitLength(counts []uint64, limbs int) int {
	for limb := limbs - 1; limb >= 0; limb-- {
		var or uint64
		for i := limb; i < len(counts); i += limbs {
			or |= counts[i]
		}
		if or != 0 {
			return 64*limb + bits.Len64(or)
		}
	}
	return 0
}

// total is the sum of all counts of the level: of each limb a sum of two words,
// which 2^64 states cannot pass.
func (l *level[K]) total() *big.Int {
	low, high := make([]uint64, l.limbs), make([]uint64, l.limbs)
	for _, slab := range l.counts {
		for i := 0; i < len(slab); i += l.limbs {
			for limb, x := range slab[i : i+l.limbs] {
				var carry uint64
				low[limb], carry = bits.Add64(low[limb], x, 0)
				high[limb] += carry
			}
		}
	}
	sum, word := new(big.Int), new(big.Int)
	for limb := l.limbs - 1; limb >= 0; limb-- {
		sum.Lsh(sum, 64)
		sum.Add(sum, word.Lsh(word.SetUint64(high[limb]), 64))
		sum.Add(sum, word.SetUint64(low[limb]))
	}
	return sum
}
