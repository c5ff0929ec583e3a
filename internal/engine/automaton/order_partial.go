package automaton

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/pavage/pavage/cover"
)

// For a cover without orders, this file makes orders along which a sweep meets few states. A
// partial cover is a choice of disjoint options that cover all items decided so far; its state is
// the set of undecided items that it covers. The number of partial covers, and for each item the
// fraction q of them that covers it, are estimated as if items were covered independently (a mean
// field). When item i is decided, the number of partial covers is multiplied by a sum:
//
//	q(i)                            partial covers that cover i stay as they are
//	+ (1-q(i)) (1-q(j)) (1-q(k))    an option of i, j and k is added to covers without these items
//	+ …                             a term for each other option of i without a decided item
//
// If h is the sum of the entropies of q over all items, in bits, there are about 2^h sets of items.
// The estimate of the number of states is half the harmonic mean of 2^h and the number of partial
// covers. An order continues with the item after which the estimate is least. (Kirkman's
// schoolgirls: 49,000 states in this order, and 570,000 in the better breadth-first order.) The
// estimate is too low, for long options by a factor of ten, but by about the same in all orders.

type partials struct {
	p       *cover.Problem
	swept   []int
	items   [][]int32 // swept items of each option
	options [][]int32 // options of each swept item

	covered []float64 // fraction of the partial covers that cover each item
	entropy []float64
	decided []bool
	reached []bool  // whether each item shares an option with a decided item
	closed  []bool  // for each option, whether one of its items is decided
	number  float64 // logarithm to base 2 of the number of partial covers
	window  float64 // sum of entropy, logarithm to base 2 of the number of sets of covered items
	work    int     // number of item uses inspected

	met   []int32 // items that share an open option with the item of next
	newly []float64
	mark  []int // value of calls when next met each item for the last time
	calls int
}

func newPartials(p *cover.Problem, swept []int) *partials {
	f := &partials{p: p, swept: swept, items: sweptItems(p, swept)}
	f.newly, f.mark = make([]float64, len(p.Items)), make([]int, len(p.Items))
	f.options = usersOf(f.items, len(p.Items))
	return f
}

func (f *partials) begin() {
	f.covered, f.decided = make([]float64, len(f.p.Items)), make([]bool, len(f.p.Items))
	f.reached, f.closed = make([]bool, len(f.p.Items)), make([]bool, len(f.p.Options))
	f.entropy = make([]float64, len(f.p.Items))
	f.number, f.window = 0, 0
}

// next returns the factor by which the number of partial covers grows when item i is decided, and
// the increase of window. It sets f.met and f.newly. For each item in f.met, f.newly is the number
// of partial covers that begin to cover it, divided by the earlier number of all partial covers.
func (f *partials) next(i int) (growth, window float64) {
	f.calls++
	f.met = f.met[:0]
	if growth = f.covered[i]; f.p.Items[i].Min == 0 {
		growth = 1
	}
	for _, o := range f.options[i] {
		if f.work++; f.closed[o] {
			continue
		}
		taking := 1.0
		for _, j := range f.items[o] {
			taking *= 1 - f.covered[j]
		}
		growth += taking
		for _, j := range f.items[o] {
			if f.mark[j] != f.calls {
				f.mark[j], f.newly[j] = f.calls, 0
				f.met = append(f.met, j)
			}
			f.newly[j] += taking
		}
		f.work += 2 * len(f.items[o])
	}
	window = -f.entropy[i]
	for _, j := range f.met {
		if int(j) != i {
			window += entropy(f.then(j, growth)) - f.entropy[j]
		}
	}
	return growth, window
}

func (f *partials) then(j int32, growth float64) float64 {
	if growth == 0 {
		return 1
	}
	return f.covered[j] + (1-f.covered[j])*min(1, f.newly[j]/growth)
}

func (f *partials) decide(i int) {
	growth, window := f.next(i)
	f.number += math.Log2(growth)
	f.window += window
	f.decided[i] = true
	for _, j := range f.met {
		f.covered[j] = f.then(j, growth)
		f.entropy[j] = entropy(f.covered[j])
		f.reached[j] = true
	}
	for _, o := range f.options[i] {
		f.closed[o] = true
	}
}

// states estimates the states of a level; number and window are logarithms to base 2.
func states(number, window float64) float64 {
	return 1 / (math.Exp2(-number) + math.Exp2(-min(maxTypical, window)))
}

func (f *partials) along(order []int) (all float64) {
	f.begin()
	for _, i := range order {
		f.decide(i)
		all += states(f.number, f.window)
	}
	return all
}

// grow returns an order from the item start and its estimated states, or nil if f.work ≥ most.
func (f *partials) grow(start, most int) (order []int, cost float64) {
	f.begin()
	for next := start; ; {
		f.decide(next)
		order = append(order, next)
		cost += states(f.number, f.window)
		if len(order) == len(f.swept) {
			return order, cost
		}
		if next = f.least(true); next < 0 { // all reached items are decided
			next = f.least(false)
		}
		if f.work >= most {
			return nil, 0
		}
	}
}

// least returns the undecided item with the lowest estimate of states, or -1. If reached is set,
// only reached items are compared.
func (f *partials) least(reached bool) int {
	best, least := -1, math.Inf(1)
	for _, i := range f.swept {
		if f.decided[i] || reached && !f.reached[i] {
			continue
		}
		growth, window := f.next(i)
		if n := states(f.number+math.Log2(growth), f.window+window); best < 0 || n < least {
			best, least = i, n
		}
	}
	f.work += len(f.swept)
	return best
}

const (
	// mostWork is the largest number of item uses that are inspected for a cover. They cost 40 ms.
	mostWork = 1 << 22
	// For each expected state, workPerState item uses are inspected at most. They cost ten states.
	workPerState = 1 << 8
	grownKept    = 2
)

func grownOrders(ctx context.Context, p *cover.Problem, swept []int, walks [][]int) ([][]int, error) {
	f := newPartials(p, swept)
	least := math.Inf(1)
	starts := []int{}
	for _, w := range walks {
		least = min(least, f.along(w))
		starts = append(starts, w[0])
	}
	type grown struct {
		order []int
		cost  float64
	}
	var all []grown
	f.work = 0
	for _, start := range append(starts, swept...) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		order, cost := f.grow(start, int(min(mostWork, workPerState*least)))
		if order == nil {
			break
		}
		if !slices.ContainsFunc(all, func(g grown) bool { return slices.Equal(g.order, order) }) {
			all = append(all, grown{order, cost})
		}
		least = min(least, cost)
	}
	slices.SortStableFunc(all, func(a, b grown) int { return cmp.Compare(a.cost, b.cost) })
	var best [][]int
	for _, x := range all[:min(grownKept, len(all))] {
		best = append(best, x.order)
	}
	return best, nil
}
