package search

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/interrupt"
)

// ahead finds all solutions of a problem while [Each] lists them. It searches for one solution of
// each orbit, and makes the others by symmetries. When it has found all solutions, Each visits only
// nodes that have solutions below them.
//
//	list    ─lead─┐  ┌─1─┐  ┌─1─┐  ┌─ in order, only where solutions are ─▶
//	ahead         └8─┘   └8─┘   └8─┘ all known          8 tries for each try of the list
//
// Each and ahead alternate on one thread, so a list does not depend on the machine. If ahead would
// save no time, or the solutions need too much memory, Each goes on alone. For all 129,168 tilings
// of 8x8 by pentominoes and a square, Each needs 7.9 s alone, and 1.5 s with ahead.
type ahead struct {
	problem *cover.Problem
	number  uint64
	next    int64 // turn does nothing until the list has made this number of tries
	room    int64 // limit for held, in bytes
	visited int64 // number of listed solutions
	taken   int64 // number of options in all listed solutions

	hunt      *Hunt
	granted   int64 // number of tries that hunt may make
	listed    int64 // number of tries of the list at the last turn
	solutions [][]int32
	held      int64 // memory of solutions in bytes
	all       bool  // solutions is complete
}

const (
	// lead is the number of tries that Each makes before ahead may begin. They need 30 ms.
	lead  = 1 << 17
	never = math.MaxInt64
	// aheadShare is the number of tries that ahead makes for each try of the list.
	aheadShare = 8
	// mostAhead limits the memory of solutions, in bytes. 800,000 tilings of 13 pieces fit.
	mostAhead = 64 << 20
)

func bytesOf(solutions, options int64) int64 { return 24*solutions + 4*options }

func newAhead(p *cover.Problem, l Listing, lead, need int64) *ahead {
	a := &ahead{problem: p, number: l.Number, next: lead, room: mostAhead}
	if len(p.Symmetries) < 2 {
		a.next = never
	}
	if l.Memory > 0 {
		a.room = min(a.room, (l.Memory-2*need)/2)
	}
	return a
}

func (a *ahead) visit(options []int) {
	a.visited++
	a.taken += int64(len(options))
}

func (a *ahead) turn(ctx context.Context, share float64, tries int64) bool {
	if tries < a.next || ctx.Err() != nil {
		return a.all
	}
	if a.hunt == nil {
		a.next = 2 * tries
		if share <= 0 || share >= 1 {
			return false
		}
		// It pays to look ahead if the tries that Each still needs cost clearly more than a search
		// by orbits, and if the solutions may fit in memory.
		all := float64(tries) / share
		left := all - float64(tries)
		if a.number > 0 && a.visited > 0 {
			left = min(left, float64(tries)/float64(a.visited)*(float64(a.number)-float64(a.visited)))
		}
		held := float64(bytesOf(a.visited, a.taken)) / share
		if left <= 1.5*all/float64(len(a.problem.Symmetries)) || held >= 4*float64(a.room) {
			return false
		}
		s, err := Compile(ctx, a.problem)
		if err != nil {
			a.next = never
			return false
		}
		a.hunt = s.Hunt(ctx, Options{}, a.find)
	}
	a.granted += aheadShare * (tries - a.listed)
	a.listed, a.next = tries, tries+1
	if _, err := a.hunt.Run(a.granted); !errors.Is(err, ErrLimit) {
		a.all, a.next = err == nil && a.held <= a.room, never
	}
	return a.all
}

func (a *ahead) find(options []int) bool {
	solution := make([]int32, len(options))
	for k, o := range options {
		solution[k] = int32(o)
	}
	a.solutions = append(a.solutions, solution)
	a.held += bytesOf(1, int64(len(options)))
	return a.held <= a.room
}

func (a *ahead) close() {
	if a.hunt != nil {
		a.hunt.End()
	}
}

// guide yields the solutions that ahead found, in the order of a walk. If two or more solutions lie
// below a node, it branches there as the walk does. So it visits at most one node for each
// solution, where a search visits hundreds.
//
//	branch on c: cf? bc?      {ab,de,cf} {ad,be,cf} {ad,bc,ef}
//	                          ─────────────────────  ────────
//	                          first those with cf    one solution: yielded at once
type guide struct {
	walker
	space *Space
	ctx   context.Context
	looks interrupt.Watch
	after []int // if not nil, a solution: it and all earlier solutions are skipped
	yield func(options []int) bool
	list  []int
	err   error
}

var errUnmet = errors.New("internal error: the search found a solution out of order")

func (s *Space) eachKnown(ctx context.Context, m *matrices, solutions [][]int32, after []int, yield func(options []int) bool) error {
	g := &guide{space: s, ctx: ctx, looks: interrupt.Context(ctx), after: slices.Clone(after), yield: yield}
	g.matrices, g.stop = m, func() bool { return ctx.Err() != nil }
	g.begin(m.root(g.stop))
	g.below(0, nothing, solutions)
	return g.err
}

// below yields solutions in order. Each has the options of the path to frame d and, unless
// column == nothing, the option of column. It returns false if the walk must end.
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
	if uint32(f.branch) == slackItem { // the path may be a solution without further options
		n := front(solutions, func(s []int32) bool { return len(s) == len(g.path) })
		if n > 0 && !g.show(solutions[0]) {
			return false
		}
		solutions = solutions[n:]
	}
	for len(solutions) > 0 && f.step(g.matrices) {
		if g.err = g.looks.Work(len(solutions) * len(solutions[0])); g.err != nil {
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

func front(solutions [][]int32, holds func([]int32) bool) (n int) {
	for k, s := range solutions {
		if holds(s) {
			solutions[n], solutions[k] = s, solutions[n]
			n++
		}
	}
	return n
}

func (g *guide) show(solution []int32) bool {
	if g.err = g.looks.Work(len(solution)); g.err != nil {
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
