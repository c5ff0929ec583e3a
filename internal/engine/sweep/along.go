package sweep

import (
	"math/bits"

	"github.com/pavage/pavage/internal/engine/limb"
)

type gathered struct {
	first  int      // index of the first state of the part
	degree []uint16 // number of arcs to each state
	from   []uint32 // sources of the arcs, grouped by target
}

func (g *gathered) bytes() int64 { return int64(2*cap(g.degree) + 4*cap(g.from)) }

// sum computes the count of each target: the sum of the counts of its sources. It reads slabs of
// the argument in, writes slabs of the argument out, and reports whether all sums fit.
func (g *gathered) sum(out, in [][]uint64, limbs, inLimbs int, moduli []uint64) bool {
	var lost uint64
	from := g.from
	for first, degree := g.first, g.degree; len(degree) > 0; {
		slab := out[first>>slabBits]
		n := min(len(degree), SlabStates-first&slabMask)
		at := (first & slabMask) * limbs
		totals := slab[at : at+n*limbs]
		for q, d := range degree[:n] {
			lost |= gather(totals[q*limbs:(q+1)*limbs], from[:d], in, inLimbs, moduli)
			from = from[d:]
		}
		first, degree = first+n, degree[n:]
	}
	return lost == 0
}

func gather(total []uint64, sources []uint32, in [][]uint64, inLimbs int, moduli []uint64) (lost uint64) {
	switch {
	case len(moduli) > 0:
		clear(total)
		for _, s := range sources {
			at := int(s&slabMask) * inLimbs
			limb.AddModulo(total, in[s>>slabBits][at:at+inLimbs], moduli)
		}
	case len(total) == 1:
		var a, c uint64
		for _, s := range sources {
			a, c = bits.Add64(a, in[s>>slabBits][s&slabMask], 0)
			lost |= c
		}
		total[0] = a
	case len(total) == 2 && inLimbs == 2:
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
		clear(total)
		for _, s := range sources {
			at := int(s&slabMask) * inLimbs
			lost |= limb.Add(total, in[s>>slabBits][at:at+inLimbs])
		}
	}
	return lost
}
