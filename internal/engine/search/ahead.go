package search

import (
	"context"
	"errors"
	"math"

	"github.com/pavage/pavage/cover"
)

// ahead finds all solutions of a problem while a list of them is under way, by its
// symmetries: one of each orbit is found and moved. The list goes on in its own order, but
// once all are known it looks only where there are some, see guide.
//
//	list    ─lead─┐  ┌─1─┐  ┌─1─┐  ┌─ in order, only where solutions are ─▶
//	ahead         └8─┘   └8─┘   └8─┘ all known
//
// The two take turns on one thread, so that what a list costs and when it shows a
// solution does not depend on the machine; and tilings are shown from the start. Without
// a prospect to win, or if there are too many solutions to hold, the list goes on alone.
// All 129,168 tilings of 8x8 by pentominoes and a square: 7.9 s alone, 1.5 s with it.
type ahead struct {
	problem *cover.Problem
	number  uint64 // see Listing
	next    int64  // tries of the list at the next turn
	room    int64  // bytes for what is found
	visited int64  // solutions listed
	taken   int64  // options of these together

	hunt      *Hunt
	granted   int64 // tries of the hunt
	listed    int64 // tries of the list at the last turn
	solutions [][]int32
	held      int64 // bytes of the solutions
	all       bool  // all are known
}

const (
	// What a list does alone, in tries, before it is worth to think about more: 30 ms.
	lead = 1 << 17
	// never is when there is nothing to win, or nothing more to do.
	never = math.MaxInt64
	// aheadShare of the tries that ahead has while the list goes on. (8x8 pentominoes and a square:
	// 4 and 16 are 0.1 s slower and 0.05 faster; whoever watches the list sees a ninth of it.)
	aheadShare = 8
	// mostAhead limits what is held of solutions, in bytes: 800,000 tilings of 13 pieces.
	mostAhead = 64 << 20
)

// bytesOf is what solutions take that have so many options together.
func bytesOf(solutions, options int64) int64 { return 24*solutions + 4*options }

// newAhead begins its turns after so many tries of a list that itself needs so much memory.
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

// visit is told of each solution that is listed.
func (a *ahead) visit(options []int) {
	a.visited++
	a.taken += int64(len(options))
}

// turn is told how far the list is: the share of the tree, and tries. It goes on finding, and
// reports whether all are known.
func (a *ahead) turn(ctx context.Context, share float64, tries int64) bool {
	if tries < a.next || ctx.Err() != nil {
		return a.all
	}
	if a.hunt == nil {
		a.next = 2 * tries
		if !a.promises(share, tries) {
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

// find is told of a solution that is found.
func (a *ahead) find(options []int) bool {
	solution := make([]int32, len(options))
	for k, o := range options {
		solution[k] = int32(o)
	}
	a.solutions = append(a.solutions, solution)
	a.held += bytesOf(1, int64(len(options)))
	return a.held <= a.room
}

// close ends the finding.
func (a *ahead) close() {
	if a.hunt != nil {
		a.hunt.End()
	}
}

// promises reports whether what is left of the list takes clearly longer than to find an
// orbit's share of all, and whether there is room for them, as far as the list tells.
func (a *ahead) promises(share float64, tries int64) bool {
	if share <= 0 || share >= 1 {
		return false
	}
	all := float64(tries) / share
	left := all - float64(tries)
	if a.number > 0 && a.visited > 0 {
		left = min(left, float64(tries)/float64(a.visited)*(float64(a.number)-float64(a.visited)))
	}
	orbit := float64(len(a.problem.Symmetries))
	held := float64(bytesOf(a.visited, a.taken)) / share
	return left > 1.5*all/orbit && held < 4*float64(a.room)
}
