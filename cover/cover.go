// Package cover is the abstract problem that every engine of Pavage solves:
// exact cover with multiplicities.
//
// Fill in a [Problem], or read one from a text with [Read], and check it with [Problem.Check].
// Packages count, sample and verify accept the checked problem.
//
// # Purpose
//
// A [Problem] has items and options. An item has bounds [Min, Max]; an option uses some items,
// each a positive number of times. A solution is a set of options in which the uses of every item
// add up to a number within the item's bounds. In Knuth's words an item 1..1 is primary, an item
// 0..1 is secondary, and any other bounds are a multiplicity.
//
// An option may use a secondary item with a colour. All uses of an item with the same colour count
// as one use, so a solution may have several options that agree on the colour of an item. A use
// without a colour always counts by itself. This is XCC in Knuth's words.
//
//	items p q 1..1, x y 0..1     options p x:R   p x:G y   q x:R y:B   q x:G   q y
//	solutions                    {p x:R, q x:R y:B}   {p x:R, q y}   {p x:G y, q x:G}
//
// The running example of all the documentation is the 2x3 board with dominoes:
//
//	cells       items a..f, each 1..1        options (a domino covers two cells)
//	a b c       item  "domino", 0..∞         ab bc de ef  (lying)
//	d e f                                    ad be cf     (standing)
//
//	solutions   ab c   a bc   a b c
//	            de f   d ef   d e f          {ab,de,cf} {ad,bc,ef} {ad,be,cf}
//
// A [Symmetry] is a permutation of the items that maps every option to an option, and therefore
// every solution to a solution. The solutions that it does not change are the solutions of a
// smaller problem, its [Quotient].
//
// Package tiling has the geometry: cells, pieces and boards. Package count has the engines. A
// Problem is checked once, and the engines do not check it again.
//
// # Size and cost
//
// A problem lists all its options. [Problem.Validate] runs in time proportional to the number of
// uses. It needs at most 16 bytes per option to find duplicates.
//
// # References
//
// D. E. Knuth, The Art of Computer Programming 4B (2022), section 7.2.2.1:
// "Dancing links", items, options, multiplicities, colours.
package cover

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/pavage/pavage/internal/kit/interrupt"
	"github.com/pavage/pavage/internal/kit/limit"
)

// Unbounded is the Max of an item that may be used any number of times.
const Unbounded = math.MaxInt32

// The largest problem that Validate accepts. An index fits an int32, and the number of uses of an
// item, at most MaxOptions*MaxTimes = 2^44, fits an int64.
const (
	MaxItems   = 1 << 20
	MaxOptions = 1 << 24
	MaxTimes   = 1 << 20
	MaxOrders  = 1 << 8
	MaxColours = 1 << 16

	MaxSymmetries = 1 << 10
)

// ErrInvalid is wrapped by every error of Validate and of the text reader.
var ErrInvalid = errors.New("invalid cover")

// ErrMemory is wrapped by the error of a call that needs more memory than its limit.
var ErrMemory = limit.ErrMemory

// Item is an item that a solution uses at least Min times and at most Max times.
type Item struct {
	Name string
	Min  int // ≥ 0
	Max  int // ≥ Min; Unbounded for no limit
}

// Use is the use of an item by an option: once or more often, or once with a colour.
type Use struct {
	Item   int   // index into Problem.Items
	Times  int32 // 1..MaxTimes; 1 with a colour
	Colour int32 // 1 + the index into Problem.Colours; 0 means no colour
}

// Option is a set of uses of different items, sorted by item.
type Option []Use

// Problem is an exact cover problem with multiplicities. A solution is a set of option indices.
type Problem struct {
	Items   []Item
	Options []Option
	// Colours are the names of the colours of uses. Colours of different items are not related.
	Colours []string
	// Orders are hints for a sweep, the best order first. An order lists different items of Max 0
	// or 1. The sweep counts the uses of all other items. Without orders, the sweep makes them.
	Orders [][]int
	// Places are hints for the first items: Places[i] is the row and column of item i in a grid of
	// squares. If an option has only two such items, engines may assume that they are neighbours.
	Places [][2]int32
	// Symmetries are hints that save work: a group with the identity first, or empty.
	Symmetries []Symmetry
}

