package sweep

import (
	"math/bits"

	"github.com/pavage/pavage/internal/engine/limb"
)

// If a method add returns lost ≠ 0, Sweep.Step makes the step again, with one limb more.

func (Count) add(t *sorter, out []uint64, in [][]uint64, limbs, inLimbs int) (lost uint64) {
	switch {
	case limbs == 1:
		return t.addOne(out, in)
	case limbs == 2 && inLimbs == 2:
		return t.addTwo(out, in)
	default:
		return t.addMany(out, in, limbs, inLimbs)
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

func (r Residues) add(t *sorter, out []uint64, in [][]uint64, k, _ int) (lost uint64) {
	for _, m := range t.images {
		if at, ok := t.index(m.low); ok {
			from := int(m.source&slabMask) * k
			limb.AddModulo(out[int(at)*k:][:k], in[m.source>>slabBits][from:from+k], r)
		}
	}
	return 0
}

// MaxModulus is the largest modulus by which counts can be reduced.
const MaxModulus = limb.MaxModulus
