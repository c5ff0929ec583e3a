package verify

import (
	"fmt"
	"slices"
)

// row is what the formula needs to know of an item: what uses it, and the bounds of the sum.
type row struct {
	uses  []use
	least int
	most  int // cover.Unbounded: no limit
}

// use is how often a variable uses the item if it is true, and with which colour, 0 for none.
type use struct{ v, times, colour int32 }

func variables(uses []use) []int32 {
	vars := make([]int32, len(uses))
	for k, u := range uses {
		vars[k] = u.v
	}
	return vars
}

// encode writes the clauses of a row, or measures them. It ends when the formula is full.
func (c *CNF) encode(r row) {
	uses := r.uses[:0:0]
	for _, u := range r.uses {
		if int(u.times) <= r.most {
			uses = append(uses, u)
		} else { // it alone uses the item too often
			c.add(-u.v)
		}
	}
	uses = c.kinds(uses)
	total := 0 // below 2^44, see cover.MaxTimes
	for _, u := range uses {
		total += int(u.times)
	}
	switch {
	case r.least > total: // the empty clause would do, but not every reader of DIMACS takes one
		v := c.helper()
		c.add(v)
		c.add(-v)
	case r.least == 0 && r.most >= total:
	case r.least <= 1 && r.most >= total:
		c.add(variables(uses)...)
	case r.most == 1:
		c.atMostOne(variables(uses), r.least == 1)
	default:
		top := r.least
		if r.most < total {
			top = r.most + 1
		}
		if int64(top) > c.most { // the lists of thresholds would be as long
			c.measured = c.most + 1
			return
		}
		c.counter(uses, r.least, top, r.most < total)
	}
}

var errTooLarge = fmt.Errorf("%w: more than %d literals", ErrTooLarge, maxLiterals)

// kinds has one variable for each colour in place of its uses, which is true if and only if one of
// them is: together they use the item once. Where all uses have the same colour there is nothing
// to say. Colours stand in the order of their first use:
//
//	1 x:R   2 x:G   3 x:R   4 x          y ⇔ 1∨3        at most one of y 2 4
func (c *CNF) kinds(uses []use) []use {
	if !slices.ContainsFunc(uses, func(u use) bool { return u.colour != 0 }) {
		return uses
	}
	var groups [][]int32     // the variables of each colour; one without a colour is alone
	place := map[int32]int{} // by colour
	for _, u := range uses {
		at, found := place[u.colour]
		if !found || u.colour == 0 {
			at = len(groups)
			groups = append(groups, nil)
			place[u.colour] = at
		}
		groups[at] = append(groups[at], u.v)
	}
	if len(groups) == 1 {
		return nil
	}
	var kinds []use
	for _, g := range groups {
		kinds = append(kinds, use{v: c.either(g), times: 1})
	}
	return kinds
}

// groupSize is how many variables of a long list share a helper. Seconds of one thread for
// 8x8 with the pentominoes and a square, estimated from a sample of its parts (the formula
// has 1.6 million clauses with pairs alone, and 61,000 with groups of 6):
//
//	size      3    4    5    6    8   10   only pairs
//	seconds 139  116  105  102  107  101   164
const groupSize = 6

// atMostOne says that at most one of the variables is true and, if some is set, at least
// one. Long lists are cut into groups. Each group gets a helper, which is true if one of the
// group is, and the same is then said of the helpers:
//
//	x1 x2 x3 x4   x5 x6 x7 x8   …       pairs within a group
//	    h1            h2        …       h1 ⇔ x1∨x2∨x3∨x4
func (c *CNF) atMostOne(vars []int32, some bool) {
	for len(vars) > groupSize+1 {
		var helpers []int32
		for len(vars) > 0 {
			group := vars[:min(groupSize, len(vars))]
			vars = vars[len(group):]
			c.pairs(group)
			helpers = append(helpers, c.either(group))
		}
		vars = helpers
	}
	c.pairs(vars)
	if some {
		c.add(vars...)
	}
}

func (c *CNF) pairs(vars []int32) {
	for k, v := range vars {
		for _, w := range vars[:k] {
			c.add(-w, -v)
		}
	}
}

// either returns a variable that is true if and only if one or more of the group are.
func (c *CNF) either(group []int32) int32 {
	if len(group) == 1 {
		return group[0]
	}
	h := c.helper()
	for _, v := range group {
		c.add(-v, h)
	}
	c.add(append([]int32{-h}, group...)...)
	return h
}

// counter bounds a sum. Its helper s(k,j) says "the first k variables add up to at least j",
// for j up to top. Each helper is defined in both directions, so that the variables determine
// it:
//
//	s(k,j)  ⇔  s(k-1,j) ∨ x(k) ∧ s(k-1, j-times(k))       s(k,≤0) true, s(0,>0) false
func (c *CNF) counter(uses []use, least, top int, bounded bool) {
	last, next := make([]int32, top+1), make([]int32, top+1) // s(k-1,j) and s(k,j); 0 for false
	at := func(j int) int32 {
		if j <= 0 {
			return yes
		}
		return last[j]
	}
	for _, u := range uses {
		for j := 1; j <= top && !c.isFull(); j++ {
			next[j] = c.define(at(j), u.v, at(j-int(u.times)))
		}
		last, next = next, last
	}
	if least > 0 {
		c.add(last[least])
	}
	if bounded {
		c.add(-last[top])
	}
}

// yes stands for a literal that is always true.
const yes = 1<<31 - 1

// define returns a literal for before ∨ (x ∧ enough), where before implies enough. The
// literal 0 stands for false.
func (c *CNF) define(before, x, enough int32) int32 {
	switch {
	case enough == 0:
		return before // 0 too
	case before == 0 && enough == yes:
		return x
	}
	h := c.helper()
	if before != 0 {
		c.add(-before, h)
		c.add(-h, before, x)
	} else {
		c.add(-h, x)
	}
	if enough != yes {
		c.add(-h, enough)
		c.add(-x, -enough, h)
	} else {
		c.add(-x, h)
	}
	return h
}
