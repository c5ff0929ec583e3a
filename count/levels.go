package count

import (
	"context"
	"iter"
	"math/big"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/semaphore"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/engine/sweep"
)

// Levels is a sweep that keeps as many of its levels as fit in memory. Each path from the last
// level back to the first is a solution. Levels need less memory than a diagram.
//
//	level 0      level 1      …      level n-1      level n
//	   ● ◄────────── ● ◄─────────────── ● ◄──────────── ●     rank 2 of 3
//	 (1 past)     (1 past)           (2 pasts)      (3 pasts)
//
// The paths are ordered by their state in the last level. If two paths end in the same state,
// the last step decides: options come in the order of the sweep, then the choice of no option. If
// this step is the same, too, the state before it decides, and so on. The rank of a path is its
// position in this order. A diagram orders the paths from their beginning, so ranks differ.
//
// The solution of a rank depends on the problem and the order of the sweep, not on memory or
// threads. Goroutines may share Levels. They walk back one at a time if levels must be computed
// again or progress is still reported.
type Levels struct {
	unanswered
	automaton *automaton.Automaton // nil if there is certainly no solution
	history   sweep.History
	variable  []int // indexed by option; the options of solutions are sorted by variable
	whole     *wholeWeights
	limits    Limits
	bytes     int64
	work      *work
	meter     *meter

	// If free is set, several goroutines may walk back at once: each acquires weight 1 from gate.
	free atomic.Bool
	gate *semaphore.Weighted
}

// alone is the weight of a walk back during which no other walk may run.
const alone = 1 << 30

// The ranks and paths of a batch may use 1/forWalkers of Limits.Memory.
const forWalkers = 8

// Remember sweeps to the end and keeps levels within Limits.Memory. It reports progress up to
// the fraction 0.5. The first call of Unrank reports the other half. Errors are as in Count.
func Remember(ctx context.Context, p *cover.Problem, o Options) (*Levels, error) {
	if err := p.Check(ctx); err != nil {
		return nil, err
	}
	w, err := makeWhole(p, o.Weights)
	if err != nil {
		return nil, err
	}
	return remember(ctx, w, o)
}

func remember(ctx context.Context, w *wholeWeights, o Options) (*Levels, error) {
	p := w.Problem
	options, err := variables(ctx, p)
	if err != nil {
		return nil, err
	}
	a, err := feasible(ctx, p, false)
	if err != nil {
		return nil, err
	}
	h := &Levels{
		automaton: a, variable: inverse(options, len(p.Options)), whole: w, limits: o.Limits, work: newWork(o.Progress), gate: semaphore.NewWeighted(alone),
	}
	if a == nil {
		return h, nil
	}
	h.meter = newMeter(foreseen(a), h.work.part(forwardShare, Progress{}))
	c := sweep.Config{Threads: o.threads(), Memory: o.Memory - o.Memory/forWalkers, Value: sweep.Weighted(w.of(a.Variables))}
	h.history, err = sweep.Remember(ctx, a, c, func(level int, share float64, states int64) {
		h.meter.goOn(level, states)
		h.meter.within(share)
	})
	if err != nil {
		return nil, err
	}
	h.bytes = h.history.Effort().Bytes
	return h, nil
}

// forwardShare is Progress.Fraction at the end of the sweep, before the first walk back.
const forwardShare = 0.5

// Count returns nil if the options have weights, since only the sum of the weights is known.
func (h *Levels) Count() *big.Int {
	if h.whole.Weights != nil {
		return nil
	}
	return h.Ranks()
}

func (h *Levels) Ranks() *big.Int {
	if h.automaton == nil {
		return new(big.Int)
	}
	return h.history.Total()
}

func (h *Levels) Weight() *big.Rat { return new(big.Rat).SetFrac(h.Ranks(), h.whole.Scale) }

// Report waits until no call computes levels again. Result.States includes the states that were
// computed again. Result.Bytes does not include the memory of batches.
func (h *Levels) Report() *Result {
	r := &Result{Count: h.Count(), Engine: Sweep}
	if h.automaton != nil {
		_ = h.gate.Acquire(context.Background(), 1) // fails only if the context ends
		defer h.gate.Release(1)
		e := h.history.Effort()
		r.States, r.Bytes = e.States, e.Bytes
	}
	return r
}

func (h *Levels) Bytes() int64 { return h.bytes }

// Without sweeps again with weight 0 for the given options.
func (h *Levels) Without(ctx context.Context, options []int) (Sums, error) {
	w, err := h.whole.without(options)
	if err != nil {
		return nil, err
	}
	return remember(ctx, w, Options{Limits: h.limits})
}

const (
	// maxBatch is the largest number of ranks in a batch if levels must be computed again for it.
	maxBatch = 1 << 16
	// wholeBatch is the largest number of ranks in a batch if all levels are kept. For 20x20
	// dominoes, Unrank needs 1.1 ms for one rank, and 0.10 ms for each rank in a batch of 4,096.
	wholeBatch = 1 << 12
	firstBatch = 64
)

