package count

import (
	"context"
	"errors"
)

// Determinants in plans. Their cost is exact once the graph of cells is read. They are used if they
// cost less than the rest of a sweep after its first levels.
//
//	dominoes 8x8: 2,000 states, done      16x16: 4,096 states, the rest 0.1 s, so it is read: 0.7 ms

const (
	// readCost is the cost in seconds of reading an option. (100x100 with 19,800 dominoes: 30 ms)
	readCost = 1.5e-6
	// beginCost is the cost in seconds, for each item, of beginning a sweep. (100x100: 80 ms)
	beginCost = 8e-6
	// With at least manyItems items, the graph is read before a sweep. Determinants are used if
	// they cost less than manyTimes the beginning of a sweep (400x400: 10 s), or if their front has
	// at least wide cells, in which case a level of a sweep has 2^40 states.
	manyItems, manyTimes, wide = 2048, 20, 40
)

// lookForDimers reads the graph of cells, once, within left. If this fails, the planner continues
// without determinants, and another engine reports the error.
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

// dimersAtOnce reports whether a large problem is counted by determinants without a sweep.
func (pl *planner) dimersAtOnce(ctx context.Context) bool {
	if len(pl.p.Items) < manyItems {
		return false
	}
	pl.lookForDimers(ctx, pl.o)
	d := pl.dimers
	return d != nil && (d.cost.Width >= wide || d.seconds() < manyTimes*beginCost*float64(len(pl.p.Items)))
}

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

// dimersOrSweep returns the determinants if they are expected to be faster than a sweep, else nil.
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
	case full: // if there are no determinants, the caller's sweep reports the error
		pl.lookForDimers(ctx, pl.o)
		return pl.dimers, nil
	case err != nil || !pl.dimersPay(ctx):
		return nil, err
	}
	return pl.dimers, nil
}

func (pl *planner) byDimers(ctx context.Context, reason string) (*Result, error) {
	pl.because("%s", reason)
	pl.tell(Dimer)
	o := pl.besideSweep()
	o.Progress = pl.work.part(1, Progress{})
	return pl.dimers.count(ctx, o, "states")
}
