package sweep

import (
	"math/big"
	"math/bits"
	"slices"

	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/engine/key"
	"github.com/pavage/pavage/internal/engine/limb"
)

// A move adds the count of its source, times the weight of its variable, to a state:
//
//	level 8      a:5     b:2
//	              │3    1╱ ╲7        weights of moves
//	level 9       c:17      d:14
//
// Moves of weight 0 are left out, and so are states to which only moves of weight 0 lead.

type factor struct {
	value *big.Int
	limbs []uint64 // limbs of value; nil if value is a power of 2
	shift uint     // if limbs is nil, the value is 2^shift
}

var unweighted = factor{value: big.NewInt(1)}

type factors []factor

func newFactors(weights []*big.Int) factors {
	var all factors
	for _, w := range weights {
		switch {
		case w == nil:
			all = append(all, unweighted)
		case w.Sign() > 0 && int(w.TrailingZeroBits()) == w.BitLen()-1:
			all = append(all, factor{value: w, shift: w.TrailingZeroBits()})
		default:
			all = append(all, factor{value: w, limbs: limb.Of(w, w.BitLen()/64+1)})
		}
	}
	return all
}

func (f factors) of(variable uint32) *factor {
	if f == nil || variable == automaton.Skip {
		return &unweighted
	}
	return &f[variable]
}

// add adds v times the factor to total, and returns 0 if the sum fits.
func (f *factor) add(total, v []uint64) (lost uint64) {
	if f.limbs == nil {
		return limb.AddShifted(total, v, f.shift)
	}
	return limb.AddProduct(total, v, f.limbs)
}

func (f *factor) times(v []uint64) []uint64 {
	if f.limbs == nil && f.shift == 0 {
		return v
	}
	product := make([]uint64, len(v)+f.value.BitLen()/64+1)
	f.add(product, v)
	return product
}

func (f *factor) timesMove(g *factor) *factor {
	if f == &unweighted {
		return g
	}
	return &newFactors([]*big.Int{new(big.Int).Mul(f.value, g.value)})[0]
}

func allowed[K key.Key](streams []automaton.Stream[K], f factors) []automaton.Stream[K] {
	if f == nil {
		return streams
	}
	return slices.DeleteFunc(streams, func(s automaton.Stream[K]) bool { return f.of(s.Variable).value.Sign() == 0 })
}

// room bounds the bits by which a step lengthens counts. A move adds at most two counts to a count.
func (f factors) room(from, to, moves int) int {
	most := 0
	for v := from; v < to; v++ {
		most = max(most, f.of(uint32(v)).value.BitLen())
	}
	return most + bits.Len(uint(2*moves))
}

func (f factors) add(t *sorter, out []uint64, in [][]uint64, limbs, inLimbs int) (lost uint64) {
	for i, m := range t.images {
		if at, ok := t.index(m.low); ok {
			from := int(m.source&slabMask) * inLimbs
			lost |= f.of(t.variables[i]).add(out[int(at)*limbs:][:limbs], in[m.source>>slabBits][from:from+inLimbs])
		}
	}
	return lost
}
