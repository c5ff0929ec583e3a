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
