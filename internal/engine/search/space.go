package search

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/interrupt"
	"github.com/pavage/pavage/internal/kit/limit"
)

// ErrTooLarge is wrapped when a cover is beyond what the search can hold. It wraps
// cover.ErrMemory.
var ErrTooLarge = fmt.Errorf("%w: too large to search", limit.ErrMemory)

// maxRows limits the items that bind, so that a row is two bytes in the lists
// that the inner loops read: the lists of 8x8 pentominoes fit the first cache.
const maxRows = math.MaxUint16

// Space is a cover made ready for searching. It is immutable.
//
// Every item that can bind has rows in the matrices of the search. An item
// used at most once has one row, its options exclude each other, and it is
// open from the start if it must be used. If it has colours, it has one more row
// for each of them, of the options that another colour excludes. Any other item is
// counted, and has a row for each number of times in which options use it.
type Space struct {
	options     []int32      // the problem's option for each option searched
	all         lists        // rows of each option, where a shade's row stands for its colour
	single      lists        // rows of the items used at most once, by option: what it excludes
	multi       lists        // rows of the counted items, by option
	shades      []shade      // in the order of their rows
	rows        int          // of a matrix
	open        []uint16     // rows that some option must use
	counted     []counted    // items that may be used more than once
	item        []int32      // index into counted of a row, -1 for a row used once
	times       []int32      // times in which the options of a counted row use its item
	weights     []uint32     // how many options each option stands for; nil: one each
	restriction *restriction // where the weights come from
	free        []int        // options of the problem that nothing binds: each doubles the count
	never       bool         // some lower bound cannot be reached
	parts       [][]int      // what options of the problem that was given an option is; nil: itself
	chart       *chart       // if not nil, there are no matrices: all but options, weights and free is empty
}

// shade is a colour of an item. Its row has the options that use the item otherwise.
type shade struct{ row, item uint16 } // rows

// counted is an item that may be used more than once.
type counted struct {
	bound
	rows []uint16
}

// bound is what a counted item still needs and still has room for.
type bound struct{ need, room int32 }

// lists holds one list of rows for each option, all in one array.
type lists struct {
	start []uint32
	rows  []uint16
}

func (l *lists) of(option int32) []uint16 { return l.rows[l.start[option]:l.start[option+1]] }

func (l *lists) add(rows []uint16) {
	if len(l.start) == 0 {
		l.start = []uint32{0}
	}
	l.rows = append(l.rows, rows...)
	l.start = append(l.start, uint32(len(l.rows)))
}

// Compile makes a validated problem ready for counting. Options that nothing
// binds are left out and remembered as powers of two. If the problem has
// symmetries, the options of some item are cut down to one of each orbit. It
// fails with ErrTooLarge if more than 65535 items bind, or with the error of
// cover.Problem.Images for a symmetry that is none, or ctx's.
func Compile(ctx context.Context, p *cover.Problem) (*Space, error) {
	return compile(ctx, p, toCount)
}

// purpose is what a space is compiled for.
type purpose int

const (
	toCount      purpose = iota // by whatever walk
	toCountWide                 // by that of the matrices
	toListInTurn                // in the order of the matrices, with free options
)

// compile leaves free options out if only their number matters.
func compile(ctx context.Context, p *cover.Problem, purpose purpose) (*Space, error) {
	c := &compiler{Space: &Space{}, problem: p, looks: interrupt.Context(ctx)}
	if purpose == toCount {
		if err := c.bundle(bundlesSave); err != nil {
			return nil, err
		}
	}
	return c.compile(ctx, purpose)
}

func (c *compiler) compile(ctx context.Context, purpose purpose) (*Space, error) {
	if err := c.possible(); err != nil {
		return nil, err
	}
	c.classify()
	if c.never {
		return c.Space, nil
	}
	if err := c.restrict(ctx); err != nil || c.never {
		return c.Space, err
	}
	d := &draft{compiler: c}
	if purpose == toCount {
		d.begin(ctx)
		// Such a walk takes less time than a forecast of the search in the matrices.
		if d.done && d.make(ctx) && d.walk < smallWalk {
			return d.use(), ctx.Err()
		}
	}
	if err := c.numberRows(); err != nil {
		return nil, err
	}
	if err := c.makeLists(purpose != toListInTurn); err != nil {
		return nil, err
	}
	if purpose != toListInTurn {
		c.prune()
	}
	if d.isBetter(ctx, c.Space) {
		return d.use(), ctx.Err()
	}
	return c.Space, ctx.Err()
}

// compiler is what compile knows of a problem.
type compiler struct {
	*Space
	problem *cover.Problem
	looks   interrupt.Watch
	usable  []bool         // by option: it alone passes no bound
	items   []boundItem    // by item
	rowOf   map[use]uint16 // of the items that bind
}

type use struct {
	item, times int
	colour      int32
}

func (u use) plain() use { return use{item: u.item, times: u.times} }

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

// scaled is the times of a use after the division of its item's bounds.
func (c *compiler) scaled(u cover.Use) use {
	if it := c.items[u.Item]; it.least == it.most {
		return use{u.Item, 1, u.Colour}
	}
	return use{u.Item, int(u.Times), u.Colour}
}

