package cover

import (
	"context"
	"fmt"
	"slices"
)

// Bound is a condition on a solution. If option Options[k] is in the solution, it counts Times[k]
// times. The sum of these Times must be in Min..Max. [Problem.WithBounds] applies bounds.
type Bound struct {
	Name     string // name of the item that WithBounds may add
	Options  []int  // indices of options, ascending and different; may be empty
	Times    []int  // 1 to MaxTimes for each of Options; if nil, each counts once
	Min, Max int    // 0 ≤ Min ≤ Max; Max may be Unbounded
}

// TimesOf returns the number of times that Options[k] counts.
func (b Bound) TimesOf(k int) int {
	if b.Times == nil {
		return 1
	}
	return b.Times[k]
}

func (b Bound) check(options int) error {
	if b.Min < 0 || b.Max < b.Min || b.Max > Unbounded {
		return fmt.Errorf("%w: bound %q is %d..%d, expected 0 ≤ min ≤ max",
			ErrInvalid, b.Name, b.Min, b.Max)
	}
	if b.Times != nil && len(b.Times) != len(b.Options) {
		return fmt.Errorf("%w: bound %q has %d multiplicities for %d options, expected one multiplicity for each option, or no multiplicities",
			ErrInvalid, b.Name, len(b.Times), len(b.Options))
	}
	for i, o := range b.Options {
		switch {
		case b.TimesOf(i) < 1 || b.TimesOf(i) > MaxTimes:
			return fmt.Errorf("%w: bound %q gives option %d the multiplicity %d, expected 1 to %d",
				ErrInvalid, b.Name, o, b.TimesOf(i), MaxTimes)
		case o < 0 || o >= options:
			return fmt.Errorf("%w: bound %q names option %d, but there are only %d options",
				ErrInvalid, b.Name, o, options)
		case i > 0 && o <= b.Options[i-1]:
			return fmt.Errorf("%w: bound %q names option %d after option %d, expected ascending options", ErrInvalid, b.Name, o, b.Options[i-1])
		}
	}
	return nil
}

// IsKept reports whether a set of options satisfies the bound.
func (b Bound) IsKept(options []int) bool {
	n := b.Count(options)
	return n >= b.Min && n <= b.Max
}

// Count returns the sum of the times that the given options count. Other options count 0 times.
func (b Bound) Count(options []int) (n int) {
	for _, o := range options {
		if k, found := slices.BinarySearch(b.Options, o); found {
			n += b.TimesOf(k)
		}
	}
	return n
}

// WithBounds returns a problem whose solutions are the solutions of p that satisfy all bounds. The
// items and options of p keep their indices, and new items come after them. So a solution has the
// same options in both problems. The error wraps ErrInvalid.
//
// A bound becomes one more item that its options use, unless an equivalent cheaper form exists:
//
//	the bound always holds                         nothing changes
//	an option counts more than Max times           it uses a new item 0..0, one for all bounds
//	an item of p has the same options and times    this item gets the Min and Max of the bound
//	all options share items of max 1               these items get min 1, and the item 0..0 is
//	                                               used by their other options and by options
//	                                               that count less than Min times
//	no solution satisfies the bound                a new item 1..1 is used by no option
//
// In the running example, "at least one of ab and bc" means that only these two may use b:
//
//	ab and bc share b 1..1      be uses the item 0..0      the other options do not change
//
// In each order, a new item of max 1 comes after the first items of all its options. After its
// step, the states of a sweep do not have the item. If the options are far apart in the order, the
// item is not in the order, and each state of a sweep has a counter of one bit for it.
//
// WithBounds keeps the symmetries of p that preserve the bounds. It polls ctx.
func (p *Problem) WithBounds(ctx context.Context, bounds []Bound) (*Problem, error) {
	if len(bounds) == 0 {
		return p, nil
	}
	b := newBounding(p)
	for _, bound := range bounds {
		if err := bound.check(len(p.Options)); err != nil {
			return nil, err
		}
		b.take(bound)
	}
	return b.problem(ctx)
}
