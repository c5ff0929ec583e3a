package sample

import (
	"math/big"
	"slices"
	"testing"

	"github.com/pavage/pavage/internal/engine/limb"
)

// TestShuffle: ranks of several limbs come in the same order as ranks of one, and all come
// once.
func TestShuffle(t *testing.T) {
	for _, n := range []int64{1, 2, 3, 64, 65, 500} {
		var got [2][]uint64
		for wide := range got {
			s, err := newShuffle(Seeded(9), big.NewInt(n), 1+wide, uint64(n), 0)
			if err != nil {
				t.Fatal(err)
			}
			r := make([]uint64, 1+wide)
			for range n {
				s(r)
				got[wide] = append(got[wide], limb.Int(r).Uint64())
			}
		}
		if !slices.Equal(got[0], got[1]) {
			t.Errorf("%d ranks of one limb %v, of two %v", n, got[0], got[1])
		}
		slices.Sort(got[0])
		for i, r := range got[0] {
			if r != uint64(i) {
				t.Fatalf("%d ranks: %v, want each once", n, got[0])
			}
		}
	}
}
