package cover

import (
	"context"
	"fmt"
	"slices"
)

// Bound is a condition on solutions: the options of the bound that are in the solution, each
// counted Times times, number between Min and Max. [Problem.WithBounds] turns it into an item.
type Bound struct {
	Name     string // name of the item
	Options  []int  // ascending, without duplicates; may be empty
	Times    []int  // times that each option counts, 1 to MaxTimes; nil: once
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
		return fmt.Errorf("%w: bound %q has %d times for %d options, expected one for each option, or none",
			ErrInvalid, b.Name, len(b.Times), len(b.Options))
	}
	for i, o := range b.Options {
		switch {
		case b.TimesOf(i) < 1 || b.TimesOf(i) > MaxTimes:
			return fmt.Errorf("%w: bound %q counts option %d %d times, expected 1 to %d times",
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

// Count returns the number of options in a set that belong to the bound, each counted Times times.
func (b Bound) Count(options []int) (n int) {
	for _, o := range options {
		if k, found := slices.BinarySearch(b.Options, o); found {
			n += b.TimesOf(k)
		}
	}
	return n
}

// WithBounds returns p with conditions: the solutions are the solutions of p that satisfy all
// bounds. The options of p keep their numbers, and its items come first, so a solution has the same
// options in both problems. The error wraps ErrInvalid.
//
// A bound becomes one more item that its options use, unless an equivalent cheaper form exists:
//
//	a bound that always holds                      nothing
//	an option that counts more than Max times      it uses the item 0..0, as all such options do
//	all options of an item of p                    this item gets the bounds
//	all options share items of max 1               options that count less than Min times use the
//	                                               item 0..0; if Min is over 0, the shared items
//	                                               get min 1, and their other options use 0..0
//	a bound that no solution can keep              an item 1..1 that no option uses
//
// For the running example, "ab or bc" makes b an item that only these two may use:
//
//	options ab bc    they share b 1..1      de ef ad cf stay, be uses the item 0..0
//
// In each order, a new item of max 1 is placed where a sweep can drop it: after the last of the
// items with which its options begin. If its options are far apart, it is in no order. Such an item
// costs a bit in each state of a sweep, and so does an item for "at least one".
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