// Validate returns nil if p is a problem. Otherwise the error wraps ErrInvalid and names the first
// mistake:
//
//   - bounds in the wrong order, or sizes over the limits;
//   - an option without uses, with an unknown item, with an item twice, or with a number
//     of times that is not in 1..MaxTimes;
//   - an option that occurs twice;
//   - a colour that is unknown, or of an item whose bounds are not 0..1;
//   - an order with an item twice, or with an item whose Max is over 1;
//   - a symmetry that is no permutation of the items, or changes bounds.
//
// Validate does not check that symmetries are a group or map options to options (see Images).
func (p *Problem) Validate() error { return p.Check(context.Background()) }

// Check is like Validate, but polls ctx after every 2^14 uses of items. A few million options need
// about 1 s.
func (p *Problem) Check(ctx context.Context) error {
	looks := interrupt.Context(ctx)
	err := p.validateParts(&looks)
	if err == nil || err == ctx.Err() {
		return err
	}
	return fmt.Errorf("%w: %w", ErrInvalid, err)
}

func (p *Problem) validateParts(looks *interrupt.Watch) error {
	for _, size := range []struct {
		what    string
		n, most int
	}{
		{"items", len(p.Items), MaxItems},
		{"options", len(p.Options), MaxOptions},
		{"orders", len(p.Orders), MaxOrders},
		{"symmetries", len(p.Symmetries), MaxSymmetries},
		{"colours", len(p.Colours), MaxColours},
		{"places", len(p.Places), len(p.Items)},
	} {
		if size.n > size.most {
			return fmt.Errorf("there are %d %s, expected at most %d %[2]s", size.n, size.what, size.most)
		}
	}
	for i := range p.Items {
		if err := cmp.Or(p.validateItem(i), looks.Look()); err != nil {
			return err
		}
	}
	for i, o := range p.Options {
		if err := p.validateOption(o); err != nil {
			return fmt.Errorf("option %d %w", i, err)
		}
		if err := looks.Work(len(o)); err != nil {
			return err
		}
	}
	if err := p.validateTotals(looks); err != nil {
		return err
	}
	a, b, found, err := p.findDuplicate(looks)
	if err != nil {
		return err
	}
	if found {
		return fmt.Errorf("option %d repeats option %d", b, a)
	}
	seen := make([]int, len(p.Items))
	for k, order := range p.Orders {
		if err := p.validateOrder(order, seen, k+1); err != nil {
			return fmt.Errorf("order %d %w", k, err)
		}
		if err := looks.Work(len(order)); err != nil {
			return err
		}
	}
	for k, s := range p.Symmetries {
		if err := p.validateSymmetry(s, seen, len(p.Orders)+k+1); err != nil {
			return fmt.Errorf("symmetry %d %w", k, err)
		}
		if err := looks.Work(len(s)); err != nil {
			return err
		}
	}
	return nil
}

func (p *Problem) validateItem(i int) error {
	it := p.Items[i]
	if it.Min < 0 || it.Max < it.Min || it.Max > Unbounded || it.Min == Unbounded {
		return fmt.Errorf("item %s has bounds %d..%d, expected 0 ≤ min ≤ max",
			p.ItemName(i), it.Min, it.Max)
	}
	return nil
}

func (p *Problem) validateOption(o Option) error {
	if len(o) == 0 {
		return errors.New("uses no item")
	}
	for k, u := range o {
		switch {
		case u.Item < 0 || u.Item >= len(p.Items):
			return fmt.Errorf("uses item %d, but there are only %d items", u.Item, len(p.Items))
		case k > 0 && u.Item == o[k-1].Item:
			return fmt.Errorf("names item %s twice", p.ItemName(u.Item))
		case k > 0 && u.Item < o[k-1].Item:
			return fmt.Errorf("names item %s after item %s, expected items in ascending order", p.ItemName(u.Item), p.ItemName(o[k-1].Item))
		case u.Times < 1 || u.Times > MaxTimes:
			return fmt.Errorf("has %d uses of item %s, expected 1 to %d uses",
				u.Times, p.ItemName(u.Item), MaxTimes)
		case u.Colour < 0 || int(u.Colour) > len(p.Colours):
			return fmt.Errorf("has colour %d of item %s, but there are only %d colours",
				u.Colour, p.ItemName(u.Item), len(p.Colours))
		case u.Colour != 0 && (p.Items[u.Item].Min != 0 || p.Items[u.Item].Max != 1):
			return fmt.Errorf("has a colour of item %s, whose bounds are %d..%d, expected 0..1",
				p.ItemName(u.Item), p.Items[u.Item].Min, p.Items[u.Item].Max)
		case u.Colour != 0 && u.Times != 1:
			return fmt.Errorf("has %d uses of item %s with a colour, expected one use",
				u.Times, p.ItemName(u.Item))
		}
	}
	return nil
}

