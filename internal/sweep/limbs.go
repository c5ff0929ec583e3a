package sweep

import (
	"errors"
	"math/big"
	"math/bits"
	"slices"

	"github.com/pavage/pavage/internal/limb"
)

// Counts have as few limbs as they need: a step whose sums carry out of them is
// made again with one more, see run.Step. The level before keeps the limbs it
// has.

// errNarrow is the error of a step whose counts need more limbs.
var errNarrow = errors.New("a count passed its limbs")

// add appends the counts of a block's states: for each the sum over its arcs,
// whose counts have inLimbs. It reports whether limbs are enough.
func (p *part[K]) add(t *sorter, in [][]uint64, limbs, inLimbs int, moduli []uint64) bool {
	from, to := len(p.counts), len(p.lows)*limbs
	p.counts = slices.Grow(p.counts, to-from)[:to]
	clear(p.counts[from:])
	switch {
	case len(moduli) > 0:
		t.addResidues(p.counts, in, moduli)
		return true
	case limbs == 1:
		return t.addOne(p.counts, in) == 0
	case limbs == 2 && inLimbs == 2:
		return t.addTwo(p.counts, in) == 0
	default:
		return t.addMany(p.counts, in, limbs, inLimbs) == 0
	}
}

func (t *sorter) addOne(out []uint64, in [][]uint64) (lost uint64) {
	for _, m := range t.images {
		if at, ok := t.index(m.low); ok {
			var c uint64
			out[at], c = bits.Add64(out[at], in[m.source>>slabBits][m.source&slabMask], 0)
			lost |= c
		}
	}
	return lost
}

func (t *sorter) addTwo(out []uint64, in [][]uint64) (lost uint64) {
	for _, m := range t.images {
		at, ok := t.index(m.low)
		if !ok {
			continue
		}
		from := 2 * (m.source & slabMask)
		v, total := in[m.source>>slabBits][from:from+2:from+2], out[2*at:2*at+2:2*at+2]
		var c uint64
		total[0], c = bits.Add64(total[0], v[0], 0)
		total[1], c = bits.Add64(total[1], v[1], c)
		lost |= c
	}
	return lost
}

func (t *sorter) addMany(out []uint64, in [][]uint64, limbs, inLimbs int) (lost uint64) {
	for _, m := range t.images {
		if at, ok := t.index(m.low); ok {
			from := int(m.source&slabMask) * inLimbs
			lost |= limb.Add(out[int(at)*limbs:][:limbs], in[m.source>>slabBits][from:from+inLimbs])
		}
	}
	return lost
}

func (t *sorter) addResidues(out []uint64, in [][]uint64, moduli []uint64) {
	k := len(moduli)
	for _, m := range t.images {
		if at, ok := t.index(m.low); ok {
			from := int(m.source&slabMask) * k
			limb.AddModulo(out[int(at)*k:][:k], in[m.source>>slabBits][from:from+k], moduli)
		}
	}
}

// MaxModulus is the largest by which counts can be reduced.
const MaxModulus = limb.MaxModulus

// Residues implements Run.
func (r *Sweep[K]) Residues() ([]uint64, error) {
	sums := make([]uint64, len(r.c.Moduli))
	if len(sums) == 0 {
		return nil, nil
	}
	err := r.in.eachSlab(func(_ []K, counts []uint64) error {
		for i := 0; i < len(counts); i += len(sums) {
			limb.AddModulo(sums, counts[i:i+len(sums)], r.c.Moduli)
		}
		return nil
	})
	return sums, err
}

// sum sums the counts along the arcs into the counts of the states they lead
// to. It reports whether they have limbs enough.
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

// gather fills total with the sum of the counts of the sources.
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

// Widest is the length of the largest count in bits.
func (l *Level[K]) Widest() (most int) {
	for _, slab := range l.counts {
		most = max(most, limb.BitLength(slab, l.limbs))
	}
	return most
}

// total is the sum of all counts of the level: of each limb a sum of two words,
// which 2^64 states cannot pass.
func (l *Level[K]) total() *big.Int {
	if l.shelf != nil {
		return l.shelf.total()
	}
	return limb.Total(l.counts, l.limbs)
}
