package count

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/big"
)

// Set is the set of all solutions of an exact cover. [Solve] chooses one of these representations:
//
//	                             ranks   sums   draws   Select, Ordered
//	diagram       Compiled         ●      ●       ●        ●
//	              Family in a file ●      count   ●
//	levels        Levels           ●      ●       ●
//	planar graph  determinants            ●
//	              Matchings                       ●
//	parts         Product          each column that all parts have, except the last
//
// A rank is a number that identifies a solution. With Options.Weights, a solution has several
// ranks, and their number is proportional to its weight. So a uniform random rank draws solutions
// uniformly, or in proportion to their weights.
//
// Goroutines may share a Set. Methods that a representation does not support return ErrUnanswered.
type Set interface {
	Sums
	// Count returns the number of solutions, or nil if it is unknown, as for levels with weights.
	Count() *big.Int
	// Without returns the sums over the solutions that have none of the options. It computes levels
	// and determinants again, so up to twice Options.Memory bytes are held. The error wraps
	// ErrMember if an option does not exist, or wraps cover.ErrMemory, or is the error of ctx.
	Without(ctx context.Context, options []int) (Sums, error)

	// Ranks returns the number of ranks, or 0 if solutions have no ranks.
	Ranks() *big.Int
	// Batch returns numbers of ranks to pass to Unrank: first for a call that yields early, and
	// most, with which a call stays within the memory limit. If alone is true, calls of Unrank wait
	// for one another, and each call is slow, even with a single rank.
	Batch() (first, most int, alone bool)
	// Unrank yields the solution of each rank in turn, as a new slice of options in the order of a
	// diagram's variables. It ends after an error. The error wraps ErrRank unless 0 ≤ rank < Ranks,
	// or wraps cover.ErrMemory, or is the error of ctx.
	Unrank(ctx context.Context, ranks []*big.Int) iter.Seq2[[]int, error]
	// Rank returns the rank of the solution with these options, which may be in any order. Diagrams
	// with weights do not support it. The error wraps ErrMember if the options are not a solution,
	// or, for levels, if their weight is 0. It may wrap cover.ErrMemory, or be the error of ctx.
	Rank(ctx context.Context, options []int) (*big.Int, error)

	// Ordered yields the solutions in the order of their weights, heaviest or lightest first.
	Ordered(ctx context.Context, heaviest bool) iter.Seq2[[]int, error]

	// Report returns a Result with the effort that the Set has cost so far.
	Report() *Result
	// Bytes returns the memory held, in bytes.
	Bytes() int64
}

// Sums are sums of weights over solutions.
type Sums interface {
	// Weight returns the sum of the weights of all solutions. The default weight is 1.
	Weight() *big.Rat
	// Marginals returns, for each option, the number or the weight of the solutions that have the
	// option. The error wraps cover.ErrMemory or is the error of ctx.
	Marginals(ctx context.Context) (*Marginals, error)
}

// Marginals has for each option the number of solutions with the option, or their total weight.
type Marginals struct {
	Total *big.Rat   // number or weight of all solutions
	Of    []*big.Rat // indexed by option
}

var (
	// ErrUnanswered is wrapped when a representation of the solutions does not support a method.
	ErrUnanswered = errors.New("this form of the set of solutions does not support the method")
	// ErrRank is wrapped when a rank is negative or not below Ranks.
	ErrRank = errors.New("rank out of range")
	// ErrMember is wrapped when a set of options is not a solution, or an option does not exist.
	ErrMember = errors.New("not a solution")
)

// At returns the solution of one rank. It returns the errors of Unrank.
func At(ctx context.Context, s Set, rank *big.Int) ([]int, error) {
	for options, err := range s.Unrank(ctx, []*big.Int{rank}) {
		return options, err
	}
	return nil, ErrUnanswered
}

// unanswered supports no method. Representations embed it and override the methods they support.
type unanswered struct{}

func (unanswered) Weight() *big.Rat                              { return nil }
func (unanswered) Marginals(context.Context) (*Marginals, error) { return nil, ErrUnanswered }
func (unanswered) Count() *big.Int                               { return nil }
func (unanswered) Without(context.Context, []int) (Sums, error)  { return nil, ErrUnanswered }
func (unanswered) Ranks() *big.Int                               { return new(big.Int) }
func (unanswered) Batch() (first, most int, alone bool)          { return 1, 1, false }

func (unanswered) Unrank(context.Context, []*big.Int) iter.Seq2[[]int, error] { return noAnswer }
func (unanswered) Rank(context.Context, []int) (*big.Int, error)              { return nil, ErrUnanswered }
func (unanswered) Ordered(context.Context, bool) iter.Seq2[[]int, error]      { return noAnswer }

func noAnswer(yield func([]int, error) bool) { yield(nil, ErrUnanswered) }

func checkRanks(ranks []*big.Int, total *big.Int) error {
	for _, r := range ranks {
		if r.Sign() < 0 || r.Cmp(total) >= 0 {
			return fmt.Errorf("%w: %v, expected 0 ≤ rank < %v", ErrRank, r, total)
		}
	}
	return nil
}
