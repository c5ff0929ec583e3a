package verify

import (
	"fmt"
	"slices"

	"github.com/pavage/pavage/cover"
)

// row is what the formula needs to know of an item: the variables that use it, how often
// each does if it is true, with which colour, and the bounds of the sum.
type row struct {
	vars    []int32
	times   []int
	colours []int32 // 0: none; nil if the problem has none
	least   int
	most    int // cover.Unbounded: no limit
}

// add adds a variable that uses the item.
func (r *row) add(v int32, u cover.Use) {
	r.vars, r.times = append(r.vars, v), append(r.times, int(u.Times))
	if r.colours != nil {
		r.colours = append(r.colours, u.Colour)
	}
}

// encode writes the clauses of a row, or measures them. It ends when the formula is full.
func (c *CNF) encode(r row) {
	r = c.kinds(c.forbid(r))
	total := 0 // below 2^44, see cover.MaxTimes
	for _, t := range r.times {
		total += t
	}
	switch {
	case r.least > total: // the empty clause would do, but not every reader of DIMACS takes one
		v := c.helper()
		c.add(v)
		c.add(-v)
	case r.least == 0 && r.most >= total:
	case r.least <= 1 && r.most >= total:
		c.add(r.vars...)
	case r.most == 1:
		c.atMostOne(r.vars, r.least == 1)
	default:
		top := r.least
		if r.most < total {
			top = r.most + 1
		}
		if int64(top) > c.most { // the lists of thresholds would be as long
			c.measured = c.most + 1
			return
		}
		c.counter(r, top, r.most < total)
	}
}

var errTooLarge = fmt.Errorf("%w: more than %d literals", ErrTooLarge, maxLiterals)

// forbid excludes what alone uses the item too often, and returns the rest.
func (c *CNF) forbid(r row) row {
	rest := row{least: r.least, most: r.most, colours: r.colours[:0:0]}
	for k, v := range r.vars {
		if r.times[k] > r.most && r.most != cover.Unbounded {
			c.add(-v)
			continue
		}
		use := cover.Use{Times: int32(r.times[k])}
		if r.colours != nil {
			use.Colour = r.colours[k]
		}
		rest.add(v, use)
	}
	return rest
}

// kinds is the row with one variable for each colour in place of its uses, which is true if
// and only if one of them is: together they use the item once. Where all uses have the same
// colour there is nothing to say. Colours stand in the order of their first use:
//
//	1 x:R   2 x:G   3 x:R   4 x          y ⇔ 1∨3        at most one of y 2 4
func (c *CNF) kinds(r row) row {
	if !slices.ContainsFunc(r.colours, func(colour int32) bool { return colour != 0 }) {
		return r
	}
	kinds, groups := row{least: r.least, most: r.most}, r.groups()
	if len(groups) == 1 {
		return kinds
	}
	for _, g := range groups {
		kinds.vars, kinds.times = append(kinds.vars, c.either(g)), append(kinds.times, 1)
	}
	return kinds
}

// groups are the variables of each colour; one without a colour is alone.
func (r row) groups() (groups [][]int32) {
	place := map[int32]int{} // by colour
	for k, v := range r.vars {
		at, found := place[r.colours[k]]
		if !found || r.colours[k] == 0 {
			at = len(groups)
			groups = append(groups, nil)
			place[r.colours[k]] = at
		}
		groups[at] = append(groups[at], v)
	}
	return groups
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
func (c *CNF) counter(r row, top int, bounded bool) {
	last, next := make([]int32, top+1), make([]int32, top+1) // s(k-1,j) and s(k,j); 0 for false
	at := func(j int) int32 {
		if j <= 0 {
			return yes
		}
		return last[j]
	}
	for k, x := range r.vars {
		for j := 1; j <= top && !c.isFull(); j++ {
			next[j] = c.define(at(j), x, at(j-r.times[k]))
		}
		last, next = next, last
	}
	if r.least > 0 {
		c.add(last[r.least])
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
