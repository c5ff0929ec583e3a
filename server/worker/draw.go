package worker

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"time"

	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/render"
	"github.com/pavage/pavage/server/child"
	"github.com/pavage/pavage/server/queue"
	"github.com/pavage/pavage/server/store"
	"github.com/pavage/pavage/tiling"
)

const (
	// smallSeconds is the largest forecast of a source that is made in this process.
	smallSeconds = 2
	// makeWait is how long a caller waits for a source that is made in this process. After makeWait
	// a job makes the source.
	makeWait = 1500 * time.Millisecond
)

// errLarge says that a source is too large for this process.
var errLarge = errors.New("the source is too large to be kept by the service itself")

// Large is the error of a draw from a source that is too large to be made while the caller waits,
// and that no child has. A job of the request Source makes the source, and the child of the job
// keeps it.
type Large struct{ Source *job.Sample }

func (*Large) Error() string { return errLarge.Error() }

// sourceOf returns a sample of no tilings from the source of r.
func sourceOf(r *job.Sample) *job.Sample {
	from := *r
	from.Number, from.Seed, from.Unique, from.Explain = 0, nil, false, false
	return &from
}

// makesSource reports whether a job makes a source and draws nothing. Such a job always runs in a
// child, which keeps the source.
func makesSource(r job.Request) bool {
	s, ok := r.(*job.Sample)
	return ok && s.Number == 0
}

// Draw draws tilings from a source that is kept for the next call, or returns a *Large. If
// Watch.Output is not nil, Draw writes the tilings to it as lines of JSON. Otherwise Draw calls
// Watch.Begin, then Watch.Tiling with each tiling. A slow watch slows only its own draw. The
// caller's time limit holds for the source and the draw together.
func (w *Worker) Draw(ctx context.Context, r *job.Sample, l queue.Limits, watch job.Watch) (answer *job.Sampled, err error) {
	if l.Time > 0 {
		limited, cancel := job.WithTimeLimit(ctx, l.Time)
		defer cancel()
		ctx = limited
	}
	err = w.using(ctx, r, func(key store.Key) error {
		answer, err = w.drawIn(ctx, key, r, "", watch)
		return err
	}, func(from *job.Source) error {
		if watch.Output != nil {
			lines := job.Lines(watch.Output)
			watch.Begin, watch.Tiling = lines.Begin, lines.Tiling
			watch.Brief = lines.Brief
		}
		answer, err = from.Draw(ctx, r.Draws(w.sources.most()), watch)
		return err
	})
	return answer, err
}

// using calls kept with the key of the source of a sample if a child has the source, else here with
// the source.
func (w *Worker) using(ctx context.Context, r *job.Sample, kept func(store.Key) error, here func(*job.Source) error) error {
	key, _, err := w.read(ctx, r, func() (store.Key, bool, error) { return job.Key(sourceOf(r)) })
	if err != nil {
		return err
	}
	if w.children.has(key) {
		err = kept(key)
	} else {
		waiting, cancel := context.WithTimeoutCause(ctx, w.quick.source, errLarge)
		defer cancel()
		var from *job.Source
		from, err = w.sources.get(waiting, key, func(ctx context.Context) (*job.Source, error) {
			return safely(w, func() (*job.Source, error) { return w.prepare(ctx, key, r) })
		})
		if err == nil {
			return here(from)
		}
	}
	if errors.Is(err, errLarge) {
		return &Large{sourceOf(r)}
	}
	return err
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
	if f := w.predict(ctx, r); f.Bytes > l.Memory || f.Seconds > smallSeconds {
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
	err := w.store.Put(ctx, store.Diagram, key, func(out io.Writer) error {
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

// drawIn draws in the child that has the source, in portions. The watch gets the tilings of a
// portion while the child makes portions of other draws, so a slow watch blocks no other draw. With
// a rank, drawIn finds the tiling with this rank instead.
func (w *Worker) drawIn(ctx context.Context, key store.Key, r *job.Sample, rank string, watch job.Watch) (answer *job.Sampled, err error) {
	take, err := taker(r, watch)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	t := child.Task{Kind: "sample", Request: text, Source: key.String(), Rank: rank}
	if rank == "" {
		t.Draw = w.children.draws.Add(1)
	}
	var in *keptChild
	defer func() {
		if in != nil && answer == nil && t.Draw != 0 {
			w.children.mu.Lock()
			defer w.children.mu.Unlock()
			in.over = append(in.over, t.Draw)
		}
	}()
	for {
		var lines bytes.Buffer
		k, done, err := w.children.take(ctx, key, in)
		if in != nil && errors.Is(err, errLarge) {
			err = errSlow
		}
		if err != nil {
			return nil, err
		}
		in = k
		t.Limits, t.Over = w.childLimits(k.memory, max(1, w.limits.Threads/2)), w.children.taken(k)
		text, err := k.Run(ctx, t, child.Sink{
			Progress: watch.Progress, Plan: watch.Plan, Note: watch.Note,
			Drawing: watch.Drawing, Output: &lines,
			Tilings: func(b []byte) error { _, err := lines.Write(b); return err },
		})
		done(err)
		if err == nil && lines.Len() > 0 {
			err = take(lines.Bytes())
		}
		if len(text) > 0 {
			err = errors.Join(err, json.Unmarshal(text, &answer))
		}
		if err != nil || answer != nil || rank != "" {
			return answer, err
		}
	}
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
	found, err := w.ranked(ctx, r, rank)
	if errors.Is(err, job.ErrNoRank) { // draws need none, and are made by coupling
		r.Ranked = true
		return w.ranked(ctx, r, rank)
	}
	return found, err
}

// ranked is Tiling in the source of a sample. A child with an empty rank would draw.
func (w *Worker) ranked(ctx context.Context, r *job.Sample, rank string) (*Found, error) {
	f := new(Found)
	err := w.using(ctx, r, func(key store.Key) error {
		_, err := w.drawIn(ctx, key, r, cmp.Or(rank, noRank), job.Watch{
			Begin:   func(of *tiling.Puzzle) error { f.Puzzle = of; return nil },
			Tiling:  func(found render.Tiling) error { f.Tiling = found; return nil },
			Drawing: func(about *job.Sampled) { f.About = about },
		})
		return err
	}, func(from *job.Source) (err error) {
		f.Puzzle, f.About = from.Puzzle(), from.About()
		f.Tiling, err = from.Tiling(ctx, rank)
		return err
	})
	return f, err
}

// noRank is refused as a rank.
const noRank = " "
