package verify

import (
	"context"
	"fmt"
	"sync"

	"github.com/pavage/pavage/internal/kit/interrupt"
)

// A part is walked when it has at most mostOpen open options, and at most two thirds of
// the options of the problem. In larger parts the tables of gini are larger, and it collects
// more clauses. Smaller parts are more of them to load, and gini learns less in each. Seconds
// of one thread for all models, for 8x8 with the pentominoes and a square (the cross in 6
// places of 36) from a sample of parts:
//
//	open options     300   500   650   800  1000  1200
//	pentominoes      196   117    99   102    79   194
//
//	open options      45    60    75    90   112
//	dominoes          23    25    21    24    23
const mostOpen = 800

// Each cut holds a list of open options. With these limits all of them take half a gigabyte
// at most. Dominoes on 8x8 need a dozen cuts.
const (
	maxCuts    = 64
	maxOptions = 1 << 20
)

// cubes cuts the problem into parts, which several goroutines walk.
func (e *enumeration) cubes(ctx context.Context) {
	if n := len(e.problem.Options); n > maxOptions {
		e.fail(fmt.Errorf("%w: %d options, at most %d can be cut up", ErrTooLarge, n, maxOptions))
		return
	}
	parts, threads := make(chan *part), max(1, e.options.Threads)
	lists, each := shares(e.options.Memory, threads)
	var workers sync.WaitGroup
	for range threads {
		workers.Go(func() { e.walkAll(ctx, parts, each) })
	}
	dead := 0.0
	c := cutter{most: min(mostOpen, len(e.whole.open)*2/3), memory: lists, looks: interrupt.Context(ctx)}
	c.leaf = func(w *part) bool {
		if w.dead {
			dead += w.share
		} else {
			w.share, dead = w.share+dead, 0
			parts <- w
		}
		return !e.stopped.Load()
	}
	if !c.cut(e.whole, maxCuts) {
		e.stopped.Store(true)
	}
	close(parts)
	workers.Wait()
}

// shares divides the memory, 0 for no limit: a quarter is for the lists of the cuts, and of
// the rest each thread gets as much for the formula and the solver of its part.
func shares(memory int64, threads int) (lists, each int64) {
	if memory <= 0 {
		return 0, 0
	}
	lists = max(1, memory/4)
	return lists, max(1, (memory-lists)/int64(threads))
}

// walkAll walks parts until there are no more. When the run has been stopped it still takes
// the parts, without walking them: somebody may be waiting to hand one over. The formula of a
// part and its solver take at most so many bytes, 0 for no limit.
func (e *enumeration) walkAll(ctx context.Context, parts <-chan *part, memory int64) {
	k := &walk{tally: e.newTally()}
	for w := range parts {
		if e.stopped.Load() {
			continue
		}
		k.solver = nil // its memory is for the next one
		if s, err := w.load(ctx, memory); err != nil {
			e.fail(err)
		} else {
			k.run(w, s)
		}
		if !e.stopped.Load() {
			k.found.Parts++
			k.share += w.share
		}
		k.flush()
	}
}
