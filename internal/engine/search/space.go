package search

import (
	"fmt"
	"math/rand/v2"

	"github.com/pavage/pavage/internal/kit/limit"
)

// errTooLarge is wrapped when a cover is beyond what the search can hold. It wraps
// cover.ErrMemory.
var errTooLarge = fmt.Errorf("%w: too large to search", limit.ErrMemory)

// Space is a cover made ready for searching. It is immutable.
type Space struct {
	engine      engine
	options     []int32     // the problem's option for each option searched
	weights     []uint32    // how many options each option stands for
	restriction restriction // where the weights come from
	free        []int       // options of the problem that nothing binds: each doubles the count
	never       bool        // some lower bound cannot be reached: the engine has nothing to do
	parts       [][]int     // what options of the problem that was given an option is; nil: itself
}

// restriction is an item whose options are cut down to one of each orbit.
//
// The item must be used exactly once, so a solution has exactly one of its
// options, and a symmetry that leaves the item alone takes the solutions with
// one option of an orbit to those with another: there are equally many. Of the
// 64 places of the square on the chessboard, 10 are enough:
//
//	1 2 3 4 . . . .       weights 4 8 8 4     (a square at the edge of the board
//	. 5 6 7 . . . .               4 8 4        between 4 and its mirror image is
//	. . 8 9 . . . .                 4 4        one orbit of four)
//	. . . 10 . . . .                  1
type restriction struct {
	images [][]int         // by symmetry, of the problem's options
	moves  map[int][]int32 // by representative: a symmetry to each option of the orbit
}

// engine is one way to walk a tree of partial covers. It knows options by their index in the space.
type engine interface {
	// walkers are those of a pool, which share what they need to.
	walkers(c *pool) []worker
	// whole is the parcel of the whole tree.
	whole(c *pool) parcel
	// bytes is a bound on what a number of walkers hold.
	bytes(walkers int) int64
	crowds(rng *rand.Rand) crowds
}

// Bytes is a bound on what a number of walkers and their memo hold.
func (s *Space) Bytes(walkers int) int64 { return s.engine.bytes(walkers) }
