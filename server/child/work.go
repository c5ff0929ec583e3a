package child

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"slices"
	"time"

	"github.com/pavage/pavage/internal/kit/limit"
	"github.com/pavage/pavage/job"
)

// worker does tasks in this process, one at a time.
type worker struct {
	// source is the source of the last task, if that was a sample, or nil. It takes memory
	// of the task's share, so a task that does not draw from it closes it first.
	source *job.Source
	name   string // see Task.Source
	draws  map[int64]*drawing
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
	other := t.Source == "" || t.Source != w.name
	for number := range w.draws {
		if other || slices.Contains(t.Over, number) {
			w.end(number)
		}
	}
	if other {
		w.source, w.name = nil, ""
	}
	settle(l)
	sample, ok := r.(*job.Sample)
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
		w.source, w.name = source, t.Source
	}
	switch {
	case t.Rank != "":
		return nil, find(ctx, w.source, t.Rank, to)
	case t.Draw != 0:
		return w.portion(ctx, t.Draw, sample, l, to)
	}
	return draw(ctx, w.source, sample, l, to)
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
	answer, err := from.Draw(ctx, r.Draws(limit.Left(l.Memory, from.Bytes())), to)
	if errors.Is(err, job.ErrNoTiling) {
		return nil, err
	}
	if err == nil {
		err = to.Answer(answer)
	}
	return answer, err
}

// A portion of a draw ends with the tiling that reaches portionBytes or portionTime. A portion of
// 8x8 dominoes is 1,500 tilings in some 25 ms. A portion may need one pass through the levels of a
// walk, and is longer than portionTime if the levels are large.
const (
	portionBytes = 1 << 20
	portionTime  = 250 * time.Millisecond
)

// drawing is a draw that comes in portions, suspended between two portions.
type drawing struct {
	to     job.Watch // of the task that makes the current portion
	sent   int       // bytes of this portion
	yield  func(struct{}) bool
	next   func() (struct{}, bool)
	stop   func()
	cancel context.CancelFunc
	memory int64 // for the tilings of a draw without replacement
	answer job.Answer
	err    error
}

// Write sends the line of a tiling to the parent, and suspends the draw.
func (d *drawing) Write(line []byte) (int, error) {
	n, err := d.to.Output.Write(line)
	d.sent += n
	if err == nil && !d.yield(struct{}{}) {
		err = errOver
	}
	return n, err
}

// errOver ends a draw whose caller wants no more portions.
var errOver = errors.New("the draw was ended by its caller")

// portion makes the next portion of a draw. If it returns neither an answer nor an error, there are
// more portions.
func (w *worker) portion(ctx context.Context, number int64, r *job.Sample, l job.Limits, to job.Watch) (job.Answer, error) {
	d := w.draws[number]
	if d == nil {
		d = w.begin(number, r, l)
	}
	d.to, d.sent = to, 0
	defer context.AfterFunc(ctx, d.cancel)()
	for end := time.Now().Add(portionTime); d.sent < portionBytes && time.Now().Before(end); {
		if _, more := d.next(); more {
			continue
		}
		w.end(number)
		switch {
		case errors.Is(d.err, job.ErrNoTiling):
			return nil, d.err
		case d.err == nil:
			d.err = to.Answer(d.answer)
		}
		return d.answer, d.err
	}
	return nil, nil
}

// begin begins a draw. A draw without replacement gets half of the free memory.
func (w *worker) begin(number int64, r *job.Sample, l job.Limits) *drawing {
	free := limit.Left(l.Memory, w.source.Bytes())
	for _, other := range w.draws {
		free = limit.Left(free, other.memory)
	}
	d := &drawing{}
	if r.Unique {
		d.memory = free / 2
	}
	var ctx context.Context
	ctx, d.cancel = context.WithCancel(context.Background())
	from := w.source
	d.next, d.stop = iter.Pull(func(yield func(struct{}) bool) {
		d.yield = yield
		lines := job.Lines(d)
		lines.Progress = func(p job.Progress) { d.to.Progress(p) }
		lines.Drawing = func(about *job.Sampled) { d.to.Drawing(about) }
		lines.Note = func(n job.Note) { d.to.Note(n) }
		d.answer, d.err = from.Draw(ctx, r.Draws(d.memory), lines)
	})
	if w.draws == nil {
		w.draws = map[int64]*drawing{}
	}
	w.draws[number] = d
	return d
}

// end forgets a draw.
func (w *worker) end(number int64) {
	d := w.draws[number]
	d.cancel()
	d.stop()
	delete(w.draws, number)
}

// watch sends everything that the work reports.
func watch(a *assigned, s *sender) job.Watch {
	w := job.Lines(stream{s, tilings})  // one line in one call of Write
	w.Progress = func(p job.Progress) { // unless the last one was of the same stage and less than pace ago
		now := time.Now()
		if p.Doing == s.doing && now.Sub(s.told) < pace {
			return
		}
		s.doing, s.told = p.Doing, now
		_ = s.tell(aProgress, progress{p, p.Step, p.Steps}) // an error is noticed when the answer is sent
	}
	w.Plan = func(p *job.Plan) { _ = s.tell(aPlan, p) }
	w.Drawing = func(about *job.Sampled) { _ = s.tell(aDrawing, about) }
	w.Note = func(n job.Note) {
		fields := slices.Clone(n.Fields)
		for i, f := range fields {
			if err, ok := f.(error); ok {
				fields[i] = err.Error()
			}
		}
		_ = s.tell(aNote, note{n.Weight, n.Text, fields})
	}
	w.Output = stream{s, output}
	w.Answer = func(answer job.Answer) error {
		if err := s.tell(anAnswer, answer); err != nil {
			return err
		}
		select {
		case <-a.kept:
			return nil
		case <-a.ctx.Done():
			return a.ctx.Err()
		}
	}
	return w
}
