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
	*walker
	*known
	space *Space
	ctx   context.Context
	after []int // the solution that is passed over with all before it; nil: none
	yield func(options []int) bool
	list  []int
	work  int // solutions gone through since the last look
	err   error
}

// errUnmet says that a solution is none that the walk would meet: a mistake of ours.
var errUnmet = errors.New("a solution that was found is not met in order")

// looksOf is how many solutions are gone through between two looks at the context.
const looksOf = 1 << 10

// eachKnown visits all solutions of the space, which are known, or those behind one, in the
// order of [Each].
func (s *Space) eachKnown(ctx context.Context, m *matrices, k *known, after []int, yield func(options []int) bool) error {
	stop := func() bool { return ctx.Err() != nil }
	w := &walker{matrices: m, account: account{stop: stop}}
	g := &guide{walker: w, known: k, space: s, ctx: ctx, after: slices.Clone(after), yield: yield}
	k.order = make([]int32, len(k.ends))
	for i := range k.order {
		k.order[i] = int32(i)
	}
	g.begin(m.root(g.stop))
	g.below(0, nothing, 0, len(k.order))
	return g.err
}

// below hands over the solutions of a range of the order, which have a column of frame d,
// or nothing. It reports whether to go on.
func (g *guide) below(d, column, lo, hi int) bool {
	switch {
	case lo == hi:
		return true
	case lo+1 == hi:
		return g.show(lo)
	case g.descend(d, column) != branched:
		g.err = cmp.Or(g.ctx.Err(), errUnmet)
		return false
	}
	more := g.node(d+1, lo, hi)
	g.path = g.path[:g.frames[d].path]
	return more
}

// node divides a range by the first column of frame d that each solution has.
func (g *guide) node(d, lo, hi int) bool {
	f := g.frames[d]
	g.unfold(f)
	if uint32(f.branch) == slackItem {
		for at := lo; at < hi; at++ {
			if len(g.of(at)) == len(g.path) { // nothing else has as few
				g.order[lo], g.order[at] = g.order[at], g.order[lo]
				if !g.show(lo) {
					return false
				}
				lo++
				break
			}
		}
	}
	for lo < hi && f.step(g.matrices) {
		if g.looks(hi - lo) {
			return false
		}
		mid := g.front(lo, hi, g.space.options[f.option()])
		if !g.below(d, f.column(), lo, mid) {
			return false
		}
		lo = mid
	}
	if lo < hi {
		g.err = errUnmet
	}
	return lo == hi
}

// looks reports whether the context has ended, which it looks at when so many solutions more
// have been gone through as looksOf says.
func (g *guide) looks(more int) bool {
	if g.work += more; g.work >= looksOf {
		g.work, g.err = 0, g.ctx.Err()
	}
	return g.err != nil
}

// show hands one over, unless it is not behind the last.
func (g *guide) show(at int) bool {
	if g.looks(1) {
		return false
	}
	g.list = g.list[:0]
	for _, o := range g.of(at) {
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
