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

// Levels are a sweep that has kept its levels, as many as there was memory for,
// to be gone back through: each way from its end to its beginning is a
// solution. So it can draw solutions where a diagram of them does not fit.
//
//	level 0      level 1      …      level n-1      level n
//	   ● ◄────────── ● ◄─────────────── ● ◄──────────── ●     rank 2 of 3
//	 (1 past)     (1 past)           (2 pasts)      (3 pasts)
//
// The ways are ordered: by state of the last level, and of one state by the
// ways' last step, the options in the order of the sweep, none last; and so on.
// A way's place in that order is its rank, a number below Count. It is not its
// rank in a diagram, which goes from the beginning to the end.
//
// The sweep takes the order of items that promises fewest states, as Count
// does. What is at a rank depends on that order and the problem, not on memory
// or threads.
//
// Many goroutines may go back through Levels at once. Where levels have to be made
// again they take turns, as they do until the progress is told to its end.
type Levels struct {
	unanswered
	automaton *automaton.Automaton // nil if there is no solution for sure
	history   sweep.History
	variable  []int // of each option in a diagram: in that order solutions are told
	whole     *wholeWeights
	limits    Limits
	bytes     int64 // held once the end was reached
	work      *work
	meter     *meter // of the way to the end

	// free reports that a way back changes nothing: all levels are kept, and no progress is reported
	// any more. Then goroutines go back side by side, each with a weight of 1; otherwise one at a time.
	free atomic.Bool
	gate *semaphore.Weighted
}

// alone is the weight of a goroutine that goes back without others.
const alone = 1 << 30

// forWalkers is the share of the memory that ranks and their ways may take.
const forWalkers = 8

// Remember sweeps to the end and keeps levels within Limits.Memory. Progress goes on in
// the first Unrank, up to half of the work before it; after that nobody is told. Errors
// are those of Count.
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

// forwardShare of the time goes into the way to the end, if levels have to be
// made again; if not, almost all.
const forwardShare = 0.5

// Count implements Set. Levels with weights have no count.
func (h *Levels) Count() *big.Int {
	if h.whole.Weights != nil {
		return nil
	}
	return h.Ranks()
}

// Ranks implements Set.
func (h *Levels) Ranks() *big.Int {
	if h.automaton == nil {
		return new(big.Int)
	}
	return h.history.Total()
}

// Weight implements Set.
func (h *Levels) Weight() *big.Rat { return new(big.Rat).SetFrac(h.Ranks(), h.whole.Scale) }

// Report implements Set: the states made so far, those made again included, and a bound on
// the bytes held at once, but for what Batch is about. It waits for calls that make levels again.
func (h *Levels) Report() *Result {
	r := &Result{Count: h.Count(), Engine: Sweep}
	if h.automaton != nil {
		_ = h.gate.Acquire(context.Background(), 1) // it fails only where the context ends
		defer h.gate.Release(1)
		e := h.history.Effort()
		r.States, r.Bytes = e.States, e.Bytes
	}
	return r
}

// Bytes implements Set.
func (h *Levels) Bytes() int64 { return h.bytes }

// Without implements Set, by other levels.
func (h *Levels) Without(ctx context.Context, options []int) (Sums, error) {
	w, err := h.whole.without(options)
	if err != nil {
		return nil, err
	}
	return remember(ctx, w, Options{Limits: h.limits})
}

const (
	// maxBatch ranks are as good as any number: what a level costs for all of them
	// together is nothing beside what they cost each.
	maxBatch = 1 << 16
	// wholeBatch is that where no level has to be made again. (20x20 dominoes: a rank
	// alone takes 1.1 ms, one of 64 0.19, of 1,024 0.12, of 4,096 0.10.)
	wholeBatch = 1 << 12
	// firstBatch go back together where somebody waits for the first of them.
	firstBatch = 64
)

// Batch implements Set: fewer ranks at first are of use only if all levels are kept.
func (h *Levels) Batch() (first, most int) {
	most = maxBatch
	if h.Whole() {
		most = wholeBatch
	}
	if h.automaton != nil && h.limits.Memory > 0 {
		limbs := h.history.Total().BitLen()/64 + 1
		// A rank as it is given and as it is used up, a state, a place in a row, a
		// slice, and at worst an option a step, in slices that grow by doubling.
		each := 8 * (2*limbs + h.automaton.Words + 10 + h.automaton.Steps())
		most = int(max(1, min(int64(most), h.limits.Memory/forWalkers/int64(each))))
	}
	if h.Whole() {
		return min(most, firstBatch), most
	}
	return most, most
}

// Whole reports whether all levels are kept, so that a way back makes none again.
func (h *Levels) Whole() bool { return h.automaton == nil || h.history.Whole() }

// Unrank implements Set. While the caller has a solution, others may go back.
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

// Rank implements Set.
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

// way is the variables of options, unless one is none.
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

// enter waits until the caller may go back: beside others, or as the only one, which may change what is kept
// and report progress.
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
		leave() // Marginals came between
	}
}

// ways goes back for all ranks.
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

// Marginals implements Set, by a pass back through the levels, which may drop levels.
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

// Settle ends the progress here: whoever was told of it is not told any more. It is to
// be called before others have the Levels.
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

// backward tells the progress of the way back.
func (h *Levels) backward(report func(Progress), share float64) {
	if report == nil {
		return
	}
	p := h.work.shown
	p.Fraction = share
	p.Done = h.history.Effort().States
	report(p)
}

// solution is the options of a way.
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
