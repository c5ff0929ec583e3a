package search

import (
	"context"
	"slices"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/interrupt"
)

// compiler is what is known of a problem while it is compiled.
type compiler struct {
	*Space
	problem *cover.Problem
	looks   interrupt.Watch
	usable  []bool      // by option: it alone passes no bound
	items   []boundItem // by item
}

// boundItem is an item with its bounds divided by the number of times in which
// all its options use it, if that number is the same for all: two uses of two
// each are as good as one and one.
type boundItem struct {
	total         int64 // uses by all options together
	least, most   int   // times of one option
	bound         bound
	colour        int32 // of the first use
	coloured      bool  // uses differ in colour
	binds, single bool
}

// newCompiler finds the options to search, and the free ones, which it lists among them if told to.
func newCompiler(ctx context.Context, p *cover.Problem, withFree bool) (*compiler, error) {
	c := &compiler{
		Space: &Space{engine: &matrices{}}, problem: p, looks: interrupt.Context(ctx),
		usable: make([]bool, len(p.Options)), items: make([]boundItem, len(p.Items)),
	}
	for o, option := range p.Options {
		if err := c.looks.Work(len(option)); err != nil {
			return c, err
		}
		c.usable[o] = !slices.ContainsFunc(option, func(u cover.Use) bool { return int(u.Times) > p.Items[u.Item].Max })
		if !c.usable[o] {
			continue
		}
		for _, u := range option {
			it := &c.items[u.Item]
			if it.total == 0 {
				it.least, it.colour = int(u.Times), u.Colour
			}
			it.coloured = it.coloured || u.Colour != it.colour
			it.total += int64(u.Times)
			it.least, it.most = min(it.least, int(u.Times)), max(it.most, int(u.Times))
		}
	}
	for i := range c.items {
		it, item := &c.items[i], p.Items[i]
		c.never = c.never || it.total < int64(item.Min)
		it.bound = bound{int32(item.Min), int32(item.Max)}
		if t := it.least; t > 1 && t == it.most {
			it.bound = bound{int32((item.Min + t - 1) / t), int32(item.Max / t)}
			it.total /= int64(t)
			c.never = c.never || it.bound.need > it.bound.room
		}
		agree := it.colour != 0 && !it.coloured // all uses
		it.binds = item.Min > 0 || it.total > int64(it.bound.room) && !agree
		it.single = it.bound.room == 1
	}
	if c.never {
		return c, nil
	}
	if err := c.restrict(ctx); err != nil {
		return c, err
	}
	uses := make([]int64, len(p.Items))
	for o, option := range p.Options {
		if !c.usable[o] {
			continue
		}
		for _, u := range option {
			uses[u.Item] += int64(u.Times)
		}
		if !withFree && !slices.ContainsFunc(option, func(u cover.Use) bool { return c.items[u.Item].binds }) {
			c.free = append(c.free, o)
			continue
		}
		c.options = append(c.options, int32(o))
		c.weights = append(c.weights, uint32(max(1, len(c.restriction.moves[o]))))
	}
	for i, item := range p.Items { // what is left of an orbit may not use an item that must be used
		c.never = c.never || uses[i] < int64(item.Min)
	}
	return c, nil
}

// scaled is a use after the division of its item's bounds.
func (c *compiler) scaled(u cover.Use) cover.Use {
	if it := c.items[u.Item]; it.least == it.most {
		u.Times = 1
	}
	return u
}
