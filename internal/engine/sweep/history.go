package sweep

import (
	"cmp"
	"context"
	"errors"
	"math/big"
	"slices"
	"sync/atomic"

	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/engine/key"
)

// A history is a run that keeps its levels. If not all levels fit in memory, some are kept. The way
// back makes a missing level again, from the nearest kept level below it:
//
//	level   0 1 2 3 4 5 6 7 8 9 …            kept, while there is room
//	        0   2   4   6   8   …    n       every second level, if not all fit
//	        0       4       8       12 … n   and so on
//
//	the way back is at level 12: it makes levels 9, 10 and 11 again from level 8
//	and keeps them; if the three do not fit, it keeps 10, and makes 11 from it
//
// If about √n of n levels fit, each level is made twice. Results do not depend on the memory.

// History is a run that has reached its last level. Its methods go back to earlier levels.
type History interface {
	// Total returns the sum of the counts of the last level.
	Total() *big.Int
	// Unrank returns, for each rank, the variables of the way with this rank, in falling order. A
	// rank is at least 0 and below Total; walkers.go describes the order of ways. Unrank fails with
	// ErrMemory or the error of ctx. progress, if not nil, gets the share of the steps that is done.
	Unrank(ctx context.Context, ranks []*big.Int, progress func(share float64)) ([][]uint32, error)
	// Rank returns the rank of the way with these variables, or nil if there is no such way. Rank
	// fails with ErrMemory or the error of ctx.
	Rank(ctx context.Context, way []uint32) (*big.Int, error)
	// Marginals returns, for each variable, the number of ways that use it, or the sum of their
	// weights. If memory is short, Marginals drops levels: then the history is no longer Whole. No
	// other call may run at the same time. Marginals fails with ErrMemory or the error of ctx.
	Marginals(ctx context.Context, progress func(share float64)) ([]*big.Int, error)
	// Whole reports whether all levels are kept. If so, calls of Unrank and Rank may be concurrent.
	Whole() bool
	// Effort returns the effort of Remember and of all calls. Its Bytes exclude ranks and results.
	Effort() Effort
}

// Remember runs to the last level and keeps the levels that fit in memory. If c.Value is nil,
// Remember uses Count. It fails with ErrMemory if the memory is too small for one step. progress,
// if not nil, replaces c.Progress: it gets the present level, the share of the step that is done,
// and the number of states so far.
func Remember(ctx context.Context, a *automaton.Automaton, c Config, progress func(level int, share float64, states int64)) (History, error) {
	c.Keep, c.Disk, c.Progress = keepHistory, "", nil
	if c.Value == nil {
		c.Value = Count{}
	}
	switch a.Words {
	case 1:
		return remember[[1]uint64](ctx, a, c, progress)
	case 2:
		return remember[[2]uint64](ctx, a, c, progress)
	case 3:
		return remember[[3]uint64](ctx, a, c, progress)
	case 4:
		return remember[[4]uint64](ctx, a, c, progress)
	default:
		return remember[[key.MaxWords]uint64](ctx, a, c, progress)
	}
}

type history[K key.Key] struct {
	a       *automaton.Automaton
	c       Config
	levels  []kept[K] // the kept levels, rising; level 0 is always kept
	total   *big.Int
	whole   atomic.Bool // all levels are kept
	effort  Effort
	besides int64 // bytes that Marginals uses in addition to levels

	weights  factors                                      // nil if variables have no weights
	progress func(level int, share float64, states int64) // nil on the way back
}

type kept[K key.Key] struct {
	at    int
	level Level[K]
}

func remember[K key.Key](ctx context.Context, a *automaton.Automaton, c Config, progress func(int, float64, int64)) (*history[K], error) {
	h := &history[K]{a: a, c: c, progress: progress, total: new(big.Int), effort: Effort{States: 1}}
	h.weights, _ = c.Value.(factors)
	h.keep(0, New[K](a, c).in)
	if err := h.reach(ctx, a.Steps()); err != nil {
		return nil, err
	}
	h.progress = nil
	h.whole.Store(len(h.levels) == a.Steps()+1)
	if last := h.levels[len(h.levels)-1]; last.at == a.Steps() {
		h.total = last.level.total()
	}
	return h, nil
}

func (h *history[K]) Total() *big.Int { return new(big.Int).Set(h.total) }
func (h *history[K]) Effort() Effort  { return h.effort }

// Whole returns false also if the run stopped at a level without states, before the last level.
func (h *history[K]) Whole() bool { return h.whole.Load() }

func (h *history[K]) keep(at int, l Level[K]) {
	i, found := h.find(at)
	if !found {
		h.levels = slices.Insert(h.levels, i, kept[K]{at, l})
	}
}

func (h *history[K]) find(at int) (i int, found bool) {
	return slices.BinarySearchFunc(h.levels, at, func(k kept[K], at int) int { return cmp.Compare(k.at, at) })
}

