package cover

import (
	"fmt"
	"slices"
)

// Bound is a condition on solutions: one takes at least Min and at most Max of these
// options. A problem with a bound is a problem with one item more, which the options use:
// see [Problem.WithBounds].
type Bound struct {
	Name     string // of the item
	Options  []int  // ascending, no option twice; none is allowed too
	Min, Max int    // 0 ≤ Min ≤ Max; Max may be Unbounded
}

// check says what is wrong with a bound on so many options.
func (b Bound) check(options int) error {
	if b.Min < 0 || b.Max < b.Min || b.Max > Unbounded {
		return fmt.Errorf("%w: bound %q has bounds %d..%d, want 0 ≤ min ≤ max", ErrInvalid, b.Name, b.Min, b.Max)
	}
	for i, o := range b.Options {
		switch {
		case o < 0 || o >= options:
			return fmt.Errorf("%w: bound %q names option %d, there are only %d", ErrInvalid, b.Name, o, options)
		case i > 0 && o <= b.Options[i-1]:
			return fmt.Errorf("%w: bound %q names option %d after %d, want options ascending", ErrInvalid, b.Name, o, b.Options[i-1])
		}
	}
	return nil
}

// WithBounds is p with conditions: its solutions are the solutions of p that keep all
// the bounds. It has the same options in the same order, so a solution of one is the same
// list of options in the other, and the same items first. Each bound is one more item.
func (p *Problem) WithBounds(bounds []Bound) (*Problem, error) {
	q := *p
	q.Items, q.Options, q.Symmetries = slices.Clone(p.Items), slices.Clone(p.Options), nil
	for _, b := range bounds {
		if err := b.check(len(p.Options)); err != nil {
			return nil, err
		}
		item := len(q.Items)
		q.Items = append(q.Items, Item{b.Name, b.Min, b.Max})
		for _, o := range b.Options {
			q.Options[o] = append(slices.Clip(q.Options[o]), Use{Item: item, Times: 1})
		}
	}
	if len(p.Symmetries) > 0 {
		q.Symmetries = []Symmetry{make(Symmetry, len(q.Items))}
		for i := range q.Items {
			q.Symmetries[0][i] = i
		}
	}
	return &q, nil
}
