package sample

import (
	"context"
	"fmt"
	"iter"
	"math/big"
	"math/rand/v2"
	"slices"

	"github.com/pavage/pavage/bdd"
	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/internal/limb"
)

// Diagram ranks, unranks and draws the sets of a decision diagram. It is
// immutable and safe for concurrent use, but for the sources it is given.
type Diagram struct {
	d       *bdd.Diagram
	counts  *bdd.Counts
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
	return fromCounts(d, counts, nil), nil
}

// FromDiagram draws from what count.Compile made.
func FromDiagram(c *count.Compiled) *Diagram { return fromCounts(c.Diagram, c.Counts, c.Options) }

func fromCounts(d *bdd.Diagram, counts *bdd.Counts, options []int) *Diagram {
	return &Diagram{d: d, counts: counts, count: counts.At(d.Root()), options: options}
}

// Count is the number of sets of the family.
func (s *Diagram) Count() *big.Int { return new(big.Int).Set(s.count) }

// Unrank returns the set of rank r, 0 ≤ r < Count, as rising variables.
func (s *Diagram) Unrank(r *big.Int) ([]int, error) {
	if r.Sign() < 0 || r.Cmp(s.count) >= 0 {
		return nil, fmt.Errorf("%w: %v, want 0 ≤ rank < %v", ErrRank, r, s.count)
	}
	return s.unrank(limb.Of(r, s.counts.Width()), 0), nil
}

// unrank uses up r, which is below the count of the root. The set is likely to have so many
// members.
func (s *Diagram) unrank(r []uint64, likely int) []int {
	var set []int
	if likely > 0 {
		set = make([]int, 0, likely)
	}
	v := 0
	for n := s.d.Root(); n > bdd.Top; {
		v = s.d.VarFrom(v, n)
		if limb.Take(r, s.counts.Limbs(s.d.Lo(n))) {
			set = append(set, v)
			n = s.d.Hi(n)
		} else {
			n = s.d.Lo(n)
		}
	}
	return set
}

// at is the draw of a rank.
func (s *Diagram) at(rank *big.Int) (Draw, error) {
	set, err := s.Unrank(rank)
	return Draw{rank, OfDiagram, s.named(set)}, err
}

// Rank returns the rank of a set, given as rising variables. The error wraps
// ErrMember if the set is not in the family.
func (s *Diagram) Rank(set []int) (*big.Int, error) {
	rank := make([]uint64, s.counts.Width())
	v, taken := 0, 0
	n := s.d.Root()
	for n > bdd.Top {
		v = s.d.VarFrom(v, n)
		switch {
		case taken < len(set) && set[taken] < v:
			n = bdd.Bottom // no set below has this variable
		case taken < len(set) && set[taken] == v:
			limb.Add(rank, s.counts.Limbs(s.d.Lo(n)))
			taken++
			n = s.d.Hi(n)
		default:
			n = s.d.Lo(n)
		}
	}
	if n != bdd.Top || taken != len(set) {
		return nil, fmt.Errorf("%w: %v", ErrMember, set)
	}
	return limb.Int(rank), nil
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
	rank, err := s.Rank(set)
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrMember, options)
	}
	return rank, nil
}

// Check implements Sampler.
func (s *Diagram) Check() error { return check(s.count) }

// Draws implements Sampler. The options come in the order of their variables.
func (s *Diagram) Draws(ctx context.Context, src rand.Source, n uint64) iter.Seq2[Draw, error] {
	if s.count.Sign() == 0 {
		return none(nil)
	}
	return s.draws(ctx, dice{newDie(limb.Of(s.count, s.counts.Width())), src}, n)
}

// Unique implements Sampler. A draw is told as by Draws.
func (s *Diagram) Unique(ctx context.Context, src rand.Source, n uint64, bytes int64) iter.Seq2[Draw, error] {
	ranks, err := newShuffle(src, s.count, s.counts.Width(), n, bytes)
	if err != nil {
		return none(err)
	}
	return s.draws(ctx, ranks, n)
}

// draws yields what has the next n ranks.
func (s *Diagram) draws(ctx context.Context, ranks ranks, n uint64) iter.Seq2[Draw, error] {
	return func(yield func(Draw, error) bool) {
		r := make([]uint64, s.counts.Width())
		for last := 0; n > 0; n-- {
			if err := ctx.Err(); err != nil {
				yield(Draw{}, err)
				return
			}
			ranks.next(r)
			rank := limb.Int(r)
			set := s.unrank(r, last)
			last = len(set)
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
