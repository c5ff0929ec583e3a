package verify

import (
	"errors"
	"fmt"

	"github.com/pavage/pavage/cover"
)

// ErrWrong is wrapped by the error about a model that is no solution. Then the formula or
// the solver is wrong, and so are all numbers that come from them.
var ErrWrong = errors.New("wrong model")

// checker recognizes solutions by their uses of the items alone. It knows no clauses.
type checker struct {
	problem *cover.Problem
	used    []int64
	colour  []int32 // of the last use of each item that was counted
}

func newChecker(p *cover.Problem) *checker {
	return &checker{p, make([]int64, len(p.Items)), make([]int32, len(p.Items))}
}

// check returns an error unless the options are a solution: an unknown option, options
// that are not ascending, or an item that is used too often or too seldom.
func (c *checker) check(options []int) error {
	clear(c.used)
	for k, o := range options {
		if o < 0 || o >= len(c.problem.Options) || k > 0 && o <= options[k-1] {
			return fmt.Errorf("%w: option %d is not one of %d, in ascending order",
				ErrWrong, o, len(c.problem.Options))
		}
		for _, u := range c.problem.Options[o] {
			if u.Colour != 0 && c.used[u.Item] > 0 && c.colour[u.Item] == u.Colour {
				continue // agrees with a use before
			}
			c.used[u.Item] += int64(u.Times)
			c.colour[u.Item] = u.Colour
		}
	}
	for i, it := range c.problem.Items {
		if c.used[i] < int64(it.Min) || c.used[i] > int64(it.Max) && it.Max != cover.Unbounded {
			return fmt.Errorf("%w: item %d is used %d times by options %.100s, want %d..%d", ErrWrong, i, c.used[i], fmt.Sprint(options), it.Min, it.Max)
		}
	}
	return nil
}
