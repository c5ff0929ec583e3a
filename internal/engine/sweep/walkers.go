package sweep

import (
	"context"
	"encoding/binary"
	"math/big"
	"slices"

	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/engine/key"
	"github.com/pavage/pavage/internal/engine/limb"
	"github.com/pavage/pavage/internal/kit/interrupt"
)

// A walker goes back along the past with a given rank. Pasts are sorted by their last state, then
// by the last move, then by the predecessor.
//
//	level 8      a:5  b:2            counts of pasts
//	              │╲ ╱
//	level 9       │ c:7              rank 5 of c: ranks 0 to 4 go through a, so
//	                                 rank 5 of c is rank 0 of b
//
// A past of weight w has w ranks. Back along a move of weight w, a walker's rank r becomes r/w.

type walkers[K key.Key] struct {
	width int      // limbs of a rank
	ranks []uint64 // the remaining ranks, lowest limb first
	at    []K      // state of each walker
	paths [][]uint32
	order []int // walkers, sorted by state
}

func newWalkers[K key.Key](ranks []*big.Int, width int) *walkers[K] {
	w := &walkers[K]{
		width: width, ranks: make([]uint64, 0, len(ranks)*width),
		at: make([]K, len(ranks)), paths: make([][]uint32, len(ranks)), order: make([]int, len(ranks)),
	}
	bytes := make([]byte, width*wordBytes)
	for i, r := range ranks {
		w.order[i] = i
		r.FillBytes(bytes)
		for limb := width - 1; limb >= 0; limb-- {
			w.ranks = append(w.ranks, binary.BigEndian.Uint64(bytes[limb*wordBytes:]))
		}
	}
	return w
}

func (h *history[K]) Unrank(ctx context.Context, ranks []*big.Int, progress func(float64)) ([][]uint32, error) {
	if len(ranks) == 0 {
		return nil, nil
	}
	last, err := h.last(ctx)
	if err != nil {
		return nil, err
	}
	w := newWalkers[K](ranks, (h.total.BitLen()+63)/64)
	if err := w.choose(ctx, last); err != nil {
		return nil, err
	}
	err = h.back(ctx, progress, func(_ int, t *automaton.Transition[K], in *Level[K]) error {
		return w.back(ctx, t, in, h.weights)
	})
	return w.paths, err
}

func (w *walkers[K]) rank(i int) []uint64 { return w.ranks[i*w.width : (i+1)*w.width] }

func (w *walkers[K]) choose(ctx context.Context, last *Level[K]) error {
	look := interrupt.Context(ctx)
	for i := range w.at {
		s := 0
		for !w.stops(i, last.Count(s)) {
			s++
			if err := look.Look(); err != nil {
				return err
			}
		}
		w.at[i] = last.Key(s)
	}
	return nil
}

// stops reports whether the rank of walker i is below the number pasts. If not, it subtracts pasts.
func (w *walkers[K]) stops(i int, pasts []uint64) bool { return !limb.Take(w.rank(i), pasts) }

// back moves every walker one step back. It looks up predecessors once for each state.
func (w *walkers[K]) back(ctx context.Context, t *automaton.Transition[K], in *Level[K], f factors) error {
	look := interrupt.Context(ctx)
	slices.SortFunc(w.order, func(i, j int) int { return key.Compare(w.at[i], w.at[j]) })
	var from []predecessor[K]
	var state K
	for n, i := range w.order {
		if err := look.Look(); err != nil {
			return err
		}
		if n == 0 || w.at[i] != state {
			state = w.at[i]
			from = predecessors(from[:0], t, state, in, f)
		}
		k := 0
		for !w.stops(i, from[k].pasts) {
			k++
		}
		limb.Divide(w.rank(i), f.of(from[k].variable).value)
		w.at[i] = from[k].state
		if v := from[k].variable; v != automaton.Skip {
			w.paths[i] = append(w.paths[i], v)
		}
	}
	return nil
}

type predecessor[K key.Key] struct {
	state    K
	variable uint32
	pasts    []uint64 // number of pasts of the state, times the weight of the move
}

func predecessors[K key.Key](all []predecessor[K], t *automaton.Transition[K], state K, in *Level[K], f factors) []predecessor[K] {
	for s := range t.Streams {
		st := &t.Streams[s]
		from, n := st.Origins(state, t.Window)
		for _, p := range from[:n] {
			if i, found := in.Find(p); found {
				all = append(all, predecessor[K]{p, st.Variable, f.of(st.Variable).times(in.Count(i))})
			}
		}
	}
	return all
}