// numberRows gives rows to the items that bind: first those used once, then their colours.
func (c *compiler) numberRows() error {
	differ := map[use]struct{}{}
	for o, option := range c.problem.Options {
		if err := c.looks.Work(len(option)); err != nil {
			return err
		}
		if c.usable[o] {
			for _, u := range option {
				if c.items[u.Item].binds {
					s := c.scaled(u)
					differ[s] = struct{}{}
					differ[s.plain()] = struct{}{}
				}
			}
			if len(differ) > maxRows {
				return fmt.Errorf("%w: more than %d items bind, with their colours, want at most that many", ErrTooLarge, maxRows)
			}
		}
	}
	uses := slices.SortedFunc(maps.Keys(differ), func(a, b use) int {
		return cmp.Or(c.kind(a)-c.kind(b), cmp.Compare(a.item, b.item), cmp.Compare(a.times, b.times), cmp.Compare(a.colour, b.colour))
	})
	c.rowOf = make(map[use]uint16, len(uses))
	for k, u := range uses {
		c.rowOf[u] = uint16(k)
		c.addRow(uint16(k), u, k > 0 && uses[k-1].item == u.item)
	}
	return nil
}

// The kinds of rows, in their order.
const (
	singleRow = iota
	shadeRow
	countedRow
)

func (c *compiler) kind(u use) int {
	switch {
	case u.colour != 0:
		return shadeRow
	case c.items[u.item].single:
		return singleRow
	}
	return countedRow
}

// addRow appends row r, which is another row of the item before or is not.
func (c *compiler) addRow(r uint16, u use, another bool) {
	c.rows++
	it := c.items[u.item]
	switch c.kind(u) {
	case singleRow:
		c.item = append(c.item, -1)
		if it.bound.need > 0 {
			c.open = append(c.open, r)
		}
	case shadeRow:
		c.item = append(c.item, -1)
		c.shades = append(c.shades, shade{row: r, item: c.rowOf[u.plain()]})
	case countedRow:
		if !another {
			c.counted = append(c.counted, counted{bound: it.bound})
		}
		last := len(c.counted) - 1
		c.counted[last].rows = append(c.counted[last].rows, r)
		c.item = append(c.item, int32(last))
	}
	c.times = append(c.times, int32(u.times))
}

// makeLists lists the rows of every usable option.
func (c *compiler) makeLists(countOnly bool) error {
	var rows optionRows
	for o, option := range c.problem.Options {
		if err := c.looks.Work(len(option)); err != nil {
			return err
		}
		if !c.usable[o] {
			continue
		}
		rows = c.rowsOf(option, rows)
		if countOnly && len(rows.all) == 0 {
			c.free = append(c.free, o)
			continue
		}
		weight := uint32(1)
		if c.restriction != nil {
			weight = max(1, c.restriction.weights[o])
		}
		c.add(int32(o), weight, rows)
	}
	return nil
}

// optionRows are the lists of one option, see Space.
type optionRows struct{ all, single, multi []uint16 }

// rowsOf lists the rows of an option, in the room of rows.
func (c *compiler) rowsOf(option cover.Option, rows optionRows) optionRows {
	all, single, multi := rows.all[:0], rows.single[:0], rows.multi[:0]
	for _, u := range option {
		if !c.items[u.Item].binds {
			continue
		}
		s := c.scaled(u)
		r := c.rowOf[s]
		all = append(all, r)
		switch c.kind(s) {
		case shadeRow:
			all = append(all, c.rowOf[s.plain()])
			single = append(single, r)
		case singleRow:
			single = append(single, r)
		case countedRow:
			multi = append(multi, r)
		}
	}
	return optionRows{all, single, multi}
}

// add appends an option to those to search.
func (s *Space) add(option int32, weight uint32, rows optionRows) {
	s.options = append(s.options, option)
	s.all.add(rows.all)
	s.single.add(rows.single)
	s.multi.add(rows.multi)
	if s.restriction != nil {
		s.weights = append(s.weights, weight)
	}
}

// maxPrune limits the work of prune, in blocks looked at: about 50 ms.
const maxPrune = 1 << 24

// pruneAgain is the share of the options that must have gone for another round.
// (6x10 pentominoes: 266 of 2,032 go in the first, 10 in the second, which took
// 6 of 190 ms.)
const pruneAgain = 4

// prune leaves out the options that at the start already leave some item
// without a way to be used, such as placements that wall off a cell. Of 8x8
// pentominoes and a square 1,920 of 2,327 are left, and a sixth of the tries
// is saved; in space there are few such, and nothing is lost but some
// milliseconds.
func (s *Space) prune() {
	work := len(s.options) * len(s.options) / blockBits * s.rows
	for gone := len(s.options); gone > len(s.options)/pruneAgain && work <= maxPrune; {
		before := len(s.options)
		w := &walker{space: s}
		w.startRoot()
		t := *s
		t.options, t.weights, t.single, t.multi, t.all = nil, nil, lists{}, lists{}, lists{}
		for k, o := range s.options {
			if w.descend(0, k) != dead {
				k := int32(k)
				t.add(o, s.weight(k), optionRows{s.all.of(k), s.single.of(k), s.multi.of(k)})
			}
			w.path = w.path[:0]
		}
		*s = t
		gone = before - len(s.options)
	}
}

// weight is how many options of the problem an option stands for.
func (s *Space) weight(option int32) uint32 {
	if s.weights == nil {
		return 1
	}
	return s.weights[option]
}
