package count

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/search"
)

// auto counts by the engine that is expected to be fastest.
func auto(ctx context.Context, p *cover.Problem, o Options) (*Result, error) {
	return newPlanner(p, o, toCount, usual).auto(ctx)
}

func (pl *planner) auto(ctx context.Context) (*Result, error) {
	start := time.Now()
	r, err := pl.race(ctx)
	if err != nil {
		return nil, err
	}
	pl.plan.Seconds = time.Since(start).Seconds()
	if pl.o.Explain {
		err = pl.completeForecasts(ctx)
	}
	r.Plan = pl.present(r.Engine)
	return r, err
}

func (pl *planner) race(ctx context.Context) (*Result, error) {
	err := pl.begin(ctx)
	if errors.Is(err, ErrTooWide) {
		return pl.onlySearch(ctx, err, tooWide)
	}
	if err != nil {
		return nil, err
	}
	if err := pl.lookAtOrders(ctx); err != nil {
		return nil, err
	}
	pays, err := pl.trial(ctx, math.MaxInt64, pl.tellSweep)
	switch {
	case errors.Is(err, ErrMemory):
		return pl.withoutMemory(ctx, err, "the sweep ran out of memory")
	case err != nil:
		return nil, err
	case pays:
		pl.because("it is expected to be done before the rest of the sweep")
		return pl.inTurns(ctx)
	case pl.plan.Search == nil:
		pl.because("it was done before a choice was worth its time")
	default:
		pl.because("it was never expected to take longer than the search")
	}
	return pl.sweep.result(), nil
}

const tooWide = "no order of the items has states of 511 bits or less"

// tellSweep tells that the sweep goes on.
func (pl *planner) tellSweep() {
	if pl.plan.Search == nil {
		pl.because("its first levels tell what the rest will cost")
	} else {
		pl.because("it is not expected to take longer than the search")
	}
	pl.tell(Sweep)
}

// inTurns searches and, if that takes longer than expected, sweeps on for as long,
// and so in turn until one of them is done. A search begins anew in each turn, with
// four times the tries of the one before. So whichever forecast was wrong, it takes
// but a few times as long as the better of them does.
func (pl *planner) inTurns(ctx context.Context) (*Result, error) {
	for turn := pl.firstTurn(pl.rest()); ; turn = max(4*turn, pl.rest()/pl.reach) {
		r, err := pl.searchFor(ctx, pl.tries(turn))
		if !errors.Is(err, search.ErrLimit) {
			return r, err
		}
		pl.because("the search took longer than expected")
		pl.tell(Sweep)
		pl.sweep.tellTo(pl.work)
		r, err = pl.sweepFor(ctx, turn)
		switch {
		case errors.Is(err, ErrMemory):
			return pl.withoutMemory(ctx, err, "the sweep ran out of memory, after a search that took longer than expected")
		case r != nil || err != nil:
			return r, err
		}
		pl.because("search and sweep both take longer than expected, and are tried in turn")
	}
}

// sweepFor sweeps on for some cost, and further as long as the rest is expected to
// cost less than the search's next turn. The result is nil if it is not done then.
func (pl *planner) sweepFor(ctx context.Context, turn float64) (*Result, error) {
	for begun := pl.spent(); !pl.sweep.done(); {
		gone := pl.spent() - begun
		if gone > turn && (pl.rest() > turn || gone > 4*turn) {
			return nil, nil
		}
		if err := pl.sweepLevel(ctx); err != nil {
			return nil, err
		}
	}
	return pl.sweep.result(), nil
}

// withoutMemory goes on with the sweep on disk, or with the search if there is
// no disk or the search is expected to be done before.
func (pl *planner) withoutMemory(ctx context.Context, cause error, reason string) (*Result, error) {
	if pl.disk == "" || pl.plan.Search != nil && pl.cautious() < onDisk*pl.rest() {
		return pl.onlySearch(ctx, cause, reason)
	}
	pl.because("%s: it goes on on disk, for a search is not expected to be done before", reason)
	pl.tell(Sweep)
	pl.space, pl.prober = nil, nil // makes room
	pl.sweep.tellTo(pl.work)
	pl.sweep.run.UseDisk(pl.disk)
	return pl.sweep.finish(ctx)
}

// onDisk is how many times longer a sweep takes on disk.
const onDisk = 3

// onlySearch searches to the end, for the reason that the sweep cannot, unless
// that is hopeless: then the sweep's error stands.
func (pl *planner) onlySearch(ctx context.Context, cause error, reason string) (*Result, error) {
	pl.sweep = nil // and its levels
	pl.because("%s", reason)
	if err := pl.probeLong(ctx); err != nil {
		return nil, err
	}
	if pl.space == nil {
		return nil, cause
	}
	if f := pl.plan.Search; f != nil && f.Seconds > pl.hopeless {
		return nil, fmt.Errorf("%w, and the search would take %.1g years", cause, f.Seconds/(365.25*24*3600))
	}
	return pl.searchFor(ctx, 0)
}

// searchFor searches up to so many tries; 0: to the end.
func (pl *planner) searchFor(ctx context.Context, tries int64) (*Result, error) {
	pl.tell(Search)
	pl.o.Progress = pl.work.part(1, Progress{})
	o := searchOptions(pl.o, States)
	o.Tries = tries
	r, err := pl.space.Count(ctx, o)
	if err != nil {
		return nil, err
	}
	return searchResult(pl.space, r, pl.o), nil
}
