package count

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/search"
)

func (pl *planner) auto(ctx context.Context) (*Result, error) {
	start := time.Now()
	defer pl.endHunt()
	r, err := pl.race(ctx)
	if err != nil {
		return nil, err
	}
	pl.plan.Seconds = time.Since(start).Seconds()
	r.Plan = pl.present(r.Engine)
	return r, nil
}

func (pl *planner) race(ctx context.Context) (*Result, error) {
	if r, err := pl.atOnce(ctx); r != nil || err != nil {
		return r, err
	}
	if pl.dimersAtOnce(ctx) {
		return pl.byDimers(ctx, "a sweep of this number of cells is rarely faster")
	}
	err := pl.begin(ctx)
	if errors.Is(err, ErrTooWide) {
		return pl.withoutSweep(ctx, err, tooWide)
	}
	if err != nil {
		return nil, err
	}
	engine, err := pl.trial(ctx, math.MaxInt64, pl.tellSweep)
	switch {
	case errors.Is(err, cover.ErrMemory):
		return pl.withoutMemory(ctx, err, "the sweep ran out of memory")
	case err != nil:
		return nil, err
	case engine == Dimer:
		return pl.byDimers(ctx, "determinants are expected to be done before the rest of the sweep")
	case engine == Search:
		pl.because("a search is expected to be done before the rest of the sweep")
		if pl.search.over {
			pl.because("the search was done while the planner tried both engines")
		}
		return pl.inTurns(ctx)
	case pl.plan.Search == nil:
		pl.because("the sweep ended before a comparison of engines was worth the time")
	case pl.search.promised:
		pl.because("the sweep ended before the forecast of the search was certain enough for a change")
	default:
		pl.because("the rest of the sweep was never expected to be slower than a search")
	}
	return pl.sweep.result(), nil
}

// atOnce counts by a search, before any level is swept, if every piece is used once and probes
// predict a short search. Otherwise, or if the search turns out to be longer, it returns nil.
func (pl *planner) atOnce(ctx context.Context) (*Result, error) {
	if pl.probeCost() > pl.first || !search.IsOfSingles(pl.p) {
		return nil, nil
	}
	if err := pl.probe(ctx, pl.fewProbes, 0); err != nil || pl.plan.Search == nil || pl.plan.Search.cost > byFar*pl.first {
		return nil, err
	}
	if pl.cautious() > pl.short {
		if err := pl.probe(ctx, pl.manyProbes, pl.first/aheadShare); err != nil || pl.cautious() > pl.short {
			return nil, err
		}
	}
	pl.because("the search is expected to be so short that no sweep is tried")
	pl.tellHunt()
	r, err := pl.searchFor((*search.Hunt).Run, ctx, pl.tries(min(pl.overrun, 2)*pl.short))
	if errors.Is(err, search.ErrLimit) {
		return nil, nil
	}
	return r, err
}

const tooWide = "no order of the items has states of 511 bits or less"

func (pl *planner) tellSweep() {
	switch {
	case pl.plan.Search == nil:
		pl.because("the first levels of the sweep predict the cost of the other levels")
	case pl.ofSearch() < pl.rest():
		pl.because("a search may be faster, but the forecast of the search is too uncertain")
	default:
		pl.because("the rest of the sweep is not expected to be slower than a search")
	}
	pl.tell(Sweep)
}

// inTurns runs search and sweep in turn. Each continues while it is expected to finish first.
func (pl *planner) inTurns(ctx context.Context) (*Result, error) {
	for {
		r, err := pl.huntOn(ctx)
		if r != nil || err != nil {
			return r, err
		}
		pl.because("the rest of the sweep is expected to be faster than the rest of the search")
		pl.tell(Sweep)
		pl.sweep.tellTo(pl.work)
		r, err = pl.sweepOn(ctx)
		switch {
		case errors.Is(err, cover.ErrMemory):
			return pl.withoutMemory(ctx, err, "the sweep ran out of memory, after a search that was slower than expected")
		case r != nil || err != nil:
			return r, err
		}
		pl.because("both search and sweep are slower than expected, so they work in turn")
	}
}

// huntOn continues the search. It returns nil if the rest of the search is expected to cost more
// than the rest of the sweep. It compares the two when the search has cost as much as was forecast,
// and again whenever the cost has grown by a quarter.
func (pl *planner) huntOn(ctx context.Context) (*Result, error) {
	pl.tellHunt()
	for upTo := max(pl.turn, pl.plan.Search.cost, pl.search.hunted); ; upTo = pl.search.hunted + max(pl.turn, pl.search.hunted/4) {
		r, err := pl.searchFor((*search.Hunt).Run, ctx, pl.tries(upTo))
		if !errors.Is(err, search.ErrLimit) {
			return r, err
		}
		if pl.ofSearch() > pl.rest() {
			return nil, nil
		}
	}
}

