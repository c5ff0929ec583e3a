package worker

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"time"

	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/render"
	"github.com/pavage/pavage/server/queue"
	"github.com/pavage/pavage/server/store"
	"github.com/pavage/pavage/tiling"
)

const (
	smallSeconds = 2
	makeWait     = 1500 * time.Millisecond // longest wait for a source, after which a job must draw the tilings
)

var errLarge = errors.New("the process of the service cannot make the source of the tilings now")

// Large is the error of a draw whose source is too large or takes too long to make. After a job for
// Request, the same call of Draw finds the tilings in the store.
type Large struct{ Request job.Request }

func (*Large) Error() string { return errLarge.Error() }

func sourceKey(r *job.Sample) (key store.Key, err error) {
	from := *r
	from.Number, from.Seed, from.Unique, from.Explain = 0, nil, false, false
	key, _, err = job.Key(&from)
	return key, err
}

// Draw draws tilings, and keeps their source for the next call. It writes lines of JSON to
// watch.Output, or calls watch.Begin and watch.Tiling if Output is nil. The time limit l.Time
// includes the time to make the source. If the source is too large, the tilings come from a job:
// Draw sets the seed of r if it is nil, and returns a *Large until the job is done.
func (w *Worker) Draw(ctx context.Context, r *job.Sample, l queue.Limits, watch job.Watch) (*job.Sampled, error) {
	ctx, cancel := job.WithTimeLimit(ctx, l.Time)
	defer cancel()
	from, err := w.source(ctx, r)
	if errors.Is(err, errLarge) {
		if r.Seed == nil {
			key := freshKey()
			r.Seed = new(job.Whole)
			*r.Seed = job.Whole(binary.BigEndian.Uint64(key[:]))
		}
		answer := new(job.Sampled)
		return answer, w.replay(ctx, r, &r.Puzzle, answer, watch)
	}
	if err != nil {
		return nil, err
	}
	if watch.Output != nil {
		lines := job.Lines(watch.Output)
		watch.Begin, watch.Tiling, watch.Lines = lines.Begin, lines.Tiling, lines.Lines
	}
	return from.Draw(ctx, r.Draws(w.sources.most()), watch)
}

func (w *Worker) source(ctx context.Context, r *job.Sample) (*job.Source, error) {
	var key store.Key
	if err := w.reading.read(ctx, r, func() (err error) { key, err = sourceKey(r); return err }); err != nil {
		return nil, err
	}
	waiting, cancel := context.WithTimeoutCause(ctx, w.quick.source, errLarge)
	defer cancel()
	return once(waiting, w, "source "+key.String(), func() (*job.Source, error) {
		if from := w.sources.find(key); from != nil {
			return from, nil
		}
		from, err := w.prepare(key, r)
		if err == nil {
			w.sources.keep(key, from)
		}
		return from, err
	})
}

func (w *Worker) replay(ctx context.Context, r job.Request, p *job.Puzzle, answer any, watch job.Watch) (err error) {
	var key store.Key
	if err := w.reading.read(ctx, r, func() (err error) { key, _, err = keyOf(r); return err }); err != nil {
		return err
	}
	if !w.knows(r.Kind(), key) {
		return &Large{r}
	}
	defer func() {
		if errors.Is(err, store.ErrDamaged) {
			w.damaged.Store(key, true) // so that the next call asks for the job again
		}
	}()
	text, err := w.store.Get(store.Answer, key)
	if err == nil {
		err = json.Unmarshal(text, answer)
	}
	if err != nil {
		return err
	}
	if about, ok := answer.(*job.Sampled); ok && watch.Drawing != nil {
		before := *about
		before.Drawn = 0
		watch.Drawing(&before)
	}
	var tilings *decoder
	if watch.Output == nil { // the caller needs tilings, not lines of JSON: for example, to draw pictures
		puzzle := &tiling.Puzzle{}
		if !p.IsCover() {
			if err := w.Look(ctx, *p, func(of *tiling.Puzzle) error { puzzle = of; return nil }); err != nil {
				return err
			}
		}
		if watch.Begin != nil {
			if err := watch.Begin(puzzle); err != nil {
				return err
			}
		}
		tilings = newDecoder(puzzle)
	}
	file, err := w.store.Open(store.Output, key)
	if err != nil {
		return err
	}
	defer file.Close()
	for lines := bufio.NewReader(file); ; {
		line, err := lines.ReadBytes('\n')
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err == io.EOF && len(line) == 0:
			return nil
		case err != nil:
			return err
		}
		if tilings == nil {
			_, err = watch.Output.Write(line)
		} else if t, e := tilings.tiling(line); e != nil {
			err = e
		} else {
			err = watch.Tiling(t)
		}
		if err != nil {
			return err
		}
	}
}

