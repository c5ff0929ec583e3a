package permute

import (
	"errors"
	"math/bits"

	"github.com/pavage/pavage/internal/engine/key"
	"github.com/pavage/pavage/internal/engine/limb"
)

// ErrNarrow is the error for a sum that does not fit in the limbs of a count.
var ErrNarrow = errors.New("a sum of counts needs more limbs")

// Limbs returns the number of limbs for a sum of counts. The argument inputs is the number of
// counts, and widest is the greatest number of bits of a count.
func Limbs(widest, inputs int) int {
	return max(1, (widest+bits.Len(uint(max(0, inputs-1)))+63)/64)
}

// Add adds the counts of neighbouring equal keys, and returns the number of states that remain. The
// last word of a count is its residue modulo a prime below 2^63. After ErrNarrow, keys and counts
// are not valid.
func Add[K key.Key](keys []K, counts []uint64, words int, prime uint64) (states int, err error) {
	if len(keys) == 0 {
		return 0, nil
	}
	last := 0 // index of the state to which counts are added
	for i := 1; i < len(keys); i++ {
		count := counts[i*words : (i+1)*words]
		if keys[i] != keys[last] {
			if last++; last < i {
				keys[last] = keys[i]
				copy(counts[last*words:], count)
			}
			continue
		}
		sum := counts[last*words : (last+1)*words]
		if limb.Add(sum[:words-1], count[:words-1]) != 0 {
			return 0, ErrNarrow
		}
		sum[words-1] = limb.SumModulo(sum[words-1], count[words-1], prime)
	}
	return last + 1, nil
}