// sweepOn continues the sweep. It returns nil if the rest of the sweep is expected to cost more
// than the rest of the search.
func (pl *planner) sweepOn(ctx context.Context) (*Result, error) {
	for begun := pl.sweep.cost(); !pl.sweep.done(); {
		if gone := pl.sweep.cost() - begun; gone > max(pl.turn, pl.search.hunted/4) && pl.rest() > pl.ofSearch() {
			return nil, nil
		}
		if err := pl.step(ctx); err != nil {
			return nil, err
		}
	}
	return pl.sweep.result(), nil
}

func (pl *planner) withoutSweep(ctx context.Context, cause error, reason string) (*Result, error) {
	pl.sweep = nil
	if pl.lookForDimers(ctx, pl.o); pl.dimers != nil {
		return pl.byDimers(ctx, reason)
	}
	return pl.onlySearch(ctx, cause, reason)
}

// withoutMemory continues the sweep on disk. It gives up the sweep if there is no disk, if
// determinants can count, or if the search is expected to be faster than a sweep on disk.
func (pl *planner) withoutMemory(ctx context.Context, cause error, reason string) (*Result, error) {
	pl.looked = pl.dimers != nil // if the graph did not fit beside the sweep, read it again
	if pl.lookForDimers(ctx, pl.o); pl.disk == "" || pl.dimers != nil || pl.plan.Search != nil && pl.cautious() < onDisk*pl.rest() {
		return pl.withoutSweep(ctx, cause, reason)
	}
	pl.because("%s; the sweep continues on disk, because a search may take longer", reason)
	pl.tell(Sweep)
	pl.endHunt()
	pl.search.space, pl.search.prober = nil, nil // release the memory of the search
	pl.sweep.tellTo(pl.work)
	pl.sweep.run.UseDisk(pl.disk)
	return pl.sweep.finish(ctx)
}

// onDisk is the assumed time of a sweep on disk divided by the time of a sweep in memory.
const onDisk = 3

// onlySearch searches to the end. If this is hopeless, it returns the sweep's error, cause.
func (pl *planner) onlySearch(ctx context.Context, cause error, reason string) (*Result, error) {
	pl.sweep = nil
	pl.because("%s", reason)
	if err := pl.probeLong(ctx); err != nil {
		return nil, err
	}
	if pl.search.space == nil {
		return nil, cause
	}
	if f := pl.plan.Search; f != nil && f.cost > pl.hopeless { // the memo can shorten the search
		if err := pl.tryFor(ctx, lastTrial); err != nil {
			return nil, err
		}
	}
	if f := pl.plan.Search; f != nil && f.cost > pl.hopeless && !pl.search.over {
		return nil, fmt.Errorf("%w, and the search would run for %.1g years",
			cause, f.Seconds/(365.25*24*3600))
	}
	pl.tellHunt()
	return pl.searchFor((*search.Hunt).Run, ctx, 0)
}

// lastTrial is the cost of the trial of a search that the probes predict to be hopeless.
const lastTrial = 0.1

func (pl *planner) tellHunt() {
	pl.tell(Search)
	pl.search.report = pl.work.part(1, pl.search.shown)
}

// searchFor begins or continues the hunt. It stops when the hunt has made the given number of tries
// in all, or runs to the end if the number is 0.
func (pl *planner) searchFor(run func(*search.Hunt, int64) (search.Result, error), ctx context.Context, tries int64) (*Result, error) {
	if pl.search.hunt == nil {
		o := searchOptions(pl.besideOthers(), "states")
		pl.search.hunt = pl.search.space.Hunt(ctx, o, nil)
	}
	r, err := run(pl.search.hunt, tries)
	pl.search.over = err == nil
	pl.search.spent(r)
	pl.foresee()
	if err != nil {
		return nil, err
	}
	return searchResult(pl.search.space, r, pl.o), nil
}

func (pl *planner) besideOthers() Options {
	o := pl.o
	o.Progress = nil
	if pl.work.to != nil {
		o.Progress = func(p Progress) {
			pl.search.shown = p
			if pl.search.report != nil { // it is nil before the first turn of the search
				pl.search.report(p)
			}
		}
	}
	return o
}

func (pl *planner) endHunt() {
	if pl.search.hunt != nil {
		pl.search.hunt.End()
		pl.search.hunt = nil
	}
}
