package bdd

import (
	"context"
	"math/big"
)

// CountHolding is the number of sets of the family that hold all variables of a
// set, which is ascending: the sum, over the ways from the root that take all of
// these, of the counts below the node where the last is taken. counts are d's
// own. Only nodes on such ways are looked at. The error is ctx's.
func (d *Diagram) CountHolding(ctx context.Context, counts *Counts, set []int) (*big.Int, error) {
	for k, v := range set {
		if v < 0 || v >= d.Vars() || k > 0 && v <= set[k-1] {
			return new(big.Int), nil
		}
	}
	h := &holding{ctx: ctx, d: d, counts: counts, set: set, known: map[uint32]*big.Int{}}
	n, err := h.below(d.Root(), 0, 0)
	return n, err
}

type holding struct {
	ctx    context.Context
	d      *Diagram
	counts *Counts
	set    []int
	known  map[uint32]*big.Int // by node: how much of set is above it, its variable tells
	looks  int
}

// below counts the sets below n that hold set[taken:]; n's variable is at least v.
func (h *holding) below(n uint32, v, taken int) (*big.Int, error) {
	if taken == len(h.set) {
		return h.counts.At(n), nil
	}
	if n <= Top {
		return new(big.Int), nil
	}
	v = h.d.VarFrom(v, n)
	if v > h.set[taken] { // which no set below holds
		return new(big.Int), nil
	}
	if sum := h.known[n]; sum != nil {
		return sum, nil
	}
	if h.looks++; h.looks%pollEvery == 0 && h.ctx.Err() != nil {
		return nil, h.ctx.Err()
	}
	sum, err := h.taken(n, v, taken)
	h.known[n] = sum
	return sum, err
}

// taken is below of a node whose variable is at most the next to be taken.
func (h *holding) taken(n uint32, v, taken int) (*big.Int, error) {
	if v == h.set[taken] {
		return h.below(h.d.Hi(n), v+1, taken+1)
	}
	lo, err := h.below(h.d.Lo(n), v+1, taken)
	if err != nil {
		return nil, err
	}
	hi, err := h.below(h.d.Hi(n), v+1, taken)
	if err != nil {
		return nil, err
	}
	return new(big.Int).Add(lo, hi), nil
}