func (w *Worker) prepare(key store.Key, r *job.Sample) (*job.Source, error) {
	l := w.quick.limits
	l.Memory = w.sources.most()
	leave, ok := w.quick.slot(w.quick.source)
	if !ok {
		return nil, errLarge // no slot is free, so a job must make the source
	}
	defer leave()
	ctx := context.Background() // never ends, since l has the time limit
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
		w.background.Go(func() { w.save(key, from.Save) })
	}
	return from, err
}

func (w *Worker) load(ctx context.Context, key store.Key, r *job.Sample, l job.Limits) *job.Source {
	file, err := w.store.Open(store.Diagram, key)
	if err != nil {
		w.unless(err, store.ErrAbsent, "a diagram of the store cannot be used, it is made again")
		return nil
	}
	defer file.Close()
	from, err := job.LoadSource(ctx, r, file, l)
	if err != nil {
		w.unless(err, context.Canceled, "a diagram of the store cannot be used, it is made again")
		return nil
	}
	return from
}

func (w *Worker) save(key store.Key, to func(io.Writer) error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	err := w.store.Put(ctx, store.Diagram, key, func(out io.Writer) error {
		_, err := safely(w, func() (any, error) { return nil, to(out) })
		return err
	})
	w.unless(err, job.ErrNotSaved, "a diagram could not be kept in the store")
}

func (w *Worker) unless(err, usual error, message string) {
	if err != nil && !errors.Is(err, usual) {
		w.log.Warn().Err(err).Msg(message)
	}
}

// Found is the result of [Worker.Tiling].
type Found struct {
	Puzzle *tiling.Puzzle
	Tiling render.Tiling
	About  *job.Sampled // describes the source of the tiling
}

// Tiling returns the tiling with a rank, see [job.Source.Tiling]. It uses the source of
// [Worker.Draw] if that source has ranks.
func (w *Worker) Tiling(ctx context.Context, p job.Puzzle, c job.Conditions, rank string, l queue.Limits) (*Found, error) {
	ctx, cancel := job.WithTimeLimit(ctx, l.Time)
	defer cancel()
	r := &job.Sample{Puzzle: p, Number: 1, Conditions: c}
	f, err := w.ranked(ctx, r, rank)
	if errors.Is(err, job.ErrNoRank) { // a source that Draw has made may have no ranks
		r.Ranked = true
		return w.ranked(ctx, r, rank)
	}
	return f, err
}

func (w *Worker) ranked(ctx context.Context, r *job.Sample, rank string) (*Found, error) {
	f := new(Found)
	from, err := w.source(ctx, r)
	switch {
	case errors.Is(err, errLarge):
		var answer job.Queried
		err = w.replay(ctx, &job.Query{Puzzle: r.Puzzle, Unrank: []string{rank}, Conditions: r.Conditions}, &r.Puzzle, &answer, job.Watch{
			Begin:  func(of *tiling.Puzzle) error { f.Puzzle = of; return nil },
			Tiling: func(found render.Tiling) error { f.Tiling = found; return nil },
		})
		f.About = &job.Sampled{Count: answer.Count, Method: answer.Method}
	case err == nil:
		f.Puzzle, f.About = from.Puzzle(), from.About()
		f.Tiling, err = from.Tiling(ctx, rank)
	}
	return f, err
}
