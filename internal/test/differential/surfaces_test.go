package differential

import (
	"math/big"
	"math/bits"
	"testing"
)

// TestDominoesOn compares the formulas with sums over what lies over the seam between the columns.
func TestDominoesOn(t *testing.T) {
	for _, wrap := range []string{"rows", "columns", "both", "moebius", "klein", "none"} {
		for m := 3; m <= 7; m++ {
			for n := 3; n <= 6; n++ {
				if (wrap == "moebius" || wrap == "klein") && (m%2 == 1 || n%2 == 1) {
					continue
				}
				got, want := DominoesOn(wrap, m, n), byColumns(wrap, m, n)
				if got.Cmp(want) != 0 {
					t.Errorf("wrap %s %dx%d: %s dominoes, want %s", wrap, m, n, got, want)
				}
			}
		}
	}
	for wrap, want := range map[string]string{"both": "90176", "none": "6728"} { // OEIS A335586, A004003
		if got := DominoesOn(wrap, 6, 6).String(); got != want {
			t.Errorf("wrap %s 6x6: %s dominoes, want %s", wrap, got, want)
		}
	}
}

// byColumns adds up the tilings in which the dominoes over the seam lie in these rows, for all sets
// of rows.
func byColumns(wrap string, m, n int) *big.Int {
	ring := wrap == "rows" || wrap == "both" || wrap == "klein"
	total := new(big.Int)
	for over := range uint(1) << m {
		if wrap == "none" || wrap == "rows" {
			if over > 0 {
				break
			}
		}
		covered := over // of the first column
		if wrap == "moebius" || wrap == "klein" {
			covered = bits.Reverse(over) >> (bits.UintSize - m)
		}
		ways := map[uint]*big.Int{covered: big.NewInt(1)}
		for range n {
			next := map[uint]*big.Int{}
			for taken, count := range ways {
				for out := range uint(1) << m {
					if k := standing(m, ring, taken|out); out&taken == 0 && k > 0 {
						if next[out] == nil {
							next[out] = new(big.Int)
						}
						next[out].Add(next[out], new(big.Int).Mul(count, big.NewInt(k)))
					}
				}
			}
			ways = next
		}
		if count := ways[over]; count != nil {
			total.Add(total, count)
		}
	}
	return total
}

// standing is the number of ways to fill what is free of a column, a ring or not, with dominoes
// that stand in it.
func standing(m int, ring bool, taken uint) int64 {
	var fill func(at int, taken uint) int64
	fill = func(at int, taken uint) int64 {
		switch {
		case at >= m:
			return 1
		case taken>>at&1 == 1:
			return fill(at+1, taken)
		case at+1 < m && taken>>(at+1)&1 == 0:
			return fill(at+2, taken)
		}
		return 0
	}
	n := fill(0, taken)
	if both := uint(1)<<(m-1) | 1; ring && taken&both == 0 {
		n += fill(0, taken|both)
	}
	return n
}
