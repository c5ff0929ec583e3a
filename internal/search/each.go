package search

import (
	"context"
	"fmt"

	"github.com/pavage/pavage/cover"
)

// cursor is a solution that a walk in order passes before it visits any. Below
// a choice that is not the cursor's, all comes either before the cursor or
// after it; so the walk follows the cursor down and is rid of it at its end.
type cursor struct {
	has  map[int32]bool // options of the space
	left int
}

// skips reports whether a choice comes before the cursor's.
func (c *cursor) skips(option int32) bool { return c != nil && c.left > 0 && !c.has[option] }

// skipsEnd reports whether the solution with this path is not to be visited:
// it comes before the cursor, or is the cursor.
func (c *cursor) skipsEnd(path []int32) bool {
	if c == nil || c.left == 0 {
		return false
	}
	if len(path) == len(c.has) {
		c.left = 0
	}
	return true
}

// Each calls yield with the solutions of a validated problem, each an
// ascending list of options, one after another in an order that depends on
// the problem alone, until yield returns false. If after is not nil it is a
// solution, and those behind it are visited. The list is only good for the
// call. Errors: cover.ErrInvalid if after is not a solution, ErrTooLarge, ctx's.
func Each(ctx context.Context, p *cover.Problem, after []int, yield func(options []int) bool) error {
	s, err := compile(p, false, false)
	if err != nil {
		return err
	}
	c, err := s.cursor(p, after)
	if err != nil || s.never {
		return err
	}
	crew := newCrew(s, 1, nil)
	defer context.AfterFunc(ctx, crew.stop)()
	list := []int{} // not nil: the empty solution is a solution
	w := &walker{space: s, crew: crew, after: c}
	w.visit = func(path []int32, _ uint64) bool {
		list = s.problemOptions(path, list)
		return yield(list)
	}
	w.begin()
	if crew.satisfied {
		return nil
	}
	return ctx.Err()
}

func (s *Space) cursor(p *cover.Problem, after []int) (*cursor, error) {
	if after == nil {
		return nil, nil
	}
	if !p.IsSolution(after) {
		return nil, fmt.Errorf("%w: options %v to go on after are not a solution", cover.ErrInvalid, after)
	}
	c := &cursor{has: map[int32]bool{}, left: 1}
	of := map[int]bool{}
	for _, o := range after {
		of[o] = true
	}
	for k, o := range s.options {
		if of[int(o)] {
			c.has[int32(k)] = true
		}
	}
	return c, nil
}
