package search

import (
	"cmp"
	"context"
	"errors"
	"slices"
)

// guide hands known solutions over in the order in which a walk meets them. It walks where
// at least two of them lie: there the branch says which option comes first. So a list that
// is put in order takes at most as many nodes as it has solutions, where a search takes
// hundreds for each.
//
//	branch on c: cf? bc?      {ab,de,cf} {ad,be,cf} {ad,bc,ef}
//	                          ─────────────────────  ────────
//	                          first those with cf    alone: no need to look on
type guide struct {
	walker
	space  *Space
	ctx    context.Context
	after  []int // the solution that is passed over with all before it; nil: none
	yield  func(options []int) bool
	list   []int
	passed int // solutions gone through since the last look
	err    error
}

// errUnmet says that a solution is none that the walk would meet: a mistake of ours.
var errUnmet = errors.New("a solution that was found is not met in order")

// looksOf is how many solutions are gone through between two looks at the context.
const looksOf = 1 << 10

// eachKnown visits all solutions of the space, which are known, or those behind one, in the
// order of [Each]. It puts them in this order.
func (s *Space) eachKnown(ctx context.Context, m *matrices, solutions [][]int32, after []int, yield func(options []int) bool) error {
	g := &guide{space: s, ctx: ctx, after: slices.Clone(after), yield: yield}
	g.matrices, g.stop = m, func() bool { return ctx.Err() != nil }
	g.begin(m.root(g.stop))
	g.below(0, nothing, solutions)
	return g.err
}

// below hands over the solutions that have a column of frame d, or nothing. It reports whether to
// go on.
func (g *guide) below(d, column int, solutions [][]int32) bool {
	if len(solutions) < 2 {
		return len(solutions) == 0 || g.show(solutions[0])
	}
	if g.descend(d, column) != branched {
		g.err = cmp.Or(g.ctx.Err(), errUnmet)
		return false
	}
	f := g.frames[d+1]
	g.unfold(f)
	if uint32(f.branch) == slackItem { // the walk itself is one, if one has nothing more
		n := front(solutions, func(s []int32) bool { return len(s) == len(g.path) })
		if n > 0 && !g.show(solutions[0]) {
			return false
		}
		solutions = solutions[n:]
	}
	// They are divided by the first column that each has.
	for len(solutions) > 0 && f.step(g.matrices) {
		if g.looks(len(solutions)) {
			return false
		}
		option := g.space.options[f.option()]
		n := front(solutions, func(s []int32) bool { return slices.Contains(s, option) })
		if !g.below(d+1, f.column(), solutions[:n]) {
			return false
		}
		solutions = solutions[n:]
	}
	if len(solutions) > 0 {
		g.err = errUnmet
	}
	g.path = g.path[:g.frames[d].path]
	return g.err == nil
}

// front moves those solutions to the front for which a condition holds, and returns how many.
func front(solutions [][]int32, holds func([]int32) bool) (n int) {
	for k, s := range solutions {
		if holds(s) {
			solutions[n], solutions[k] = s, solutions[n]
			n++
		}
	}
	return n
}

// looks reports whether the context has ended, which it looks at when so many solutions more
// have been gone through as looksOf says.
func (g *guide) looks(more int) bool {
	if g.passed += more; g.passed >= looksOf {
		g.passed, g.err = 0, g.ctx.Err()
	}
	return g.err != nil
}

// show hands one over, unless it is not behind the last.
func (g *guide) show(solution []int32) bool {
	if g.looks(1) {
		return false
	}
	g.list = g.list[:0]
	for _, o := range solution {
		g.list = append(g.list, int(o))
	}
	if g.after != nil {
		if slices.Equal(g.list, g.after) {
			g.after = nil
		}
		return true
	}
	return g.yield(g.list)
}