// reach makes a level and keeps it. When memory runs out, it drops other levels and goes on.
func (h *history[K]) reach(ctx context.Context, to int) error {
	i, found := h.find(to)
	if found {
		return nil
	}
	s := span{from: h.levels[i-1].at, to: to, stride: 1}
	for {
		err := h.run(ctx, s)
		if !errors.Is(err, ErrMemory) {
			h.leaveRoom(&s)
			return err
		}
		if !h.makeRoom(&s) {
			return err
		}
	}
}

func (h *history[K]) last(ctx context.Context) (*Level[K], error) {
	if err := h.reach(ctx, h.a.Steps()); err != nil {
		return nil, err
	}
	l := &h.levels[len(h.levels)-1]
	if l.at < h.a.Steps() {
		return nil, nil
	}
	return &l.level, nil
}

// back calls do for each step, the last step first, with the index of the step, its transition
// without moves of weight 0, and the level before the step.
func (h *history[K]) back(ctx context.Context, progress func(share float64), do func(at int, t *automaton.Transition[K], in *Level[K]) error) error {
	for at := h.a.Steps() - 1; at >= 0; at-- {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := h.reach(ctx, at); err != nil {
			return err
		}
		i, _ := h.find(at)
		t := automaton.NewTransition[K](h.a, at)
		t.Streams = allowed(t.Streams, h.weights)
		if err := do(at, &t, &h.levels[i].level); err != nil {
			return err
		}
		if progress != nil {
			progress(1 - float64(at)/float64(h.a.Steps()))
		}
	}
	return nil
}

// span is a range of levels to be made, of which every stride-th is kept.
type span struct{ from, to, stride int }

func (s span) wants(at int) bool { return (at-s.from)%s.stride == 0 || at == s.to }

// run makes the levels of s after the last kept level. If memory runs out, it keeps the newest one.
func (h *history[K]) run(ctx context.Context, s span) error {
	i, _ := h.find(s.to)
	start := h.levels[i-1]
	r := h.resume(start)
	defer h.add(r)
	for r.at < s.to && r.in.n > 0 {
		at := r.at
		in := r.in.copied()
		wanted := at == start.at || s.wants(at)
		r.in.held = wanted
		_, err := r.Step(ctx)
		if wanted || errors.Is(err, ErrMemory) {
			h.keep(at, in)
		}
		if err != nil {
			return err
		}
	}
	h.keep(r.at, r.in.copied())
	return nil
}

func (h *history[K]) resume(k kept[K]) *Sweep[K] {
	r := New[K](h.a, h.c)
	if h.progress != nil {
		r.c.Progress = func(share float64) { h.progress(r.at, share, h.effort.States+r.effort.States-1) }
	}
	r.at, r.in = k.at, k.level.copied()
	r.store.useWords(r.in.words)
	r.store.used.Store(h.bytes(h.levels) + h.besides)
	r.repeats.pass(0, r.at)
	return r
}

func (h *history[K]) add(r *Sweep[K]) {
	e := r.Effort()
	h.effort.States += e.States - 1
	h.effort.Arcs += e.Arcs
	h.effort.Pruned += e.Pruned
	if h.c.Memory > 0 {
		e.Bytes = min(e.Bytes, h.c.Memory) // level 0 is made before there is a limit
	}
	h.effort.Bytes = max(h.effort.Bytes, e.Bytes)
}

func (h *history[K]) bytes(levels []kept[K]) int64 {
	c := newCensus[K]()
	for i := range levels {
		c.add(&levels[i].level)
	}
	return c.bytes
}

// makeRoom drops levels and reports whether it dropped any. It tries first the levels above the
// span, then every second level of the span, then every second level below the span.
func (h *history[K]) makeRoom(s *span) bool {
	had := len(h.levels)
	h.dropIf(func(_, at int) bool { return at > s.to })
	for present := h.levels[len(h.levels)-1].at; len(h.levels) == had && s.stride < s.to-s.from; {
		s.stride *= 2
		h.dropIf(func(_, at int) bool { return at > s.from && at < present && !s.wants(at) })
	}
	if len(h.levels) == had {
		h.dropIf(func(i, at int) bool { return at < s.from && i%2 == 1 })
	}
	return len(h.levels) < had
}

// leaveRoom drops levels above s.from until the others use at most half of the memory that the kept
// levels up to s.from leave free. The other half is for levels that are made again.
func (h *history[K]) leaveRoom(s *span) {
	if s.stride == 1 {
		return
	}
	i, _ := h.find(s.from)
	below := h.bytes(h.levels[:i+1])
	for s.stride < s.to-s.from && h.bytes(h.levels)-below > (h.c.Memory-h.besides-below)/2 {
		s.stride *= 2
		h.dropIf(func(_, at int) bool { return at > s.from && !s.wants(at) })
	}
}

func (h *history[K]) dropIf(drop func(i, at int) bool) {
	rest := h.levels[:0]
	for i, k := range h.levels {
		if !drop(i, k.at) {
			rest = append(rest, k)
		}
	}
	clear(h.levels[len(rest):]) // drops the references to their slabs
	h.levels = rest
}
