package count

import (
	"cmp"
	"context"
	"fmt"
	"math/big"
	"slices"

	"github.com/pavage/pavage/bdd"
	"github.com/pavage/pavage/internal/kit/limit"
)

// A diagram built without weights has no slack options (see weights.go). For fractional weights, a
// new diagram is built. In it, the slack of an item follows the last variable that uses the item:
//
//	variables   ab  ac  bd  cd
//	with slack  ab  ac  a'  bd  b' …   a' is in a set without ab and ac
//
// A state is a node of the old diagram, with a bit for each item between its first and last
// variable. The bit is set if the item is used. Mostly, a node occurs with one set of bits only.

// slackWords is the number of words for the bits of a state.
const slackWords = 4

type slackState struct {
	node, variable uint32
	used           [slackWords]uint64
}

type slackener struct {
	d    *bdd.Diagram
	step []slackStep // indexed by variable of the new diagram
}

type slackStep struct {
	old   int   // variable of the old diagram, or -1 for slack
	slots []int // indices of bits in slackState.used, for the items of the option
}

// Weigh returns the solutions of c with the given weights. c must not have weights yet. A memory of
// 0 means no limit. The error wraps ErrWeights or cover.ErrMemory, or is the error of ctx.
func (c *Compiled) Weigh(ctx context.Context, weights []*big.Rat, memory int64) (Set, error) {
	if c.weights.Weights != nil {
		return nil, fmt.Errorf("%w: the solutions have weights already", ErrWeights)
	}
	w, err := makeWhole(c.problem, weights)
	if err != nil {
		return nil, err
	}
	if len(w.Problem.Options) > len(c.problem.Options) {
		if c, err = c.slackened(ctx, w, memory); err != nil {
			return nil, err
		}
	}
	return c.weigh(ctx, w, memory)
}

// slackened returns the diagram of w.Problem. The error wraps ErrWeights or cover.ErrMemory.
func (c *Compiled) slackened(ctx context.Context, w *wholeWeights, memory int64) (*Compiled, error) {
	s := &slackener{d: c.Diagram}
	options, err := s.plan(c.Options, w)
	if err != nil {
		return nil, err
	}
	root := slackState{node: c.Diagram.Root(), variable: uint32(c.Diagram.Var(c.Diagram.Root()))}
	if root.node == bdd.Bottom {
		d, err := bdd.Empty(len(options))
		if err != nil {
			return nil, err
		}
		return OfDiagram(ctx, w.Problem, d, options, memory)
	}
	left := limit.Left(memory, c.Bytes())
	d, err := bdd.Build(ctx, bdd.Automaton(len(options), root, s.child), bdd.Limits{Bytes: left})
	if err != nil {
		return nil, err
	}
	return OfDiagram(ctx, w.Problem, d, options, left)
}

type open struct {
	slack, slot int
	first, last int // the first and last variables that use the item, or -1
}

// plan returns the option of each variable of the new diagram, and sets s.step.
func (s *slackener) plan(variables []int, w *wholeWeights) (options []int, err error) {
	items := s.open(variables, w)
	slices.SortStableFunc(items, func(a, b *open) int { return cmp.Compare(a.last, b.last) })
	byItem := map[int]*open{}
	for _, it := range items {
		byItem[w.Problem.Options[it.slack][0].Item] = it
	}
	var free []int
	slots := 0
	for v := -1; v < len(variables); v++ {
		if v >= 0 {
			step := slackStep{old: v}
			for _, u := range w.Problem.Options[variables[v]] {
				it := byItem[u.Item]
				if it == nil {
					continue
				}
				if it.first == v {
					if n := len(free); n > 0 {
						it.slot, free = free[n-1], free[:n-1]
					} else {
						it.slot, slots = slots, slots+1
					}
				}
				step.slots = append(step.slots, it.slot)
			}
			s.step, options = append(s.step, step), append(options, variables[v])
		}
		for ; len(items) > 0 && items[0].last == v; items = items[1:] {
			step := slackStep{old: -1}
			if v >= 0 {
				step.slots = []int{items[0].slot}
				free = append(free, items[0].slot)
			}
			s.step, options = append(s.step, step), append(options, items[0].slack)
		}
	}
	if slots > slackWords*64 {
		return nil, fmt.Errorf("%w: some weights are fractions, and the diagram has %d open items at a time, expected at most %d open items, or only whole numbers as weights", ErrWeights, slots, slackWords*64)
	}
	return options, nil
}

func (s *slackener) open(variables []int, w *wholeWeights) []*open {
	of := map[int]*open{}
	var all []*open
	for o := w.options; o < len(w.Problem.Options); o++ {
		it := &open{slack: o, first: -1, last: -1}
		of[w.Problem.Options[o][0].Item] = it
		all = append(all, it)
	}
	for v, o := range variables {
		for _, u := range w.Problem.Options[o] {
			if it := of[u.Item]; it != nil {
				if it.first < 0 {
					it.first = v
				}
				it.last = v
			}
		}
	}
	return all
}

func (s *slackener) child(from slackState, v int, take bool) (slackState, bool) {
	step := &s.step[v]
	if step.old < 0 {
		used := false
		for _, slot := range step.slots {
			bit := uint64(1) << (slot & 63)
			used = from.used[slot>>6]&bit != 0
			from.used[slot>>6] &^= bit
		}
		return from, take != used
	}
	if from.variable != uint32(step.old) {
		return from, !take
	}
	to := from
	if take {
		to.node = s.d.Hi(from.node)
		for _, slot := range step.slots {
			to.used[slot>>6] |= 1 << (slot & 63)
		}
	} else {
		to.node = s.d.Lo(from.node)
	}
	to.variable = uint32(s.d.VarFrom(step.old+1, to.node))
	return to, to.node != bdd.Bottom
}
