package automaton

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/key"
)

// The steps of an item with colours follow the last step with an option that uses the item:
//
//	order     a b x x c …      b is the last step with an option that uses item x
//	                           the two steps of x shift the field of x out of the window
//
// The field of an item has these values:
//
//	0         no step uses the item, except perhaps the last step with an option that uses it
//	1..k      the item is used with this colour, and an option of a later step uses this colour
//	all ones  closed: the item is used, and no later option may use it
//
// An option that uses a colour has two moves: one for states in which the item is not used, and one
// for states in which it has the colour. A move that closes a field adds only bits that are 0 in
// the field, so nothing is carried. The last step tests the field and does not change it, since no
// later step reads it. One move is enough at the first step with an option that uses the colour.
// One move is also enough if the item is surely used: an earlier cell must be covered, and all
// options of this cell use the item. An item has no field if it has one colour, or if only options
// of a single step use it: then two options of a solution cannot disagree on its colour.

// In Automaton.Order, fieldStep-x stands for a step of the field of item x. It decides no item.
const fieldStep = -2

func isField(step int) bool { return step <= fieldStep }

type coloured struct {
	item      int
	at, width int     // position of the field in the order, width in bits; width 0 means no field
	asked     []asked // colours with which options use the item, ascending; 0 means no colour
	last      int     // the last step with an option that uses the item
	surely    int     // the step after which the item is certainly used
}

type asked struct {
	colour      int32
	first, last int
	code        uint64 // value of the field; 0 if only options of one step use the colour
}

func (x *coloured) closed() uint64 { return key.LowBits(x.width) }

func (x *coloured) of(colour int32) *asked {
	k, _ := slices.BinarySearchFunc(x.asked, colour, func(a asked, colour int32) int { return cmp.Compare(a.colour, colour) })
	return &x.asked[k]
}

// after returns the value of the field after a step in which an option uses a.colour.
func (x *coloured) after(step int, a *asked, before uint64) uint64 {
	switch {
	case step == x.last:
		return before
	case step < a.last && a.colour != 0:
		return a.code
	}
	return x.closed()
}

// befores returns the values of the field for which an option with a.colour fits before a step.
func (x *coloured) befores(step int, a *asked) (codes []uint64) {
	if step <= x.surely {
		codes = append(codes, 0)
	}
	if a.colour != 0 && a.first < step {
		codes = append(codes, a.code)
	}
	return codes
}

func (x *coloured) apply(to []move, m move, step int, colour int32) []move {
	if x.width == 0 {
		return append(to, m)
	}
	a := x.of(colour)
	for _, before := range x.befores(step, a) {
		n := m
		putBits(&n.test, x.at-step, x.closed())
		putBits(&n.want, x.at-step, before)
		putBits(&n.add, x.at-step, x.after(step, a, before)&^before)
		to = append(to, n)
	}
	return to
}

func putBits(w *key.Wide, at int, value uint64) {
	for ; value != 0; value &= value - 1 {
		w.Set(at + bits.TrailingZeros64(value))
	}
}

func (c *compiler) findColoured() {
	if !c.p.Coloured() {
		return
	}
	c.colourOf = slices.Repeat([]int32{-1}, len(c.p.Items))
	for i, has := range c.p.ColouredItems() {
		if has {
			c.colourOf[i] = int32(len(c.coloured))
			c.coloured = append(c.coloured, coloured{item: i, last: -1})
		}
	}
}

func (c *compiler) colour(item int) *coloured {
	if c.colourOf == nil || c.colourOf[item] < 0 {
		return nil
	}
	return &c.coloured[c.colourOf[item]]
}

func (c *compiler) eachColoured(o int, do func(x *coloured, u cover.Use)) {
	if c.colourOf == nil {
		return
	}
	for _, u := range c.p.Options[o] {
		if x := c.colour(u.Item); x != nil {
			do(x, u)
		}
	}
}

func (c *compiler) layColours() {
	if c.colourOf == nil {
		return
	}
	c.placeLone()
	c.findAsked()
	c.findSurely()
	c.insertFields()
}

// placeLone inserts a step for each option with colours and without swept items. Each coloured item
// of the option has a last step that uses the item. The new step follows the earliest of them.
func (c *compiler) placeLone() {
	end := len(c.Order)
	for o, first := range c.first {
		if first >= 0 {
			c.eachColoured(o, func(x *coloured, _ cover.Use) { x.last = max(x.last, first) })
		}
	}
	lone := make([][]int, end+1) // for each step, the options whose steps are inserted after it
	for o, first := range c.first {
		behind, colours := end, false
		c.eachColoured(o, func(x *coloured, _ cover.Use) {
			if colours = true; x.last >= 0 {
				behind = min(behind, x.last)
			}
		})
		if first == noItem && colours {
			lone[behind] = append(lone[behind], o)
		}
	}
	steps := make([][]int, end+1)
	for i, options := range lone {
		steps[i] = slices.Repeat([]int{-1}, len(options))
	}
	moved := c.insert(steps)
	for i, options := range lone {
		at := moved[i]
		if i < end {
			at++ // the new steps follow step i
		}
		for k, o := range options {
			c.first[o] = at + k
		}
	}
}

