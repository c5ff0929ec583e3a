package child

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/pavage/pavage/job"
)

// worker does tasks in this process, one at a time.
type worker struct {
	// source is the source of the last task, if that was a sample, or nil. It takes memory
	// of the task's share, so a task that does not draw from it closes it first.
	source *job.Source
	key    string // the key of source
}

// do does a task, and sends its end. It returns an error if it cannot send: then the
// parent is gone.
func (w *worker) do(a *assigned, s *sender) error {
	defer a.cancel()
	answer, err := w.patiently(a, s)
	if err == nil {
		return s.tell(theEnd, nil)
	}
	if text, e := json.Marshal(answer); e == nil && string(text) != "null" {
		_ = s.tell(partial, json.RawMessage(text)) // it can be too long
	}
	return s.tell(theEnd, job.ErrorOf(err))
}

// patience is how long a task waits for a checkpoint that another process uses. That
// process can be a child whose parent was killed, which lives for lastMoment.
const patience = 5 * lastMoment

// patiently does a task. If another process uses its checkpoint, it tries again.
func (w *worker) patiently(a *assigned, s *sender) (job.Answer, error) {
	r, err := job.Decode(a.Kind, a.Request)
	if err != nil {
		return nil, err
	}
	for end := time.Now().Add(patience); ; {
		answer, err := w.work(a.ctx, r, &a.Task, watch(a, s))
		if !errors.Is(err, job.ErrInUse) || time.Now().After(end) {
			return answer, err
		}
		select {
		case <-a.ctx.Done():
		case <-time.After(patience / 100):
		}
	}
}

// work does a request. A sample draws from the source of the last one, if it can.
func (w *worker) work(ctx context.Context, r job.Request, t *Task, to job.Watch) (job.Answer, error) {
	l := t.Limits
	sample, ok := r.(*job.Sample)
	key := ""
	if ok {
		key = keyOf(sample, l)
	}
	if key != w.key {
		w.source, w.key = nil, ""
	}
	settle(l)
	if !ok {
		return job.Run(ctx, r, l, to)
	}
	if l.Time > 0 {
		limited, cancel := job.WithTimeLimit(ctx, l.Time)
		defer cancel()
		ctx = limited
	}
	if w.source == nil {
		source, err := sample.Prepare(ctx, l, to)
		if err != nil {
			return nil, err
		}
		w.source, w.key = source, key
	}
	if t.Rank != "" {
		return nil, find(ctx, w.source, t.Rank, to)
	}
	return draw(ctx, w.source, sample, l, to)
}

// keyOf returns the same key for samples that can be drawn from the same source. The
// choice of a source may depend on the memory.
func keyOf(r *job.Sample, l job.Limits) string {
	from := *r
	from.Number, from.Seed, from.Unique = 0, nil, false
	text, err := json.Marshal(struct {
		From   job.Sample
		Memory int64
		Disk   bool
	}{from, l.Memory, l.Disk != ""})
	if err != nil {
		return ""
	}
	return string(text)
}

// find tells the tiling with a rank.
func find(ctx context.Context, in *job.Source, rank string, to job.Watch) error {
	t, err := in.Tiling(ctx, rank)
	if err != nil {
		return err
	}
	if to.Drawing != nil {
		to.Drawing(in.About())
	}
	if err := to.Begin(in.Puzzle()); err != nil {
		return err
	}
	return to.Tiling(t)
}

// draw is job.Run of a sample whose source is there.
func draw(ctx context.Context, from *job.Source, r *job.Sample, l job.Limits, to job.Watch) (job.Answer, error) {
	answer, err := from.Draw(ctx, r.Draws(l.Without(from.Bytes()).Memory), to)
	if errors.Is(err, job.ErrNoTiling) {
		return nil, err
	}
	if err == nil {
		err = to.Answer(answer)
	}
	return answer, err
}

// watch sends everything that the work reports.
func watch(a *assigned, s *sender) job.Watch {
	w := job.Lines(stream{s, tilings}) // one line in one call of Write
	w.Progress = func(p job.Progress) { s.progress(progress{p, p.Step, p.Steps}) }
	w.Plan = func(p *job.Plan) { _ = s.tell(aPlan, p) } // see progress
	w.Drawing = func(about *job.Sampled) { _ = s.tell(aDrawing, about) }
	w.Note = func(n job.Note) { _ = s.tell(aNote, noteOf(n)) }
	w.Output = stream{s, output}
	w.Answer = func(answer job.Answer) error {
		if err := s.tell(anAnswer, answer); err != nil {
			return err
		}
		return a.untilKept()
	}
	return w
}

// untilKept waits until the parent has stored the answer.
func (a *assigned) untilKept() error {
	select {
	case <-a.kept:
		return nil
	case <-a.ctx.Done():
		return a.ctx.Err()
	}
}
