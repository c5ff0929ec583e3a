package count

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/big"
)

// Set is the set of all solutions of an exact cover, without a list of them. It has three
// representations, of which [Solve] makes the one that suits a use:
//
//	                             ranks   sums   draws   within conditions and in order
//	diagram       Compiled         ●      ●       ●        ●
//	              Family, in a file●      count   ●
//	levels        Levels           ●      ●       ●
//	planar graph  determinants            ●
//	              Coupling                        ●
//
// A rank is a number from 0 that leads to one solution, so a uniform rank draws uniformly. With
// Options.Weights as many ranks lead to a solution as its weight, times one number, the scale, that
// makes all weights whole; so a uniform rank draws by weight.
//
// Goroutines may share a Set. An answer that a representation does not have is the error
// ErrUnanswered.
type Set interface {
	Sums
	// Count returns the number of solutions; nil if the representation does not have it, as levels
	// with weights.
	Count() *big.Int
	// Without returns the sums of the solutions that have none of some options. Levels and planar
	// graphs are made again for them, in as much memory as Options.Memory allows: both together
	// hold up to twice that. The error wraps ErrMember if an option does not exist, or cover.ErrMemory, or
	// is ctx's.
	Without(ctx context.Context, options []int) (Sums, error)

	// Ranks returns the number of ranks, 0 if solutions have none.
	Ranks() *big.Int
	// Batch returns how many ranks one call of Unrank may take within the memory limit. A caller
	// who waits for the first solution of many gives first at first.
	Batch() (first, most int)
	// Unrank yields the solution of each rank, in the order of the ranks: its options in the order
	// of a diagram's variables, in a slice of its own. An error ends it. It wraps ErrRank if a rank is
	// not at least 0 and below Ranks, or cover.ErrMemory, or is ctx's.
	Unrank(ctx context.Context, ranks []*big.Int) iter.Seq2[[]int, error]
	// Rank returns a rank of a solution, given as its options in any order: Unrank finds the same
	// options there. Diagrams with weights have no answer. The error wraps ErrMember if they are no
	// solution or, of levels, one of weight 0; or cover.ErrMemory, or is ctx's.
	Rank(ctx context.Context, options []int) (*big.Int, error)

	// Ordered yields the solutions in the order of their weights, heaviest or lightest first.
	Ordered(ctx context.Context, heaviest bool) iter.Seq2[[]int, error]

	// Report returns what it took so far.
	Report() *Result
	// Bytes returns the memory in bytes that is held.
	Bytes() int64
}

// Sums are sums over solutions.
type Sums interface {
	// Weight returns the sum of the weights of all solutions; without weights it is their number.
	Weight() *big.Rat
	// Marginals returns in how many solutions each option is, or the sum of their weights. The error
	// wraps cover.ErrMemory or is ctx's.
	Marginals(ctx context.Context) (*Marginals, error)
}

// Marginals are in how many solutions each option is; with weights, the total weight of these.
type Marginals struct {
	Total *big.Rat   // of all solutions
	Of    []*big.Rat // by option
}

var (
	// ErrUnanswered is wrapped when a question is asked of a representation that has no answer.
	ErrUnanswered = errors.New("this representation of the solutions has no answer to the question")
	// ErrRank is wrapped when a rank is not at least 0 and below the number of ranks.
	ErrRank = errors.New("rank out of range")
	// ErrMember is wrapped when options that are ranked are no solution.
	ErrMember = errors.New("not a member")
)

// At returns the solution of one rank. Errors are those of Unrank.
func At(ctx context.Context, s Set, rank *big.Int) ([]int, error) {
	for options, err := range s.Unrank(ctx, []*big.Int{rank}) {
		return options, err
	}
	return nil, ErrUnanswered
}

// unanswered has no answers. Representations embed it and answer what they can.
type unanswered struct{}

func (unanswered) Weight() *big.Rat                              { return nil }
func (unanswered) Marginals(context.Context) (*Marginals, error) { return nil, ErrUnanswered }
func (unanswered) Count() *big.Int                               { return nil }
func (unanswered) Without(context.Context, []int) (Sums, error)  { return nil, ErrUnanswered }
func (unanswered) Ranks() *big.Int                               { return new(big.Int) }
func (unanswered) Batch() (first, most int)                      { return 1, 1 }

func (unanswered) Unrank(context.Context, []*big.Int) iter.Seq2[[]int, error] { return noAnswer }
func (unanswered) Rank(context.Context, []int) (*big.Int, error)              { return nil, ErrUnanswered }
func (unanswered) Ordered(context.Context, bool) iter.Seq2[[]int, error]      { return noAnswer }

func noAnswer(yield func([]int, error) bool) { yield(nil, ErrUnanswered) }

// checkRanks reports a rank that is not at least 0 and below total.
func checkRanks(ranks []*big.Int, total *big.Int) error {
	for _, r := range ranks {
		if r.Sign() < 0 || r.Cmp(total) >= 0 {
			return fmt.Errorf("%w: %v, want 0 ≤ rank < %v", ErrRank, r, total)
		}
	}
	return nil
}
