package search

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/pavage/pavage/cover"
)

// Listing selects the solutions that Each visits.
type Listing struct {
	// Group, if not empty, is a group of symmetries of the problem. Then only the least solution of
	// each class is visited. Solutions are compared as ascending lists of options.
	Group []cover.Symmetry
	// After, if not nil, is a solution; with Group, it is the least of its class. Only later
	// solutions are visited.
	After []int
	// Number is the number of solutions that the caller wants; 0 means all. Each uses it only to
	// choose a method, and does not stop after this number.
	Number uint64
	Memory int64 // limit in bytes; 0 means no limit
}

// Each calls yield with each solution of a validated problem, until yield returns false. A solution
// is an ascending list of options, valid during the call. The order of solutions depends only on
// the problem and the group. Each fails with cover.ErrInvalid if After is not a solution or Group
// is not a group, with cover.ErrMemory, or with the error of ctx.
func Each(ctx context.Context, p *cover.Problem, l Listing, yield func(options []int) bool) error {
	return eachWith(ctx, p, l, lead, yield)
}

func eachWith(ctx context.Context, p *cover.Problem, l Listing, lead int64, yield func(options []int) bool) error {
	if l.After != nil && !p.IsSolution(l.After) {
		return fmt.Errorf("%w: the list cannot continue after the options %v, which are not a solution",
			cover.ErrInvalid, l.After)
	}
	q := *p
	q.Symmetries = l.Group
	s, m, err := compileList(ctx, &q)
	if err != nil || s.never {
		return err
	}
	need := m.walkerBytes(1) + int64(len(l.Group))*int64(len(p.Options))*8
	if l.Memory > 0 && need > l.Memory {
		return fmt.Errorf("%w: the search needs %d bytes of memory, but only %d bytes are left",
			errTooLarge, need, l.Memory)
	}
	if l.After != nil {
		l.After = append([]int{}, l.After...) // not nil, even if empty
		slices.Sort(l.After)
	}
	pool := newPool(Options{}, nil)
	defer context.AfterFunc(ctx, pool.stop)()
	w := &walker{matrices: m, account: pool.account()}
	if len(l.Group) > 0 {
		return s.eachClass(ctx, w, &q, l.After, yield)
	}
	if l.After != nil {
		w.after = s.pathOf(l.After)
	}
	list := []int{} // not nil, even if empty
	a := newAhead(p, l, lead, need)
	defer a.close()
	pool.visit = func(path []int32, _ uint64) bool {
		list = s.problemOptions(path, list)
		a.visit(list)
		return yield(list)
	}
	pool.Progress = func(share float64, _, tries int64) {
		if !w.ended && a.turn(ctx, share, tries) {
			pool.halt()
		}
	}
	w.do(w.whole(pool))
	switch {
	case pool.satisfied:
		return nil
	case !a.all:
		return ctx.Err()
	case a.visited > 0:
		l.After = list
	}
	return cmp.Or(s.eachKnown(ctx, m, a.solutions, l.After, yield), ctx.Err())
}

func (s *Space) eachClass(ctx context.Context, w *walker, p *cover.Problem, after []int, yield func(options []int) bool) error {
	// A space restricted to representatives may lack solutions of a class, but it has at least one.
	// For the least solution that it has, the least solution of the whole class is yielded.
	c, err := p.Canon(ctx, p.Symmetries)
	if err != nil {
		return err
	}
	within := make([]bool, len(p.Options))
	for _, o := range s.options {
		within[o] = true
	}
	searched := func(option int) bool { return within[option] }
	if after != nil {
		w.after = s.pathOf(c.LeastWithin(after, searched))
	}
	var list []int
	w.pool.visit = func(path []int32, _ uint64) bool {
		list = s.problemOptions(path, list)
		return !slices.Equal(c.LeastWithin(list, searched), list) || yield(c.Least(list))
	}
	if w.do(w.whole(w.pool)); w.pool.satisfied {
		return nil
	}
	return ctx.Err()
}

func (s *Space) pathOf(solution []int) map[int32]bool {
	has := map[int32]bool{}
	for k, o := range s.options {
		if _, found := slices.BinarySearch(solution, int(o)); found {
			has[int32(k)] = true
		}
	}
	return has
}
