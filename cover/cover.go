// Package cover is the abstract problem that every engine of Pavage solves:
// exact cover with multiplicities.
//
// # Purpose
//
// A [Problem] has items and options. An item has bounds [Min, Max]; an option
// uses some items, each a positive number of times. A solution is a set of
// options (each option is taken or not) in which the uses of every item add
// up to a number within the item's bounds. In Knuth's words an item 1..1 is
// primary, an item 0..1 is secondary, and any other bounds are a multiplicity.
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
// A [Symmetry] permutes the items so that options become options; the
// solutions that it leaves as they are are those of a smaller problem, its
// [Quotient].
//
// # Non-goals
//
// No geometry: cells, pieces and boards are package tiling's. No counting:
// the engines are package count's. Nothing here is fast but everything is
// checked, so that whoever holds a validated Problem need not check again.
//
// # Size and cost
//
// A problem holds its options explicitly. [Problem.Validate] is linear in the
// number of uses, and takes at most 16 bytes an option while it looks for duplicates.
//
// # References
//
// D. E. Knuth, The Art of Computer Programming 4B (2022), section 7.2.2.1:
// "Dancing links", items, options, multiplicities.
package cover

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/pavage/pavage/internal/poll"
)

// Unbounded as an item's Max says that its uses are not limited.
const Unbounded = math.MaxInt32

// Sizes that Validate holds a problem to: far beyond what any engine can
// sweep, and small enough that an index fits an int32 and the uses of an item,
// at most MaxOptions*MaxTimes = 2^44, an int64.
const (
	MaxItems   = 1 << 20
	MaxOptions = 1 << 24
	MaxTimes   = 1 << 20
	MaxOrders  = 1 << 8

	MaxSymmetries = 1 << 10
)

// ErrInvalid is wrapped by every error of Validate and of the text reader.
var ErrInvalid = errors.New("invalid cover")

// ErrMemory is wrapped by errors about a limit of memory that would be passed.
var ErrMemory = errors.New("memory limit reached")

// Item is something to be used a number of times within bounds.
type Item struct {
	Name string
	Min  int // ≥ 0
	Max  int // ≥ Min; Unbounded for no limit
}

// Use says that an option uses an item, Times ≥ 1 times.
type Use struct {
	Item  int // index into Problem.Items
	Times int
}

// Option is a set of uses, sorted by item, no item twice.
type Option []Use

// Problem is an exact cover problem with multiplicities. A solution is a set
// of option indices.
type Problem struct {
	Items   []Item
	Options []Option
	// Orders are hints: orders of items in which a frontier may profitably
	// sweep them, best guess first. Each order lists distinct items with
	// Max ≤ 1; items in none of them are never swept but counted. With no
	// order the frontier finds its own.
	Orders [][]int
	// Symmetries are a hint too: a group of symmetries of the problem, the
	// identity first, or none. An engine may use them to save work; they
	// never change the answer.
	Symmetries []Symmetry
}

// Validate reports the first thing that makes p not a problem: bounds out of
// order, sizes over the limits, an option that uses nothing, an unknown item,
// an item twice or a number of times that is not positive, an option that
// occurs twice, an order that names an item twice or one it cannot sweep, or a
// symmetry that is no permutation of items between equal bounds. That options
// go to options is not checked here but by [Problem.Images], and that the
// symmetries are a group not at all.
func (p *Problem) Validate() error { return p.Check(context.Background()) }

// Check is Validate, which for millions of options takes a second. It may also return the
// error of ctx, at which it looks every 2^14 uses.
func (p *Problem) Check(ctx context.Context) error {
	looks := poll.Context(ctx)
	err := p.validateParts(&looks)
	if err == nil || err == ctx.Err() { // the very error that looks have found
		return err
	}
	return fmt.Errorf("%w: %w", ErrInvalid, err)
}