// For each i, insert puts the steps in behind[i] after step i, or at the end if there is no step i.
// The new steps decide no item. insert returns the new positions of the old steps and of the end.
func (c *compiler) insert(behind [][]int) (moved []int) {
	order, optional := c.Order, c.optional
	c.Order, c.optional = nil, nil
	for i, steps := range behind {
		moved = append(moved, len(c.Order))
		if i < len(order) {
			c.Order, c.optional = append(c.Order, order[i]), append(c.optional, optional[i])
		}
		for _, s := range steps {
			c.Order, c.optional = append(c.Order, s), append(c.optional, true)
		}
	}
	for i, at := range c.at {
		if at >= 0 {
			c.at[i] = moved[at]
		}
	}
	for o, first := range c.first {
		if first >= 0 {
			c.first[o] = moved[first]
		}
	}
	return moved
}

func (c *compiler) findAsked() {
	type use struct{ index, colour, step int32 }
	var all []use
	for o, first := range c.first {
		if first >= 0 {
			c.eachColoured(o, func(_ *coloured, u cover.Use) {
				all = append(all, use{c.colourOf[u.Item], u.Colour, int32(first)})
			})
		}
	}
	slices.SortFunc(all, func(a, b use) int {
		return cmp.Or(cmp.Compare(a.index, b.index), cmp.Compare(a.colour, b.colour), cmp.Compare(a.step, b.step))
	})
	for _, u := range all {
		x, step := &c.coloured[u.index], int(u.step)
		x.last = max(x.last, step)
		if n := len(x.asked); n == 0 || x.asked[n-1].colour != u.colour {
			x.asked = append(x.asked, asked{colour: u.colour, first: step})
		}
		x.asked[len(x.asked)-1].last = step
	}
	for k := range c.coloured {
		c.coloured[k].encode()
	}
}

func (x *coloured) encode() {
	codes, closes := 0, false
	for k := range x.asked {
		a := &x.asked[k]
		closes = closes || a.last < x.last || a.colour == 0 && a.first < x.last
		if a.colour != 0 && a.first < a.last {
			codes++
			a.code = uint64(codes)
		}
	}
	if len(x.asked) == 1 && x.asked[0].colour != 0 {
		return // an item of one colour has no field
	}
	if closes {
		codes++
	}
	x.width = bitsFor(codes) // 0 if only one step uses the item
}

// findSurely sets the field surely of each coloured item, unless the order is too wide.
func (c *compiler) findSurely() {
	for k := range c.coloured {
		c.coloured[k].surely = len(c.Order)
	}
	if c.Window > maxBits {
		return
	}
	common := make([][]int32, len(c.Order)) // by cell: coloured items that all its options use
	seen := make([]bool, len(c.Order))
	for o, option := range c.p.Options {
		var mine []int32
		if c.first[o] == impossible {
			continue
		}
		c.eachColoured(o, func(x *coloured, u cover.Use) {
			if x.width > 0 {
				mine = append(mine, c.colourOf[u.Item])
			}
		})
		if len(mine) > maxBits {
			return // the order is too wide: each item in mine needs a bit of a state
		}
		for _, u := range option {
			at := c.at[u.Item]
			switch {
			case at < 0 || c.optional[at]:
			case !seen[at]:
				seen[at], common[at] = true, slices.Clone(mine)
			default:
				common[at] = slices.DeleteFunc(common[at], func(k int32) bool { return !slices.Contains(mine, k) })
			}
		}
	}
	for at, items := range common {
		for _, k := range items {
			c.coloured[k].surely = min(c.coloured[k].surely, at)
		}
	}
}

func (c *compiler) insertFields() {
	steps := make([][]int, len(c.Order)+1)
	for k := range c.coloured {
		if x := &c.coloured[k]; x.width > 0 {
			x.at = 1 + len(steps[x.last]) // relative to x.last
			steps[x.last] = append(steps[x.last], slices.Repeat([]int{fieldStep - x.item}, x.width)...)
		}
	}
	moved := c.insert(steps)
	for k := range c.coloured {
		x := &c.coloured[k]
		if x.last >= 0 {
			x.last = moved[x.last]
		}
		if x.width > 0 {
			x.at += x.last
		}
		x.surely = moved[x.surely]
		for k := range x.asked {
			x.asked[k].first, x.asked[k].last = moved[x.asked[k].first], moved[x.asked[k].last]
		}
	}
}

// maxColourMoves limits the additional moves because of colours: all moves but one of each option.
const maxColourMoves = 1 << 20

// checkColours fails if options have too many moves. The number of moves of an option doubles for
// each of its coloured items that an earlier option may use.
func (c *compiler) checkColours() error {
	if c.colourOf == nil {
		return nil
	}
	total := 0
	for o, first := range c.first {
		if first < 0 {
			continue
		}
		moves := 1
		c.eachColoured(o, func(x *coloured, u cover.Use) {
			if x.width > 0 {
				moves = min(maxColourMoves+1, moves*len(x.befores(first, x.of(u.Colour))))
			}
		})
		if total += max(0, moves-1); total > maxColourMoves {
			return &tooWide{colours: true}
		}
	}
	return nil
}

// cellsFrom returns the number of steps from the given step on, without the steps of fields.
func (c *compiler) cellsFrom(step int) int {
	if c.colourOf == nil {
		return len(c.Order) - step
	}
	if c.cells == nil {
		c.cells = make([]int, len(c.Order)+1)
		for i := len(c.Order) - 1; i >= 0; i-- {
			c.cells[i] = c.cells[i+1]
			if !isField(c.Order[i]) {
				c.cells[i]++
			}
		}
	}
	return c.cells[step]
}

// Coloured reports whether states have fields of colours.
func (a *Automaton) Coloured() bool { return slices.ContainsFunc(a.Order, isField) }
