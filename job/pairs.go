package job

import (
	"context"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/internal/kit/limit"
	"github.com/pavage/pavage/sample"
	"github.com/pavage/pavage/tiling"
)

// paired reports whether tilings may be drawn as matchings, without a cover.
func (r *Sample) paired() bool {
	return (r.method() == sample.Auto || r.method().Matches()) && r.Distinct == "" && !r.Ranked && !r.Grow && !r.Tree &&
		len(r.Weights) == 0 && r.Conditions.IsEmpty() && r.Puzzle.inside() == &r.Puzzle
}

// pairs returns the model without placements. The Pairs are nil if tilings are not matchings.
func (r *Sample) pairs(ctx context.Context, w *work) (*tiling.Model, *tiling.Pairs, error) {
	w.cells = tiling.CellLimit{Most: tiling.MaxPairedCells, Memory: w.limits.Memory}
	m, err := w.unplaced(ctx, &r.Puzzle)
	if err != nil || m.IsAbstract() {
		return m, nil, err
	}
	pairs := tiling.NewPairs(m.Puzzle)
	if cells := len(m.Puzzle.Board.Cells); pairs == nil && cells > tiling.MaxCells {
		return nil, nil, bad("the board has %d cells, but only a flat board with any number of dominoes or lozenges, and without other rules, may have over %d cells", cells, tiling.MaxCells)
	}
	return m, pairs, nil
}

// preparePairs returns a source that draws matchings, or nil if the request needs a cover. It also
// returns nil if matchings cannot be drawn, but the board is small enough for a cover. The caller
// then tries a cover, and gets an error with the reason.
func (r *Sample) preparePairs(ctx context.Context, w *work) (*Source, error) {
	if !r.paired() {
		return nil, nil
	}
	waits := w.placing.begin(&r.Puzzle, &r.Conditions)
	defer func() {
		if waits {
			w.placing.begun.Store(false)
		}
	}()
	m, pairs, err := r.pairs(ctx, w)
	if pairs == nil {
		return nil, err
	}
	large := len(pairs.Places) > tiling.MaxCells
	o := w.options(Compiling)
	o.Memory = limit.Left(o.Memory, pairs.Bytes())
	from, err := sample.FromPairs(ctx, pairs.Places, pairs.Ends, r.method(), o)
	switch failed := err != nil || from == nil || from.Check() != nil; {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case failed && !large:
		return nil, nil
	case err != nil:
		return nil, r.aboutDraws(err)
	case from == nil:
		return nil, bad("the board has %d cells, but only a connected board wider than 16 cells, in which each cell has at least two neighbours, may have over %d cells", len(pairs.Places), tiling.MaxCells)
	}
	if waits {
		waits = false
		w.placing.model <- m
	}
	return &Source{m, pairs, pairs.Bytes(), nil, from, r.about(w, m, from, true), r.asked(), false, false}, nil
}

func (r *Sample) predictPairs(ctx context.Context, w *work) (f Forecast, paired bool) {
	if !r.paired() {
		return f, false
	}
	_, pairs, err := r.pairs(ctx, w)
	if pairs == nil || err != nil || pairs.Bytes() > w.limits.Memory {
		return f, false
	}
	p, err := count.ReadPairs(ctx, pairs.Places, pairs.Ends, count.Options{})
	auto := r.method() == sample.Auto
	if p == nil || err != nil || auto && !p.Preferred() {
		return f, false
	}
	method := count.DrawMethod(r.method())
	if auto {
		method = count.Fastest
	}
	by := p.Forecast(ctx, method)
	if by == nil {
		return f, false
	}
	n, bytes := float64(r.Number), pairs.Bytes()+by.Bytes
	return Forecast{Seconds: by.Seconds(n) + drawSeconds*n, Bytes: bytes, Least: bytes, Known: by.Known}, true
}
