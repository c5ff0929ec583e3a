package sample

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/big"
	"math/rand/v2"
	"slices"

	"github.com/pavage/pavage/bdd"
	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/internal/engine/limb"
)

// Diagram ranks, unranks and draws the sets of a decision diagram. It is
// immutable and safe for concurrent use, but for the sources it is given.
type Diagram struct {
	of      bdd.Counted
	count   *big.Int
	options []int // by variable; nil: each is its own
}

var _ Sampler = (*Diagram)(nil)

// New draws from a diagram whose variables are the options. It counts the sets
// below every node, and stops when ctx ends.
func New(ctx context.Context, d *bdd.Diagram) (*Diagram, error) {
	counts, err := d.Counts(ctx)
	if err != nil {
		return nil, err
	}
	return FromCounted(d.With(counts), nil), nil
}

// FromDiagram draws from what count.Compile made.
func FromDiagram(c *count.Compiled) *Diagram {
	return FromCounted(c.Diagram.With(c.Counts), c.Options)
}

// FromCounted draws from a diagram in memory or in a file whose variable v is options[v]; nil
// says that each is its own. An error of a draw may be the file's.
func FromCounted(of bdd.Counted, options []int) *Diagram {
	return &Diagram{of: of, count: of.Count(), options: options}
}

// Count is the number of sets of the family.
func (s *Diagram) Count() *big.Int { return new(big.Int).Set(s.count) }

// Unrank returns the set of rank r, 0 ≤ r < Count, as rising variables.
func (s *Diagram) Unrank(r *big.Int) ([]int, error) {
	if r.Sign() < 0 || r.Cmp(s.count) >= 0 {
		return nil, fmt.Errorf("%w: %v, want 0 ≤ rank < %v", ErrRank, r, s.count)
	}
	return s.of.Unrank(limb.Of(r, s.of.Width()), nil)
}

// Rank returns the rank of a set, given as rising variables. The error wraps
// ErrMember if the set is not in the family.
func (s *Diagram) Rank(set []int) (*big.Int, error) {
	rank, err := s.of.Rank(set)
	if errors.Is(err, bdd.ErrMember) {
		err = fmt.Errorf("%w: %v", ErrMember, set)
	}
	return rank, err
}

// rankOf is the rank of a set of options, in any order.
func (s *Diagram) rankOf(options []int) (*big.Int, error) {
	set := slices.Clone(options)
	if s.options != nil {
		variable := make(map[int]int, len(s.options))
		for v, o := range s.options {
			variable[o] = v
		}
		for i, o := range options {
			v, ok := variable[o]
			if !ok {
				return nil, fmt.Errorf("%w: %v", ErrMember, options)
			}
			set[i] = v
		}
	}
	slices.Sort(set)
	rank, err := s.of.Rank(set)
	if errors.Is(err, bdd.ErrMember) {
		err = fmt.Errorf("%w: %v", ErrMember, options)
	}
	return rank, err
}

// Check implements Sampler.
func (s *Diagram) Check() error { return check(s.count) }

// Draws implements Sampler. The options come in the order of their variables.
func (s *Diagram) Draws(ctx context.Context, src rand.Source, n uint64) iter.Seq2[Draw, error] {
	if s.count.Sign() == 0 {
		return none(nil)
	}
	return s.draws(ctx, dice{newDie(limb.Of(s.count, s.of.Width())), src}, n)
}

// Unique implements Sampler. A draw is told as by Draws.
func (s *Diagram) Unique(ctx context.Context, src rand.Source, n uint64, bytes int64) iter.Seq2[Draw, error] {
	ranks, err := newShuffle(src, s.count, s.of.Width(), n, bytes)
	if err != nil {
		return none(err)
	}
	return s.draws(ctx, ranks, n)
}

// draws yields what has the next n ranks.
func (s *Diagram) draws(ctx context.Context, ranks ranks, n uint64) iter.Seq2[Draw, error] {
	return func(yield func(Draw, error) bool) {
		r := make([]uint64, s.of.Width())
		for last := 0; n > 0; n-- {
			if err := ctx.Err(); err != nil {
				yield(Draw{}, err)
				return
			}
			ranks.next(r)
			rank := limb.Int(r)
			set, err := s.of.Unrank(r, make([]int, 0, last))
			last = len(set)
			if err != nil {
				yield(Draw{}, err)
				return
			}
			if !yield(Draw{rank, OfDiagram, s.named(set)}, nil) {
				return
			}
		}
	}
}

// none yields an error, unless it is nil.
func none(err error) iter.Seq2[Draw, error] {
	return func(yield func(Draw, error) bool) {
		if err != nil {
			yield(Draw{}, err)
		}
	}
}

// named makes options of variables, in place.
func (s *Diagram) named(set []int) []int {
	if s.options != nil {
		for i, v := range set {
			set[i] = s.options[v]
		}
	}
	return set
}
