package count

import (
	"context"
	"errors"
)

// Determinants in plans. What they cost is known as soon as the graph of cells is read, so there is
// nothing to race: the first levels of a sweep give a forecast of the rest, and the
// determinants are used if they cost less. Small boards are swept before the graph is read.
//
//	dominoes 8x8: 2,000 states, done      16x16: 4,096 states, the rest 0.1 s, so a look: 0.7 ms

const (
	// readCost is what it takes to read an option into the graph, and to embed it. (100x100: 30 ms
	// for 19,800 dominoes)
	readCost = 1.5e-6
	// beginCost is what an item takes to begin a sweep. (100x100: 80 ms)
	beginCost = 8e-6
	// A problem of so many items has its graph read before a sweep is begun. Determinants are taken
	// that cost no more than manyTimes as much as that, or whose front is so wide that a sweep is out of
	// the question: it would have 2^40 states a level. (400x400 took 10 s to begin a sweep.)
	manyItems, manyTimes, wide = 2048, 20, 40
)

// lookForDimers reads the graph of cells, once, in the memory that is left. What does not come out well is
// as if there were no determinants: other engines then say what is wrong.
func (pl *planner) lookForDimers(ctx context.Context, left Options) {
	if pl.looked || pl.inFirstOrder {
		return
	}
	if pl.looked = true; !pairsCells(pl.p) {
		return
	}
	d, err := readDimers(ctx, pl.p, nil, left)
	if err != nil {
		return
	}
	threads := min(pl.o.threads(), max(1, d.cost.Primes))
	pl.dimers = d
	pl.plan.Dimer = &DimerForecast{d.cost.Primes, d.cost.Products, d.seconds() / float64(threads)}
}

// dimersAtOnce reports that a large problem has determinants which are taken before a sweep is begun.
func (pl *planner) dimersAtOnce(ctx context.Context) bool {
	if len(pl.p.Items) < manyItems {
		return false
	}
	pl.lookForDimers(ctx, pl.o)
	d := pl.dimers
	return d != nil && (d.cost.Width >= wide || d.seconds() < manyTimes*beginCost*float64(len(pl.p.Items)))
}

// dimersPay reports that there are determinants which are expected to be done before the rest of the sweep.
func (pl *planner) dimersPay(ctx context.Context) bool {
	if pl.inFirstOrder || pl.sweep.done() || pl.sweep.states() < pl.firstStates {
		return false
	}
	rest := pl.rest()
	if rest < pl.patience*readCost*float64(len(pl.p.Options)) {
		return false
	}
	pl.lookForDimers(ctx, pl.besideSweep())
	return pl.dimers != nil && pl.dimers.seconds() < rest
}

// dimersOrSweep are the determinants, if they are expected to be done before a sweep; nil if they
// are not. It sweeps the first levels to see that.
func (pl *planner) dimersOrSweep(ctx context.Context) (*dimers, error) {
	if pl.dimersAtOnce(ctx) {
		return pl.dimers, nil
	}
	err := pl.begin(ctx)
	full := errors.Is(err, ErrTooWide)
	if err == nil {
		full, err = pl.sweep.while(ctx, pl.sweep.below(pl.firstStates))
	}
	switch {
	case full: // without determinants, the caller that sweeps has the error
		pl.lookForDimers(ctx, pl.o)
		return pl.dimers, nil
	case err != nil || !pl.dimersPay(ctx):
		return nil, err
	}
	return pl.dimers, nil
}

// byDimers counts by the determinants that were read.
func (pl *planner) byDimers(ctx context.Context, reason string) (*Result, error) {
	pl.because("%s", reason)
	pl.tell(Dimer)
	o := pl.besideSweep()
	o.Progress = pl.work.part(1, Progress{})
	return pl.dimers.count(ctx, o, "states")
}
