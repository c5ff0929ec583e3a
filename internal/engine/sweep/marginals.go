package sweep

import (
	"cmp"
	"context"
	"fmt"
	"math/big"
	"sync"
	"sync/atomic"

	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/engine/key"
	"github.com/pavage/pavage/internal/engine/limb"
)

// Marginals computes the numbers of futures of each level, from the last level back. It keeps the
// numbers of two levels at a time. Each step is made once more, part by part. The states of a part
// are consecutive in the next level, from the first state not below the part's bound Lo. Some parts
// may add to the same states of the level before, so each slab of this level has a lock.

func (h *history[K]) Marginals(ctx context.Context, progress func(float64)) ([]*big.Int, error) {
	sums := make([]*big.Int, len(h.a.Variables))
	for v := range sums {
		sums[v] = new(big.Int)
	}
	last, err := h.last(ctx)
	if err != nil || last == nil {
		return sums, err
	}
	defer func() { h.besides = 0 }()
	w := &wayBack[K]{history: h, sums: sums, workers: make([]backWorker[K], h.c.threads())}
	next, err := w.ends(last.copied())
	if err != nil {
		return nil, err
	}
	err = h.back(ctx, progress, func(at int, t *automaton.Transition[K], in *Level[K]) (err error) {
		next, err = w.futures(ctx, at, t, in.copied(), next)
		return err
	})
	return sums, err
}

type wayBack[K key.Key] struct {
	*history[K]
	sums    []*big.Int // marginal of each variable
	workers []backWorker[K]
	spare   [][]uint64 // counts of an earlier level, to be used again
}

type future[K key.Key] struct {
	level  Level[K]
	limbs  int
	counts [][]uint64
}

func (f *future[K]) bytes() int64 {
	return StateBytes(f.level.n, f.limbs) + f.level.blocks.bytes()
}

func (f *future[K]) of(i uint32) []uint64 {
	at := int(i&slabMask) * f.limbs
	return f.counts[i>>slabBits][at : at+f.limbs]
}

func (h *wayBack[K]) ends(last Level[K]) (*future[K], error) {
	f, err := h.newFuture(h.a.Steps(), last, 1)
	if err == nil {
		for _, slab := range f.counts {
			for i := range slab {
				slab[i] = 1
			}
		}
	}
	return f, err
}

func (h *wayBack[K]) newFuture(at int, l Level[K], limbs int) (*future[K], error) {
	l.counts = nil
	f := &future[K]{level: l, limbs: limbs}
	if err := h.besideLevels(at, f.bytes()); err != nil {
		return nil, err
	}
	for i, lows := range l.lows {
		n := len(lows) * limbs
		if i < len(h.spare) && cap(h.spare[i]) >= n {
			f.counts = append(f.counts, h.spare[i][:n])
			clear(f.counts[i])
		} else {
			f.counts = append(f.counts, make([]uint64, n))
		}
	}
	h.spare = nil
	return f, nil
}

// besideLevels adds bytes to h.besides. If memory is short, it drops the levels above the given
// level, and then every second level below it.
func (h *history[K]) besideLevels(at int, bytes int64) error {
	h.besides += bytes
	for {
		used := h.bytes(h.levels) + h.besides
		if h.c.Memory <= 0 || used <= h.c.Memory {
			h.effort.Bytes = max(h.effort.Bytes, used)
			return nil
		}
		had := len(h.levels)
		h.whole.Store(false)
		h.dropIf(func(_, l int) bool { return l > at })
		if len(h.levels) == had {
			h.dropIf(func(i, l int) bool { return l < at && i%2 == 1 })
		}
		if len(h.levels) == had {
			return fmt.Errorf("%w: the levels of the sweep need %d bytes of memory, but only %d bytes are left", ErrMemory, used, h.c.Memory)
		}
	}
}

type backWorker[K key.Key] struct {
	Worker[K]
	part Part[K]
	sums []uint64 // sums of pasts times futures, indexed by variable of the step
}

func (h *wayBack[K]) futures(ctx context.Context, at int, t *automaton.Transition[K], in Level[K], next *future[K]) (*future[K], error) {
	s, err := NewStep(ctx, *t, &in, Want{Value: h.c.Value, Arcs: true, tests: h.c.tests})
	if err != nil {
		return nil, err
	}
	var sample budget
	chunk := cmp.Or(h.c.chunk, chunkArcs)
	cuts, err := s.cuts(ctx, chunk, &sample)
	if err != nil {
		return nil, err
	}
	from, to := h.a.StepVariables(at)
	widest := 0 // length in bits of the largest number in next
	for _, slab := range next.counts {
		widest = max(widest, limb.BitLength(slab, next.limbs))
	}
	out, err := h.newFuture(at, in, (widest+h.weights.room(from, to, h.a.Moves(at)))/64+1)
	if err != nil {
		return nil, err
	}
	workers := h.workers[:min(len(h.workers), len(cuts))]
	width := in.limbs() + next.limbs + 1 // limbs of a sum in backWorker.sums
	const sorterBytes = 1 << 16
	arcs := int64(min(chunk, in.n*len(s.Streams)))
	worker := int64((to-from)*width)*wordBytes + sorterBytes + arcs*(arcBytes+2*wordBytes)
	if err := h.besideLevels(at, sample.lent+int64(len(workers))*worker); err != nil {
		return nil, err
	}
	var taken atomic.Int64
	locks := make([]sync.Mutex, len(in.lows)) // one for each slab of out
	err = each(len(workers), len(workers), func(k int) error {
		w := &workers[k]
		defer w.Leave()
		w.sums = make([]uint64, (to-from)*width)
		for c := taken.Add(1) - 1; c < int64(len(cuts)); c = taken.Add(1) - 1 {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := s.Part(&w.Worker, cuts[c], &w.part); err != nil {
				return err
			}
			first, locked := 0, -1
			if cuts[c].HasLo {
				first, _ = next.level.Find(cuts[c].Lo)
			}
			for _, a := range w.part.arcs {
				if slab := int(a.source >> slabBits); slab != locked {
					if locked >= 0 {
						locks[locked].Unlock()
					}
					locks[slab].Lock()
					locked = slab
				}
				futures := next.of(uint32(first) + a.child)
				s.weights.of(a.variable).add(out.of(a.source), futures)
				if a.variable != automaton.Skip {
					sum := w.sums[(int(a.variable)-from)*width:][:width]
					limb.AddProduct(sum, in.Count(int(a.source)), futures)
				}
			}
			if locked >= 0 {
				locks[locked].Unlock()
			}
		}
		return nil
	})
	h.besides, h.spare = out.bytes(), next.counts
	if err != nil {
		return nil, err
	}
	for v := from; v < to; v++ {
		for _, w := range workers {
			h.sums[v].Add(h.sums[v], limb.Int(w.sums[(v-from)*width:][:width]))
		}
		h.sums[v].Mul(h.sums[v], h.weights.of(uint32(v)).value)
	}
	return out, nil
}
