package bdd

import (
	"fmt"
	"math/big"

	"github.com/pavage/pavage/internal/engine/limb"
)

// factor is a weight: limbs without zeros at either end, times 2^(64·shift). For 0, limbs is empty.
type factor struct {
	limbs []uint64
	shift int
	whole *big.Int // the weight as an integer; nil means 1
}

// factors has the weights, indexed by variable. A missing weight is 1.
type factors []factor

var one = factor{limbs: []uint64{1}}

func (f factor) isZero() bool { return len(f.limbs) == 0 }

func (f factor) word() (word uint64, ok bool) {
	if f.isZero() {
		return 0, true
	}
	return f.limbs[0], f.shift == 0 && len(f.limbs) == 1
}

func (f factors) of(v int) factor {
	if v < len(f) {
		return f[v]
	}
	return one
}

func factorsOf(weights []*big.Int, vars int) (factors, error) {
	if len(weights) > vars {
		return nil, fmt.Errorf("%w: there are %d weights, expected at most one weight for each of %d variables", ErrInvalid, len(weights), vars)
	}
	made := make(factors, len(weights))
	for v, w := range weights {
		switch {
		case w == nil:
			made[v] = one
		case w.Sign() < 0:
			return nil, fmt.Errorf("%w: weight of variable %d is negative, expected 0 or more", ErrInvalid, v)
		default:
			limbs := limb.Of(w, (w.BitLen()+63)/64)
			shift := int(w.TrailingZeroBits() / 64)
			made[v] = factor{limbs[shift:], shift, w}
		}
	}
	return made, nil
}

// width returns the least number of limbs that f·x can have if x has the given number of limbs.
func (f factor) width(limbs int) int {
	if f.isZero() || limbs == 0 {
		return 0
	}
	return limbs + len(f.limbs) + f.shift - 1
}

func (f factor) addTo(z, y []uint64) (over bool) {
	y = limb.Trim(y)
	switch {
	case len(y) == 0 || f.isZero():
		return false
	case f.width(len(y)) > len(z):
		return true
	}
	z = z[f.shift:]
	if len(f.limbs) == 1 && f.limbs[0] == 1 {
		return limb.Add(z, y) != 0
	}
	return limb.AddProduct(z, y, f.limbs) != 0
}

// times returns the product of f and x, in the array of z. The highest limb of x is not 0.
func (f factor) times(z, x []uint64) []uint64 {
	if f.isZero() || len(x) == 0 {
		return z[:0]
	}
	z = append(z[:0], make([]uint64, f.width(len(x))+1)...)
	f.addTo(z, x)
	return limb.Trim(z)
}
