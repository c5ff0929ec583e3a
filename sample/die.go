package sample

import (
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/pavage/pavage/internal/engine/limb"
)

type die struct {
	n    []uint64
	top  int    // index of the highest nonzero limb of n-1
	mask uint64 // 2^b - 1, where b is the number of bits of limb top of n-1
}

func newDie(n []uint64) die {
	most, one := slices.Clone(n), make([]uint64, len(n))
	one[0] = 1
	limb.Take(most, one)
	d := die{n: n}
	for k, limb := range most {
		if limb != 0 {
			d.top = k
		}
	}
	d.mask = 1<<bits.Len64(most[d.top]) - 1
	return d
}

// roll sets r to a uniform number below n: it draws numbers as long as n-1 until one is below n.
func (d die) roll(r []uint64, src rand.Source) {
	clear(r)
	for {
		for i := range d.top + 1 {
			r[i] = src.Uint64()
		}
		r[d.top] &= d.mask
		if limb.Less(r, d.n) {
			return
		}
	}
}