func (p *Problem) validateParts(looks *poll.Watch) error {
	if err := p.validateSizes(); err != nil {
		return err
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
	return p.validateHints(looks)
}

// validateHints checks orders and symmetries.
func (p *Problem) validateHints(looks *poll.Watch) error {
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

func (p *Problem) validateSizes() error {
	for _, size := range []struct {
		what    string
		n, most int
	}{
		{"items", len(p.Items), MaxItems},
		{"options", len(p.Options), MaxOptions},
		{"orders", len(p.Orders), MaxOrders},
		{"symmetries", len(p.Symmetries), MaxSymmetries},
	} {
		if size.n > size.most {
			return fmt.Errorf("%d %s, at most %d are supported", size.n, size.what, size.most)
		}
	}
	return nil
}

func (p *Problem) validateItem(i int) error {
	it := p.Items[i]
	if it.Min < 0 || it.Max < it.Min || it.Max > Unbounded || it.Min == Unbounded {
		return fmt.Errorf("item %s has bounds %d..%d, want 0 ≤ min ≤ max", p.itemName(i), it.Min, it.Max)
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
			return fmt.Errorf("uses item %d, there are only %d", u.Item, len(p.Items))
		case k > 0 && u.Item == o[k-1].Item:
			return fmt.Errorf("names item %s twice", p.itemName(u.Item))
		case k > 0 && u.Item < o[k-1].Item:
			return errors.New("is not sorted by item")
		case u.Times < 1 || u.Times > MaxTimes:
			return fmt.Errorf("uses item %s %d times, want 1..%d", p.itemName(u.Item), u.Times, MaxTimes)
		}
	}
	return nil
}

// validateTotals holds the uses of an unbounded item, by all options together,
// below the number that stands for no bound.
func (p *Problem) validateTotals(looks *poll.Watch) error {
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
			return fmt.Errorf("item %s has no upper bound and is used %d times, want less than %d", p.itemName(i), total[i], Unbounded)
		}
	}
	return nil
}

// findDuplicate returns the first pair a < b of equal options, in the order of
// Compare.
func (p *Problem) findDuplicate(looks *poll.Watch) (a, b int, found bool, err error) {
	m := p.emptyMapper(looks)
	for o, option := range p.Options {
		at, err := m.slot(option)
		if err != nil {
			return 0, 0, false, err
		}
		switch before := int(m.table[at]) - 1; {
		case before < 0:
			m.table[at] = int32(o) + 1
		case !found || Compare(option, p.Options[a]) < 0:
			a, b, found = before, o, true
		}
	}
	return a, b, found, nil
}

// validateOrder marks the items of the order in seen with stamp. Stamps differ
// from order to order, so one array serves all of them: clearing it for each
// would make many short orders of many items quadratic.
func (p *Problem) validateOrder(order, seen []int, stamp int) error {
	for _, i := range order {
		switch {
		case i < 0 || i >= len(p.Items):
			return fmt.Errorf("names item %d, there are only %d", i, len(p.Items))
		case seen[i] == stamp:
			return fmt.Errorf("names item %s twice", p.itemName(i))
		case p.Items[i].Max > 1:
			return fmt.Errorf("sweeps item %s, whose max is over 1", p.itemName(i))
		}
		seen[i] = stamp
	}
	return nil
}

// Compare orders options by their uses, lexicographically.
func Compare(a, b Option) int {
	return slices.CompareFunc(a, b, func(x, y Use) int {
		return cmp.Or(cmp.Compare(x.Item, y.Item), cmp.Compare(x.Times, y.Times))
	})
}

// IsSolution reports whether the set of options (indices, each at most once)
// keeps every item within its bounds.
func (p *Problem) IsSolution(options []int) bool {
	used := make([]int64, len(p.Items))
	taken := make(map[int]bool, len(options))
	for _, o := range options {
		if o < 0 || o >= len(p.Options) || taken[o] {
			return false
		}
		taken[o] = true
		for _, u := range p.Options[o] {
			used[u.Item] += int64(u.Times)
		}
	}
	for i, it := range p.Items {
		if used[i] < int64(it.Min) || (it.Max != Unbounded && used[i] > int64(it.Max)) {
			return false
		}
	}
	return true
}

func (p *Problem) itemName(i int) string {
	if n := p.Items[i].Name; n != "" {
		return fmt.Sprintf("%q", n)
	}
	return fmt.Sprintf("%d", i)
}
