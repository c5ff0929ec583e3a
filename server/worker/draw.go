package worker

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"

	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/render"
	"github.com/pavage/pavage/server/child"
	"github.com/pavage/pavage/server/queue"
	"github.com/pavage/pavage/server/store"
	"github.com/pavage/pavage/tiling"
)

// smallSeconds is the largest forecast of a source that is made in this process.
const smallSeconds = 2

// errLarge says that a source is too large for this process.
var errLarge = errors.New("the source is too large to be kept by the service itself")

// Draw draws tilings from a source that is kept for the next call. If Watch.Output is
// not nil, it takes the tilings as lines of JSON. If it is nil, Watch.Begin is called
// and then Watch.Tiling takes them. A slow watch slows the draw. The caller's limits of
// memory and time hold for the source and the draw.
func (w *Worker) Draw(ctx context.Context, r *job.Sample, l queue.Limits, watch job.Watch) (*job.Sampled, error) {
	if l.Time > 0 {
		limited, cancel := job.WithTimeLimit(ctx, l.Time)
		defer cancel()
		ctx = limited
	}
	key, err := w.sourceKey(ctx, r)
	if err != nil {
		return nil, err
	}
	if w.children.has(key) {
		return w.drawLarge(ctx, key, r, "", l, watch)
	}
	from, err := w.source(ctx, key, r)
	switch {
	case errors.Is(err, errLarge):
		return w.drawLarge(ctx, key, r, "", l, watch)
	case err != nil:
		return nil, err
	}
	return from.Draw(ctx, r.Draws(w.sources.most()), inLines(watch))
}

// sourceKey returns the same key for samples that are drawn from the same source.
func (w *Worker) sourceKey(ctx context.Context, r *job.Sample) (store.Key, error) {
	from := *r
	from.Number, from.Seed, from.Unique, from.Explain = 0, new(job.Whole), false, false
	key, _, err := w.read(ctx, r, func() (store.Key, bool, error) {
		key, shared, err := job.Key(&from)
		return key, shared, err
	})
	return key, err
}

// inLines returns a watch that writes the tilings as lines to w.Output, if there is
// one.
func inLines(w job.Watch) job.Watch {
	if w.Output != nil {
		lines := job.Lines(w.Output)
		w.Begin, w.Tiling, w.Brief = lines.Begin, lines.Tiling, lines.Brief
	}
	return w
}

// source is the source of a sample, in this process.
func (w *Worker) source(ctx context.Context, key store.Key, r *job.Sample) (*job.Source, error) {
	return w.sources.get(ctx, key, func(ctx context.Context) (*job.Source, error) {
		return safely(w, func() (*job.Source, error) { return w.prepare(ctx, key, r) })
	})
}

// prepare makes a source, if it is small, or loads it from the store.
func (w *Worker) prepare(ctx context.Context, key store.Key, r *job.Sample) (*job.Source, error) {
	l := w.quick.limits
	l.Memory = w.sources.most()
	leave, err := w.quick.seat(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	if from := w.load(ctx, key, r, l); from != nil {
		return from, nil
	}
	if f := w.predict(ctx, r); f.Bytes > l.Memory || f.Known && f.Seconds > smallSeconds {
		return nil, errLarge
	}
	from, err := r.Prepare(ctx, l, job.Watch{Progress: counted(w.observer, r.Kind())})
	if job.KindOf(err) == job.Limit {
		return nil, errLarge
	}
	if err == nil {
		w.background.Go(func() { w.save(key, from) })
	}
	return from, err
}

// load reads a source from the store; nil if there is none that can be used.
func (w *Worker) load(ctx context.Context, key store.Key, r *job.Sample, l job.Limits) *job.Source {
	file, err := w.store.Open(store.Diagram, key)
	if err != nil {
		w.unless(err, store.ErrAbsent, "a diagram of the store cannot be used, it is made anew")
		return nil
	}
	defer file.Close()
	from, err := job.LoadSource(ctx, r, file, l)
	if err != nil {
		w.unless(err, context.Canceled, "a diagram of the store cannot be used, it is made anew")
		return nil
	}
	return from
}

// save writes a source to the store, if that can be done with this source.
func (w *Worker) save(key store.Key, from *job.Source) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	_, err := w.store.Put(ctx, store.Diagram, key, func(out io.Writer) error {
		_, err := safely(w, func() (any, error) { return nil, from.Save(out) })
		return err
	})
	w.unless(err, job.ErrNotSaved, "a diagram could not be kept in the store")
}

