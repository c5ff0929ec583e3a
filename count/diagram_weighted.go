package count

import (
	"cmp"
	"context"
	"iter"
	"math/big"

	"github.com/pavage/pavage/bdd"
	"github.com/pavage/pavage/internal/engine/limb"
	"github.com/pavage/pavage/internal/kit/limit"
)

// weighted is a diagram with weights of its variables. Every node has a value V, the sum of the
// weights of its sets: V(n) = V(lo) + w·V(hi), where w is the weight of the node's variable. A
// rank, a number r below the value of the root, leads to a set:
//
//	    n           r < V(lo)     go to lo with r
//	lo╱   ╲hi·w     r ≥ V(lo)     go to hi with ⌊(r - V(lo)) / w⌋
//
// What is left at each node is uniform below the node's value, if it is at the root. For if
// r is uniform below V(n), then under the condition r < V(lo) it is uniform below V(lo);
// and under the other r - V(lo) is uniform below w·V(hi), in which each number below V(hi) is
// the quotient of exactly w numbers. At ⊤, of value 1, only 0 is left. So a set is found from
// as many r as its weight, one of weight 0 from none: no division is rounded, and draws are
// exact.
type weighted struct {
	*Compiled
	whole      *wholeWeights
	byVariable []*big.Int  // whole weights, nil for 1; nil if all are 1
	values     *bdd.Counts // of the nodes
	memory     int64       // bytes that an answer may take beside diagram, counts and values; 0 is no limit
}

// weigh gives the diagram's nodes their values, within memory bytes.
func (c *Compiled) weigh(ctx context.Context, w *wholeWeights, memory int64) (*weighted, error) {
	s := &weighted{Compiled: c, whole: w, byVariable: w.of(c.Options)}
	return s, s.sum(ctx, limit.Left(memory, c.Bytes()))
}

func (s *weighted) sum(ctx context.Context, memory int64) (err error) {
	if s.values, err = s.Diagram.Weigh(ctx, s.byVariable, memory); err == nil {
		s.memory = limit.Left(memory, s.values.Bytes())
	}
	return err
}

// plain is the diagram with the weight 1 of all options, whose values are its counts.
func (c *Compiled) plain() *weighted {
	one := &wholeWeights{Problem: c.problem, options: len(c.problem.Options), Scale: big.NewInt(1)}
	return &weighted{Compiled: c, whole: one, values: c.Counts, memory: limit.Left(c.memory, c.Bytes())}
}

// Weight implements Set.
func (s *weighted) Weight() *big.Rat { return new(big.Rat).SetFrac(s.Ranks(), s.whole.Scale) }

// Ranks implements Set.
func (s *weighted) Ranks() *big.Int { return s.values.At(s.Diagram.Root()) }

// Bytes implements Set.
func (s *weighted) Bytes() int64 { return s.Diagram.Bytes() + s.values.Bytes() }

// Marginals implements Set, by one pass down through the diagram and one up.
func (s *weighted) Marginals(ctx context.Context) (*Marginals, error) {
	sums, err := s.Diagram.Marginals(ctx, s.values, s.byVariable, s.memory)
	if err != nil {
		return nil, err
	}
	return s.whole.marginals(s.Ranks(), sums, s.Options), nil
}

// Without implements Set: the weights of the options are 0.
func (s *weighted) Without(ctx context.Context, options []int) (Sums, error) {
	less := &weighted{Compiled: s.Compiled, whole: s.whole, byVariable: make([]*big.Int, len(s.Options))}
	copy(less.byVariable, s.byVariable)
	for _, v := range s.Variables(options) {
		less.byVariable[v] = new(big.Int)
	}
	return less, less.sum(ctx, s.memory)
}

// Unrank implements Set.
func (s *weighted) Unrank(ctx context.Context, ranks []*big.Int) iter.Seq2[[]int, error] {
	return func(yield func([]int, error) bool) {
		err := checkRanks(ranks, s.Ranks())
		for _, rank := range ranks {
			if err = cmp.Or(err, ctx.Err()); err != nil {
				yield(nil, err)
				return
			}
			if !yield(s.at(limb.Of(rank, s.values.Width())), nil) {
				return
			}
		}
	}
}

// at is the options of the set that a rank, which it uses up, leads to.
func (s *weighted) at(r []uint64) (options []int) {
	v := 0
	for n := s.Diagram.Root(); n > bdd.Top; {
		v = s.Diagram.VarFrom(v, n)
		if !limb.Take(r, s.values.Limbs(s.Diagram.Lo(n))) {
			n = s.Diagram.Lo(n)
			continue
		}
		if o := s.Options[v]; o < s.whole.options {
			options = append(options, o)
		}
		if s.byVariable != nil && s.byVariable[v] != nil {
			limb.Divide(r, s.byVariable[v])
		}
		n = s.Diagram.Hi(n)
	}
	return options
}

// Rank implements Set.
func (s *weighted) Rank(ctx context.Context, options []int) (*big.Int, error) {
	return s.unanswered.Rank(ctx, options)
}

// Ordered implements Set.
func (s *weighted) Ordered(ctx context.Context, heaviest bool) iter.Seq2[[]int, error] {
	ordered := s.Diagram.Worst
	if heaviest {
		ordered = s.Diagram.Best
	}
	return func(yield func([]int, error) bool) {
		for one, err := range ordered(ctx, s.byVariable, s.memory) {
			options := []int{}
			for _, v := range one.Set {
				if o := s.Options[v]; o < s.whole.options {
					options = append(options, o)
				}
			}
			if !yield(options, err) || err != nil {
				return
			}
		}
	}
}
