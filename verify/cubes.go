package verify

import (
	"context"
	"fmt"
	"sync"
)

// A part is small enough to be walked when it has at most mostOpen open
// options and at most two thirds of what the problem has. gini's tables grow
// with the part, and with what it learns in it; smaller parts learn less, and
// are more to load. Seconds of one thread for all models, of 8x8 with the
// pentominoes and a square (the cross in 6 places of 36) from a sample of
// parts:
//
//	open options     300   500   650   800  1000  1200
//	pentominoes      196   117    99   102    79   194
//
//	open options      45    60    75    90   112
//	dominoes          23    25    21    24    23
const mostOpen = 800

// Limits of what the cuts hold at a time, a list of open options for each:
// half a gigabyte. Dominoes on 8x8 take a dozen cuts.
const (
	maxCuts    = 64
	maxOptions = 1 << 20
)

// cubes cuts the problem up and has the parts walked.
func (e *enumeration) cubes(ctx context.Context) {
	if n := len(e.problem.Options); n > maxOptions {
		e.fail(fmt.Errorf("%w: %d options, at most %d can be cut up", ErrTooLarge, n, maxOptions))
		return
	}
	parts := make(chan *part)
	var crew sync.WaitGroup
	for range max(1, e.options.Threads) {
		crew.Go(func() { e.walkAll(ctx, parts) })
	}
	dead := 0.0
	e.whole.cut(min(mostOpen, len(e.whole.open)*2/3), maxCuts, func(w *part) bool {
		if w.dead {
			dead += w.share
		} else {
			w.share, dead = w.share+dead, 0
			parts <- w
		}
		return !e.stopped.Load()
	})
	close(parts)
	crew.Wait()
}

// walkAll walks parts until there are no more; it takes them all, though the
// run has been stopped.
func (e *enumeration) walkAll(ctx context.Context, parts <-chan *part) {
	t := e.newTally()
	k := &walk{visit: t.model, tick: t.flush, stopped: &e.stopped}
	for w := range parts {
		if e.stopped.Load() {
			continue
		}
		if c, err := w.encode(ctx); err != nil {
			e.fail(err)
		} else {
			k.run(w, c)
		}
		if !e.stopped.Load() {
			t.found.Parts++
			t.share += w.share
		}
		t.flush()
	}
}
