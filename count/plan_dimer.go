package count

import (
	"context"
	"errors"
)

// The cost of determinants is known exactly once the graph of cells is read. After
// the first levels of a sweep, determinants are used if they cost less than the rest of the sweep:
//
//	8x8 dominoes     the sweep ends after 2,000 states, and the graph is not read
//	16x16 dominoes   after 4,096 states, the rest is expected to take 0.1 s: the graph is read

const (
	// readCost is the cost of reading an option, in seconds.
	readCost = 1.5e-6
	// beginCost is the cost of beginning a sweep, in seconds per item.
	beginCost = 8e-6
	// If a problem has manyItems items or more, the graph is read before a sweep. Determinants are
	// used if they cost less than manyTimes times the cost of beginning a sweep. They are also used
	// if the front of the matrix has 40 cells or more, since a level would have 2^40 states.
	manyItems, manyTimes, wide = 2048, 20, 40
)

// lookForDimers reads the graph of cells, within the given limits. Only the first call reads it. If
// reading fails, the planner continues without determinants, and another engine reports the error.
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

// dimersOrSweep returns the determinants, or nil if a sweep is expected to be faster.
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
	case full: // if pl.dimers is nil, the caller sweeps and gets the same error
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