// unless logs an error that differs from the usual one.
func (w *Worker) unless(err, usual error, message string) {
	if err != nil && !errors.Is(err, usual) {
		w.log.Warn().Err(err).Msg(message)
	}
}

// drawLarge draws in a child that is kept. If the memory is too small for the source, it
// tries again with the most that one child can have.
// With a rank it draws nothing: it looks for the tiling with that rank.
func (w *Worker) drawLarge(ctx context.Context, key store.Key, r *job.Sample, rank string, l queue.Limits, watch job.Watch) (*job.Sampled, error) {
	take, err := taker(r, watch)
	if err != nil {
		return nil, err
	}
	most := w.budget.pools[queue.Long].most()
	if l.Memory > 0 {
		most = min(most, l.Memory)
	}
	memory := shareOf(w.glance(ctx, r), most/2, most, 0)
	begun := false
	answer, err := w.drawIn(ctx, key, memory, r, rank, watch, func(lines []byte) error {
		begun = true
		return take(lines)
	})
	if errors.Is(err, job.ErrMemory) && memory < most && !begun {
		answer, err = w.drawIn(ctx, key, most, r, rank, watch, take)
	}
	return answer, err
}

// drawIn draws in a child that has the source. A new child gets this much memory to
// make it.
func (w *Worker) drawIn(ctx context.Context, key store.Key, memory int64, r *job.Sample, rank string, watch job.Watch, take func([]byte) error) (answer *job.Sampled, err error) {
	text, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	c, done, err := w.children.take(ctx, key, memory)
	if err != nil {
		return nil, err
	}
	defer func() { done(err) }()
	t := child.Task{Kind: job.SampleKind, Request: text, Rank: rank, Limits: w.childLimits(c.memory, max(1, w.limits.Threads/2))}
	text, err = c.Run(ctx, t, child.Sink{
		Progress: watch.Progress, Plan: watch.Plan, Note: watch.Note, Drawing: watch.Drawing, Tilings: take,
	})
	if len(text) > 0 {
		if e := json.Unmarshal(text, &answer); e != nil {
			return nil, errors.Join(err, e)
		}
	}
	return answer, err
}

// Found is a tiling that was looked for.
type Found struct {
	Puzzle *tiling.Puzzle
	Tiling render.Tiling
	About  *job.Sampled // what it was found in
}

// Tiling is the tiling with this rank, as [job.Source.Tiling] reads it, among those that keep
// the conditions. The order is that of the source that [Worker.Draw] draws from, and the limits
// are the same.
func (w *Worker) Tiling(ctx context.Context, p job.Puzzle, c job.Conditions, rank string, l queue.Limits) (*Found, error) {
	if l.Time > 0 {
		limited, cancel := job.WithTimeLimit(ctx, l.Time)
		defer cancel()
		ctx = limited
	}
	r := &job.Sample{Puzzle: p, Number: 1, Conditions: c}
	found, err := w.ranked(ctx, r, rank, l)
	if errors.Is(err, job.ErrNoRank) { // draws need none, and are made by coupling
		r.Ranked = true
		return w.ranked(ctx, r, rank, l)
	}
	return found, err
}

// ranked is Tiling in the source of a sample.
func (w *Worker) ranked(ctx context.Context, r *job.Sample, rank string, l queue.Limits) (*Found, error) {
	key, err := w.sourceKey(ctx, r)
	if err != nil {
		return nil, err
	}
	if w.children.has(key) {
		return w.findLarge(ctx, key, r, rank, l)
	}
	from, err := w.source(ctx, key, r)
	switch {
	case errors.Is(err, errLarge):
		return w.findLarge(ctx, key, r, rank, l)
	case err != nil:
		return nil, err
	}
	t, err := from.Tiling(ctx, rank)
	return &Found{from.Puzzle(), t, from.About()}, err
}

// findLarge is Tiling of a source that is kept in a child. No rank at all would draw.
func (w *Worker) findLarge(ctx context.Context, key store.Key, r *job.Sample, rank string, l queue.Limits) (*Found, error) {
	f := new(Found)
	_, err := w.drawLarge(ctx, key, r, cmp.Or(rank, noRank), l, job.Watch{
		Begin:   func(of *tiling.Puzzle) error { f.Puzzle = of; return nil },
		Tiling:  func(found render.Tiling) error { f.Tiling = found; return nil },
		Drawing: func(about *job.Sampled) { f.About = about },
	})
	return f, err
}

// noRank is refused as a rank.
const noRank = " "