// Batch returns first equal to most if levels must be computed again, since this is slow even for
// a small batch.
func (h *Levels) Batch() (first, most int, alone bool) {
	most = maxBatch
	if h.Whole() {
		most = wholeBatch
	}
	if h.automaton != nil && h.limits.Memory > 0 {
		limbs := h.history.Total().BitLen()/64 + 1
		// These are the bytes for one rank: the rank, its remainder, a state, a position in a
		// level, a slice header, and one option for each step (4 bytes, in slices that may be half full).
		each := 8 * (2*limbs + h.automaton.Words + 10 + h.automaton.Steps())
		most = int(max(1, min(int64(most), h.limits.Memory/forWalkers/int64(each))))
	}
	if h.Whole() {
		return min(most, firstBatch), most, false
	}
	return most, most, true
}

// Whole reports whether all levels are kept.
func (h *Levels) Whole() bool { return h.automaton == nil || h.history.Whole() }

// Unrank walks back for all ranks before it yields, so that other goroutines can then walk back.
func (h *Levels) Unrank(ctx context.Context, ranks []*big.Int) iter.Seq2[[]int, error] {
	return func(yield func([]int, error) bool) {
		err := checkRanks(ranks, h.Ranks())
		var ways [][]uint32
		if err == nil && len(ranks) > 0 {
			ways, err = h.ways(ctx, ranks)
		}
		if err != nil {
			yield(nil, err)
			return
		}
		for _, way := range ways {
			if !yield(h.solution(way), nil) {
				return
			}
		}
	}
}

func (h *Levels) Rank(ctx context.Context, options []int) (*big.Int, error) {
	if h.automaton == nil {
		return nil, notMember(options)
	}
	way, ok := h.way(options)
	if !ok {
		return nil, notMember(options)
	}
	leave, _, err := h.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	rank, err := h.history.Rank(ctx, way)
	if err == nil && rank == nil {
		err = notMember(options)
	}
	return rank, err
}

func (h *Levels) way(options []int) (way []uint32, ok bool) {
	of := inverse(h.automaton.Variables, len(h.variable))
	for _, o := range h.whole.withSlack(options) {
		if o < 0 || o >= len(of) || of[o] < 0 {
			return nil, false
		}
		way = append(way, uint32(of[o]))
	}
	return way, true
}

// enter waits until the caller may walk back. A call of leave ends the walk. If the result only
// is true, no other goroutine walks, so the walk may change the kept levels and report progress.
func (h *Levels) enter(ctx context.Context) (leave func(), only bool, err error) {
	for {
		weight := int64(alone)
		if h.free.Load() {
			weight = 1
		}
		if err := h.gate.Acquire(ctx, weight); err != nil {
			return nil, false, err
		}
		leave = func() { h.gate.Release(weight) }
		if weight == alone || h.free.Load() {
			return leave, weight == alone, nil
		}
		leave() // Marginals has set free to false in the meantime
	}
}

func (h *Levels) ways(ctx context.Context, ranks []*big.Int) ([][]uint32, error) {
	leave, only, err := h.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	if !only {
		return h.history.Unrank(ctx, ranks, nil)
	}
	report := h.work.part(1, Progress{Done: h.work.shown.Done})
	ways, err := h.history.Unrank(ctx, ranks, func(share float64) { h.backward(report, share) })
	if err == nil {
		h.settle()
	}
	return ways, err
}

// Marginals visits each level once, from the last to the first. It may drop kept levels.
func (h *Levels) Marginals(ctx context.Context) (*Marginals, error) {
	if h.automaton == nil {
		return h.whole.marginals(h.Ranks(), nil, nil), nil
	}
	if err := h.gate.Acquire(ctx, alone); err != nil {
		return nil, err
	}
	defer h.gate.Release(alone)
	h.free.Store(false)
	report := h.work.part(1, Progress{Done: h.work.shown.Done})
	sums, err := h.history.Marginals(ctx, func(share float64) { h.backward(report, share) })
	if err != nil {
		return nil, err
	}
	h.settle()
	return h.whole.marginals(h.Ranks(), sums, h.automaton.Variables), nil
}

// Settle ends the reports of progress. It must be called before the Levels are shared.
func (h *Levels) Settle() {
	if h.automaton != nil {
		h.settle()
	}
}

func (h *Levels) settle() {
	h.work.finish()
	h.work.to = nil
	h.free.Store(h.Whole())
}

func (h *Levels) backward(report func(Progress), share float64) {
	if report == nil {
		return
	}
	p := h.work.shown
	p.Fraction = share
	p.Done = h.history.Effort().States
	report(p)
}

func (h *Levels) solution(way []uint32) []int {
	options := make([]int, 0, len(way))
	for _, v := range way {
		if o := h.automaton.Variables[v]; o < h.whole.options {
			options = append(options, o)
		}
	}
	slices.SortFunc(options, func(a, b int) int { return h.variable[a] - h.variable[b] })
	return options
}
