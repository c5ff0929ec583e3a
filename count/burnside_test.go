package count

import (
	"math/big"
	"testing"

	"github.com/pavage/pavage/internal/test/puzzletest"
)

// TestBurnsideIsExact: counts up to symmetry that pass 53 and 64 bits are
// exactly the average of the fixed solutions over the group.
func TestBurnsideIsExact(t *testing.T) {
	for _, board := range []string{"12x12", "14x14", "13x14"} {
		r, g := distinct(t, puzzletest.Inline(t, board, "domino=any"), true)
		sum := new(big.Int)
		elements := 0
		for _, c := range r.Classes {
			n := int64(len(c.Elements))
			sum.Add(sum, new(big.Int).Mul(big.NewInt(n), c.Fixed.Count))
			elements += len(c.Elements)
		}
		order := int64(len(g.Elements))
		if elements != len(g.Elements) || sum.Cmp(new(big.Int).Mul(big.NewInt(order), r.Count)) != 0 {
			t.Errorf("%s: %v classes under %d of %d elements, which fix %v", board, r.Count, elements, order, sum)
		}
		if r.Count.BitLen() <= 53-3 {
			t.Errorf("%s: %v would fit in a float", board, r.Count)
		}
	}
}