// validateTotals rejects an item of Max Unbounded if all options together use it too often.
func (p *Problem) validateTotals(looks *interrupt.Watch) error {
	total := make([]int64, len(p.Items))
	for _, o := range p.Options {
		if err := looks.Work(len(o)); err != nil {
			return err
		}
		for _, u := range o {
			total[u.Item] += int64(u.Times)
		}
	}
	for i, it := range p.Items {
		if it.Max == Unbounded && total[i] >= Unbounded {
			return fmt.Errorf("item %s has no upper bound, but all options together use the item %d times, expected less than %d times", p.ItemName(i), total[i], Unbounded)
		}
	}
	return nil
}

func (p *Problem) findDuplicate(looks *interrupt.Watch) (a, b int, found bool, err error) {
	m := p.emptyMapper(looks)
	for o, option := range p.Options {
		at, err := m.slot(option)
		if err != nil {
			return 0, 0, false, err
		}
		if before := int(m.table[at]) - 1; before >= 0 {
			return before, o, true, nil
		}
		m.table[at] = int32(o) + 1
	}
	return 0, 0, false, nil
}

// validateOrder sets seen[i] to stamp for each item i of the order. Each call needs a new stamp.
func (p *Problem) validateOrder(order, seen []int, stamp int) error {
	for _, i := range order {
		switch {
		case i < 0 || i >= len(p.Items):
			return fmt.Errorf("names item %d, but there are only %d items", i, len(p.Items))
		case seen[i] == stamp:
			return fmt.Errorf("names item %s twice", p.ItemName(i))
		case p.Items[i].Max > 1:
			return fmt.Errorf("contains item %s, whose max is over 1", p.ItemName(i))
		}
		seen[i] = stamp
	}
	return nil
}

// Compare compares options use by use, each by item, times and colour, and returns -1, 0 or 1.
func Compare(a, b Option) int {
	return slices.CompareFunc(a, b, func(x, y Use) int {
		return cmp.Or(cmp.Compare(x.Item, y.Item), cmp.Compare(x.Times, y.Times), cmp.Compare(x.Colour, y.Colour))
	})
}

// Coloured reports whether some use has a colour. It inspects every use if p.Colours is not empty.
func (p *Problem) Coloured() bool {
	uses := func(o Option) bool { return slices.ContainsFunc(o, func(u Use) bool { return u.Colour != 0 }) }
	return len(p.Colours) > 0 && slices.ContainsFunc(p.Options, uses)
}

// ColouredItems returns, for each item, whether some option uses it with a colour.
func (p *Problem) ColouredItems() []bool {
	coloured := make([]bool, len(p.Items))
	for _, o := range p.Options {
		for _, u := range o {
			coloured[u.Item] = coloured[u.Item] || u.Colour != 0
		}
	}
	return coloured
}

// IsSolution reports whether the options are a solution: different indices of p.Options whose uses
// satisfy all bounds, where all uses of an item with the same colour count as one use.
func (p *Problem) IsSolution(options []int) bool {
	used := make([]int64, len(p.Items))
	coloured := make(map[Use]bool) // uses with a colour
	taken := make(map[int]bool, len(options))
	for _, o := range options {
		if o < 0 || o >= len(p.Options) || taken[o] {
			return false
		}
		taken[o] = true
		for _, u := range p.Options[o] {
			if u.Colour == 0 || !coloured[u] {
				used[u.Item] += int64(u.Times)
			}
			if u.Colour != 0 {
				coloured[u] = true
			}
		}
	}
	for i, it := range p.Items {
		if used[i] < int64(it.Min) || (it.Max != Unbounded && used[i] > int64(it.Max)) {
			return false
		}
	}
	return true
}

// ItemName returns the quoted name of an item, or its number if the item has no name.
func (p *Problem) ItemName(i int) string {
	if n := p.Items[i].Name; n != "" {
		return fmt.Sprintf("%q", n)
	}
	return fmt.Sprintf("%d", i)
}
