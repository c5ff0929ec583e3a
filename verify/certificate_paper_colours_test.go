package verify

import (
	"maps"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/pavage/pavage/cover"
)

// Additions of version 3 to a paper, in the words of doc/certificate.md.

// magicOf returns the first line of a certificate about a cover.
func magicOf(c *cover.Problem) string {
	if c.Coloured() {
		return "pavage certificate 3\n"
	}
	return magic
}

// coloured reports whether some option uses an item with a colour.
func coloured(c *cover.Problem, item int) bool {
	return slices.ContainsFunc(c.Options, func(o cover.Option) bool {
		return slices.ContainsFunc(o, func(u cover.Use) bool { return u.Item == item && u.Colour != 0 })
	})
}

// look records the coloured items of a cover, and the steps that ask for their colours.
func (p *plan) look(c *cover.Problem) {
	p.asks = map[int]map[int32][]int{}
	for i := range c.Items {
		if coloured(c, i) {
			p.asks[i] = map[int32][]int{}
		}
	}
	for i := range p.steps {
		for _, o := range p.options(c, i) {
			for _, u := range c.Options[o] {
				if asks := p.asks[u.Item]; asks != nil && !slices.Contains(asks[u.Colour], i) {
					asks[u.Colour] = append(asks[u.Colour], i)
				}
			}
		}
	}
}

// isField reports whether a step belongs to a field.
func (p *plan) isField(step uint64) bool { return step%2 == 0 && p.asks[int(step/2)] != nil }

// fieldOf returns the first step and the width of the field of an item.
func (p *plan) fieldOf(item int) (first, width int) {
	for _, step := range p.steps {
		if step == uint64(2*item) {
			width++
		}
	}
	return p.stepOf(item), width
}

// code returns the code of a colour, 0 if it has none.
func (p *plan) code(item int, colour int32) uint64 {
	code := uint64(0)
	for _, x := range slices.Sorted(maps.Keys(p.asks[item])) {
		if x != 0 && len(p.asks[item][x]) > 1 {
			if code++; x == colour {
				return code
			}
		}
	}
	return 0
}

// codes returns the number of codes of a field, without the code of an unused item.
func (p *plan) codes(item int) (n int) {
	closes, last := 0, p.lastAsk(item)
	for colour, steps := range p.asks[item] {
		if p.code(item, colour) > 0 {
			n++
		}
		if colour == 0 && steps[0] < last || slices.Max(steps) < last {
			closes = 1
		}
	}
	return n + closes
}

// lastAsk returns the last step that asks for a colour of an item.
func (p *plan) lastAsk(item int) int {
	last := -1
	for _, steps := range p.asks[item] {
		last = max(last, slices.Max(steps))
	}
	return last
}

// agree reports whether an item needs no field.
func (p *plan) agree(item int) bool {
	all := map[int]bool{}
	for _, steps := range p.asks[item] {
		for _, s := range steps {
			all[s] = true
		}
	}
	_, plain := p.asks[item][0]
	return len(all) < 2 || len(p.asks[item]) == 1 && !plain
}

// fieldsAreRight reports whether the fields meet the conditions.
func (p *plan) fieldsAreRight() bool {
	for item, asks := range p.asks {
		first, width := p.fieldOf(item)
		switch {
		case width == 0 && !p.agree(item), width > 32:
			return false
		case width == 0:
			continue
		case 1<<width-1 < p.codes(item):
			return false
		}
		for i := range width {
			if p.steps[first+i] != uint64(2*item) {
				return false
			}
		}
		for _, steps := range asks {
			if slices.Max(steps) >= first || first+width-slices.Min(steps) > p.window {
				return false
			}
		}
	}
	return true
}

// paint applies a use of an item with a field to a node, and reports whether it fits.
func (p *plan) paint(n *node, step int, u cover.Use) bool {
	says := n.says[u.Item]
	code := p.code(u.Item, u.Colour)
	if says != 0 && (code == 0 || says != code) {
		return false
	}
	_, width := p.fieldOf(u.Item)
	switch steps := p.asks[u.Item][u.Colour]; {
	case step == p.lastAsk(u.Item):
	case u.Colour != 0 && slices.Max(steps) > step:
		n.says[u.Item] = code
	default:
		n.says[u.Item] = 1<<width - 1
	}
	return true
}

// shift drops the bit of a field that belongs to a step.
func (p *plan) shift(n *node, step int) {
	if p.isField(p.steps[step]) {
		item := int(p.steps[step] / 2)
		first, _ := p.fieldOf(item)
		if n.says[item] &^= 1 << (step - first); n.says[item] == 0 {
			delete(n.says, item)
		}
	}
}

// fieldBit returns the bit of a field that a state has at a step ahead.
func (p *plan) fieldBit(n *node, step int) bool {
	if step >= len(p.steps) || !p.isField(p.steps[step]) {
		return false
	}
	item := int(p.steps[step] / 2)
	first, _ := p.fieldOf(item)
	return n.says[item]>>(step-first)&1 != 0
}

// drawFields puts the fields that are needed, and some other fields, at random places after the
// steps that ask for them.
func (p *plan) drawFields(rng *rand.Rand, c *cover.Problem) {
	p.look(c)
	items := slices.Sorted(maps.Keys(p.asks))
	rng.Shuffle(len(items), func(i, k int) { items[i], items[k] = items[k], items[i] })
	for _, item := range items {
		p.look(c)
		width := bits.Len(uint(p.codes(item)))
		if p.agree(item) && rng.IntN(2) == 0 {
			continue
		}
		if width += rng.IntN(2) * rng.IntN(2); width == 0 {
			continue
		}
		at := p.lastAsk(item) + 1
		at += min(rng.IntN(3), rng.IntN(len(p.steps)-at+1))
		for at > 0 && at < len(p.steps) && p.steps[at-1] == p.steps[at] {
			at++
		}
		p.steps = slices.Insert(p.steps, at, slices.Repeat([]uint64{uint64(2 * item)}, width)...)
	}
	p.look(c)
	for item, asks := range p.asks {
		if first, width := p.fieldOf(item); width > 0 {
			for _, steps := range asks {
				p.window = max(p.window, first+width-slices.Min(steps))
			}
		}
	}
}

// decisions returns the number of steps that are not steps of fields.
func (p *plan) decisions() (n int) {
	for _, step := range p.steps {
		if !p.isField(step) {
			n++
		}
	}
	return n
}
