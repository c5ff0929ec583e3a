package sweep

import (
	"context"
	"math/big"
	"slices"

	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/engine/key"
	"github.com/pavage/pavage/internal/engine/limb"
	"github.com/pavage/pavage/internal/kit/interrupt"
)

// The rank of a way is the number of pasts that Unrank skips. In the last level it skips the pasts
// of all states below the last state of the way. At each step back it skips the pasts through all
// predecessors before the predecessor on the way. With weights, Rank returns a way's first rank.

func (h *history[K]) Rank(ctx context.Context, way []uint32) (*big.Int, error) {
	states, moves, err := h.forward(ctx, way)
	if err != nil || states == nil {
		return nil, err
	}
	last, err := h.last(ctx)
	if err != nil || last == nil {
		return nil, err
	}
	r, each := make([]uint64, (h.total.BitLen()+63)/64), &unweighted
	found, err := addBefore(ctx, r, last, states[h.a.Steps()])
	if err != nil || !found {
		return nil, err
	}
	err = h.back(ctx, nil, func(at int, t *automaton.Transition[K], in *Level[K]) error {
		from := predecessors(nil, t, states[at+1], in, h.weights)
		found = found && addPasts(r, each, from, states[at], moves[at])
		each = each.timesMove(h.weights.of(moves[at]))
		return nil
	})
	if err != nil || !found {
		return nil, err
	}
	return limb.Int(r), nil
}

func (h *history[K]) forward(ctx context.Context, way []uint32) (states []K, moves []uint32, err error) {
	way = slices.Sorted(slices.Values(way))
	state, taken := automaton.Root[K](h.a), 0
	states = append(states, state)
	for at := range h.a.Steps() {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		t := automaton.NewTransition[K](h.a, at)
		want := uint32(automaton.Skip)
		if taken < len(way) && t.Has(way[taken]) {
			want = way[taken]
			taken++
		}
		var ok bool
		if state, ok = t.Image(state, want); !ok {
			return nil, nil, nil
		}
		states, moves = append(states, state), append(moves, want)
	}
	if taken < len(way) {
		return nil, nil, nil
	}
	return states, moves, nil
}

// addBefore adds the counts of all states of l below this state to r. It reports whether l has it.
func addBefore[K key.Key](ctx context.Context, r []uint64, l *Level[K], state K) (bool, error) {
	end, found := l.Find(state)
	look := interrupt.Context(ctx)
	for s := range end {
		// The total fits in r, and no count is larger. So further limbs of a count are 0.
		count := l.Count(s)
		limb.Add(r, count[:min(len(r), len(count))])
		if err := look.Look(); err != nil {
			return false, err
		}
	}
	return found, nil
}

// addPasts searches a list for the predecessor with this state and variable, and reports whether
// the list has it. For each predecessor p before it, addPasts adds f times p.pasts to r.
func addPasts[K key.Key](r []uint64, f *factor, list []predecessor[K], state K, variable uint32) bool {
	for _, p := range list {
		if p.state == state && p.variable == variable {
			return true
		}
		f.add(r, p.pasts)
	}
	return false
}
