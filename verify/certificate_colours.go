package verify

import (
	"cmp"
	"math/big"
	"slices"

	"github.com/pavage/pavage/cover"
)

// field is what a state of a certificate of version 3 says of an item with colours.
type field struct {
	step, width int // of its first step; width 0: there is none
	last        int // the last step with an option that uses the item
	asked       []asked
}

// asked is a colour of an item, 0 for a use without one, and the first and last step that asks
// for it.
type asked struct {
	colour      int32
	first, last int
	code        uint64 // 0 if it has none
}

// colourUse is a use of an item that has a field.
type colourUse struct {
	place, width uint   // bits of the field, where the step's own item has bit 0
	code         uint64 // of the colour; 0 if it has none
	after        uint64 // what the field says then
	stays        bool   // it stays as it is
}

// maxFieldWidth is more than any field needs.
const maxFieldWidth = 32

// coloured finds the items with colours.
func (c *certificate) coloured() {
	c.fields = make([]*field, len(c.p.Items))
	for _, option := range c.p.Options {
		for _, u := range option {
			if u.Colour != 0 && c.fields[u.Item] == nil {
				c.fields[u.Item] = &field{last: -1}
				c.blanks += maxFieldWidth
			}
		}
	}
}

// assignColours says what the options do to fields, their steps being known, and checks the
// conditions 2 and 5.
func (c *certificate) assignColours() {
	c.eachColourUse(func(f *field, u cover.Use, step int) {
		f.last = max(f.last, step)
		f.asked = append(f.asked, asked{u.Colour, step, step, 0}) // one for each use, so far
	})
	for item, f := range c.fields {
		if f != nil {
			f.encode()
			c.checkField(item)
		}
	}
	next := make([]int, len(c.choices)) // option of a step
	c.eachOption(func(o, step int) {
		next[step]++
		h := &c.choices[step][next[step]]
		for _, u := range c.p.Options[o] {
			if f := c.fields[u.Item]; f != nil && f.width > 0 {
				h.colours = append(h.colours, f.use(u.Colour, step))
			}
		}
	})
}

// eachOption calls do with every possible option and its step.
func (c *certificate) eachOption(do func(o, step int)) {
	for o, step := range c.first {
		if step >= 0 {
			do(o, step)
		}
	}
}

func (c *certificate) eachColourUse(do func(f *field, u cover.Use, step int)) {
	c.eachOption(func(o, step int) {
		for _, u := range c.p.Options[o] {
			if f := c.fields[u.Item]; f != nil {
				do(f, u, step)
			}
		}
		c.poll(len(c.p.Options[o]))
	})
}

// encode finds which colours have codes.
func (f *field) encode() {
	all := f.asked
	f.asked = nil
	slices.SortFunc(all, func(a, b asked) int { return cmp.Or(cmp.Compare(a.colour, b.colour), cmp.Compare(a.first, b.first)) })
	for _, a := range all {
		if n := len(f.asked); n > 0 && f.asked[n-1].colour == a.colour {
			f.asked[n-1].last = a.last
		} else {
			f.asked = append(f.asked, a)
		}
	}
	codes := uint64(0)
	for k := range f.asked {
		if a := &f.asked[k]; a.colour != 0 && a.first < a.last {
			codes++
			a.code = codes
		}
	}
}

// checkField checks that a field is behind all steps that ask for it and has room for all it
// may say, or that it is not needed (conditions 2 and 5).
func (c *certificate) checkField(item int) {
	f := c.fields[item]
	first, codes, closes := f.last, uint64(0), uint64(0)
	for _, a := range f.asked {
		first, codes = min(first, a.first), max(codes, a.code)
		if a.last < f.last || a.colour == 0 && a.first < f.last {
			closes = 1
		}
	}
	if f.width == 0 {
		c.want(first == f.last || len(f.asked) == 1 && f.asked[0].colour != 0, "options of steps %d to %d may disagree on the colour of item %d, want a field", first, f.last, item) // condition 5
		return
	}
	c.want(f.step > f.last, "the field of item %d begins at step %d, want it behind step %d, which uses it", item, f.step, f.last)                                  // condition 2
	c.want(f.step+f.width-first <= c.window.BitLen(), "the field of item %d ends with step %d, too far from step %d for the window", item, f.step+f.width-1, first) // condition 2
	c.want(uint64(1)<<f.width-1 >= codes+closes, "the field of item %d has %d bits, too few for %d codes", item, f.width, codes+closes)                             // condition 5
}

// use is what an option of a step does to the field.
func (f *field) use(colour int32, step int) colourUse {
	k, _ := slices.BinarySearchFunc(f.asked, colour, func(a asked, colour int32) int { return cmp.Compare(a.colour, colour) })
	a := f.asked[k]
	h := colourUse{place: uint(f.step - step), width: uint(f.width), code: a.code, after: 1<<f.width - 1, stays: step == f.last}
	if colour != 0 && step < a.last {
		h.after = a.code
	}
	return h
}

// colour takes a use of a colour: it reports whether it fits in state k, and puts what the
// field says then into x.
func (c *certificate) colour(u *colourUse, k *big.Int) bool {
	says := c.y.Rsh(k, u.place).Uint64() & (1<<u.width - 1) // Uint64 has the lowest 64 bits
	if says != 0 && (u.code == 0 || says != u.code) {
		return false
	}
	if !u.stays {
		c.x.Or(&c.x, c.y.Lsh(c.y.SetUint64(u.after), u.place))
		c.x.AndNot(&c.x, c.y.Lsh(c.y.SetUint64(says&^u.after), u.place))
	}
	return true
}
