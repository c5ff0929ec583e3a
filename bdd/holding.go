package bdd

import (
	"context"
	"math/big"
)

// CountHolding returns how many sets of the family have all variables of set, which is
// ascending, and no variable of none. counts must be those of d, without weights. The result
// is a sum over the paths from the root that make these choices: each adds the count of the
// node where it has made the last of them. No other nodes are looked at. The error is ctx's.
func (d *Diagram) CountHolding(ctx context.Context, counts *Counts, set, none []int) (*big.Int, error) {
	h := &holding{ctx: ctx, d: d, counts: counts, set: set, none: make([]bool, d.Vars()), last: -1, known: map[uint32]*big.Int{}}
	for k, v := range set {
		if v < 0 || v >= d.Vars() || k > 0 && v <= set[k-1] {
			return new(big.Int), nil
		}
		h.last = v
	}
	for _, v := range none {
		if v >= 0 && v < d.Vars() { // others no set holds
			h.none[v] = true
			h.last = max(h.last, v)
		}
	}
	return h.below(d.Root(), 0, 0)
}

type holding struct {
	ctx    context.Context
	d      *Diagram
	counts *Counts
	set    []int
	none   []bool
	last   int                 // variable of set or none
	known  map[uint32]*big.Int // by node: how much of set is above it, its variable tells
	looks  int
}

// below counts the sets below n that hold set[taken:]; n's variable is at least v.
func (h *holding) below(n uint32, v, taken int) (*big.Int, error) {
	v = h.d.VarFrom(v, n)
	switch {
	case taken < len(h.set) && v > h.set[taken]: // which no set below holds
		return new(big.Int), nil
	case v > h.last:
		return h.counts.At(n), nil
	case h.known[n] != nil:
		return h.known[n], nil
	}
	if h.looks++; h.looks%pollEvery == 0 && h.ctx.Err() != nil {
		return nil, h.ctx.Err()
	}
	sum, err := h.sum(n, v, taken)
	h.known[n] = sum
	return sum, err
}

// sum is below of a node of variable v that is decided, or comes before one.
func (h *holding) sum(n uint32, v, taken int) (*big.Int, error) {
	if taken < len(h.set) && v == h.set[taken] {
		if h.none[v] {
			return new(big.Int), nil
		}
		return h.below(h.d.Hi(n), v+1, taken+1)
	}
	lo, err := h.below(h.d.Lo(n), v+1, taken)
	if err != nil || h.none[v] {
		return lo, err
	}
	hi, err := h.below(h.d.Hi(n), v+1, taken)
	if err != nil {
		return nil, err
	}
	return new(big.Int).Add(lo, hi), nil
}
