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

func newCompiler(ctx context.Context, p *cover.Problem) *compiler {
	return &compiler{Space: &Space{engine: &matrices{}}, problem: p, looks: interrupt.Context(ctx)}
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

// prepare finds the options to search, and the free ones, which it lists among them if told to.
func (c *compiler) prepare(ctx context.Context, withFree bool) error {
	if err := c.possible(); err != nil {
		return err
	}
	if c.classify(); c.never {
		return nil
	}
	if err := c.restrict(ctx); err != nil || c.never {
		return err
	}
	for o, option := range c.problem.Options {
		switch {
		case !c.usable[o]:
		case !withFree && !slices.ContainsFunc(option, func(u cover.Use) bool { return c.items[u.Item].binds }):
			c.free = append(c.free, o)
		default:
			c.options = append(c.options, int32(o))
			if c.restriction != nil {
				c.weights = append(c.weights, max(1, c.restriction.weights[o]))
			}
		}
	}
	return nil
}

func (c *compiler) possible() error {
	c.usable = make([]bool, len(c.problem.Options))
	c.items = make([]boundItem, len(c.problem.Items))
	for o, option := range c.problem.Options {
		if err := c.looks.Work(len(option)); err != nil {
			return err
		}
		c.usable[o] = !slices.ContainsFunc(option, func(u cover.Use) bool { return int(u.Times) > c.problem.Items[u.Item].Max })
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
	return nil
}

func (c *compiler) classify() {
	for i := range c.items {
		it, item := &c.items[i], c.problem.Items[i]
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
}

// scaled is a use after the division of its item's bounds.
func (c *compiler) scaled(u cover.Use) cover.Use {
	if it := c.items[u.Item]; it.least == it.most {
		u.Times = 1
	}
	return u
}
