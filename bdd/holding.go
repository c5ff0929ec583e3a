package bdd

import (
	"context"
	"math/big"
)

// CountHolding returns the number of sets that have every variable of the ascending slice set, and
// do not have any variable of the slice none. counts must be the counts of d without weights. The
// error is the error of ctx.
func (d *Diagram) CountHolding(ctx context.Context, counts *Counts, set, none []int) (*big.Int, error) {
	if checkSet(set, d.Vars()) != nil {
		return new(big.Int), nil
	}
	barred := make([]bool, d.Vars())
	last := -1 // highest variable in the two slices
	for _, v := range none {
		if v >= 0 && v < d.Vars() { // no set has other variables
			barred[v] = true
			last = max(last, v)
		}
	}
	if len(set) > 0 {
		last = max(last, set[len(set)-1])
	}
	known := map[uint32]*big.Int{} // results of the function below, indexed by node
	looks, stopped := 0, false
	// below counts the sets of n that have all variables in want and no variable in none. The
	// variable of n is at least v.
	var below func(n uint32, v int, want []int) *big.Int
	below = func(n uint32, v int, want []int) *big.Int {
		v = d.VarFrom(v, n)
		switch {
		case stopped, len(want) > 0 && v > want[0]: // want[0] is in no set of n
			return new(big.Int)
		case v > last:
			return counts.At(n)
		case known[n] != nil:
			return known[n]
		}
		if looks++; looks%pollEvery == 0 {
			stopped = ctx.Err() != nil
		}
		sum := new(big.Int)
		if len(want) > 0 && v == want[0] {
			want = want[1:]
		} else {
			sum.Set(below(d.lo[n], v+1, want))
		}
		if !barred[v] {
			sum.Add(sum, below(d.hi[n], v+1, want))
		}
		known[n] = sum
		return sum
	}
	return below(d.root, 0, set), ctx.Err()
}
