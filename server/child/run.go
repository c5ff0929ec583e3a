package child

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/pavage/pavage/internal/kit/human"
	"github.com/pavage/pavage/internal/kit/limit"
	"github.com/pavage/pavage/internal/kit/machine"
	"github.com/pavage/pavage/job"
)

// Sink receives what a task sends while it runs. Each field may be nil. Calls do not
// overlap, and there are none after Run has returned. During a call the child waits as
// soon as the pipe is full. So each call must return soon after the end of the task's
// context.
type Sink struct {
	Progress func(job.Progress) // at most 20 a second
	Plan     func(*job.Plan)
	Note     func(job.Note)
	Drawing  func(*job.Sampled) // before the first tiling of a sample
	// Tilings takes lines of JSON, one for each tiling, often many at once; the last line
	// is complete too. It must not keep the bytes after it returns. An error ends the
	// task.
	Tilings func([]byte) error
	// Output takes what the work writes. An error ends the task.
	Output io.Writer
	// Answer stores the answer of a task that has no error. When it returns nil, the
	// answer is safe, and a count removes its checkpoint. Run returns the answer too.
	Answer func(json.RawMessage) error
}

// Run has the child do a task, and returns its answer as JSON. An error of the work is
// the *job.Error that job.Run would return in this process; with some of these errors
// there is an answer too. The error is a *Died if the process ended by itself. After the
// end of ctx the child ends the task or is killed. A child does one task at a time:
// another Run waits.
//
// 10^6 samples of 8x8 dominoes take 17 s through a child, and 20 s through "pavage sample
// --json", which writes each line on its own (BenchmarkTilings, two busy cores).
func (c *Child) Run(ctx context.Context, t Task, s Sink) (json.RawMessage, error) {
	c.running.Lock()
	defer c.running.Unlock()
	if err := check(ctx, &t, c.folder.path); err != nil {
		return nil, err
	}
	if !c.Alive() {
		if err := c.killed.Load(); err != nil {
			return nil, fmt.Errorf("the child was ended before: %v", *err) // not that error: it was another task's
		}
		return nil, c.why(false)
	}
	c.number++
	text, err := line{Task: &t, Number: c.number}.encode()
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancelCause(ctx)
	r := &run{
		child: c, ctx: ctx, stop: stop, sink: s, number: c.number,
		share: t.Limits.Memory,
		over:  make(chan struct{}), gone: make(chan struct{}),
	}
	defer func() { // from here on nobody kills the child because of this task
		close(r.over)
		<-r.gone
		stop(nil)
	}()
	c.mu.Lock() // a guard that ends the task waits until the child has the task
	go r.guard()
	_, _ = c.in.Write(text) // a child that is gone is noticed at the other pipe
	c.mu.Unlock()
	return r.result(r.read())
}

// check refuses tasks that a child cannot do, and sets the limits for a child.
func check(ctx context.Context, t *Task, folder string) error {
	if t.Kind == "check" {
		return job.NewError(job.BadInput, fmt.Errorf("work of the kind %s reads a certificate, and a child gets none", t.Kind))
	}
	if t.Rank != "" && t.Kind != "sample" {
		return job.NewError(job.BadInput, fmt.Errorf("work of the kind %s has no tilings with numbers", t.Kind))
	}
	t.Limits.Programs = false
	if t.Limits.Disk != "" {
		t.Limits.Disk = folder
	}
	if ctx.Err() != nil {
		return ended(ctx, nil)
	}
	return nil
}

// run is a task under way.
type run struct {
	child  *Child
	ctx    context.Context
	stop   context.CancelCauseFunc // ends the task, because of the sink
	sink   Sink
	number int64
	share  int64 // of memory; 0: no limit

	answer json.RawMessage
	kept   bool  // the sink has kept the answer
	failed error // of the sink
	over   chan struct{}
	gone   chan struct{} // the guard is
}

// look is the time between two looks at the memory of a child. In that time a child can
// take perhaps 1 GB more than its share. The machine must have so much to spare.
const look = 250 * time.Millisecond

// guard looks at the child's memory, and ends the task when ctx ends.
func (r *run) guard() {
	defer close(r.gone)
	looks := time.NewTicker(look)
	defer looks.Stop()
	for {
		select {
		case <-r.over:
			return
		case <-r.ctx.Done():
			r.cancel()
			return
		case <-looks.C:
			if most := allowed(r.share); most > 0 && machine.Resident(r.child.PID()) > most {
				r.child.kill(job.NewError(job.Limit, fmt.Errorf("%w: the work needs more than its share of %s", limit.ErrMemory, human.Bytes(float64(r.share)))))
				return
			}
		}
	}
}

// allowed is how much memory a child may hold if its work has this share. It is more
// than the share, since the work does not count some small things, and since the
// program itself takes about 20 MiB. 0 is no limit.
func allowed(share int64) int64 {
	if share <= 0 {
		return 0
	}
	return share + share/20*3 + 64<<20
}

// cancel asks the child to end the task, and kills the child if the task does not end
// in time.
func (r *run) cancel() {
	grace := time.AfterFunc(r.child.graces(context.Cause(r.ctx)), func() { r.child.kill(errGrace) })
	defer grace.Stop()
	if text, err := (line{Cancel: true, Number: r.number}).encode(); err == nil {
		r.child.say(text) // waits while the task is still being sent
	}
	select {
	case <-r.over:
	case <-r.child.ended:
	}
}

// errGrace says that a child was killed because it did not end its task.
var errGrace = errors.New("interrupted")

// read reads frames up to the end of the task, and returns the work's error.
func (r *run) read() error {
	for {
		k, payload, err := r.child.frames.next()
		switch {
		case errors.Is(err, errFrame):
			r.child.kill(err)
			return r.child.why(false)
		case err != nil:
			return r.child.why(errors.Is(err, io.ErrUnexpectedEOF))
		case k == theEnd && len(payload) == 0:
			return nil
		case k == theEnd:
			var e job.Error
			if err := r.decode(payload, &e); err != nil {
				return err
			}
			return &e
		}
		if err := r.take(k, payload); err != nil {
			return err
		}
	}
}

// take hands a frame to the sink. After an error of the sink, and after the end of the
// task's context, the remaining frames are read and ignored.
func (r *run) take(k kind, payload []byte) error {
	switch {
	case k == partial:
		r.answer = bytes.Clone(payload)
	case r.ctx.Err() != nil:
	case k == anAnswer:
		r.keep(bytes.Clone(payload))
	case k == tilings && r.sink.Tilings != nil:
		r.fail(r.sink.Tilings(payload))
	case k == output && r.sink.Output != nil:
		_, err := r.sink.Output.Write(payload)
		r.fail(err)
	case k == aProgress && r.sink.Progress != nil:
		var p progress
		if err := r.decode(payload, &p); err != nil {
			return err
		}
		p.Progress.Step, p.Progress.Steps = p.Step, p.Steps
		r.sink.Progress(p.Progress)
	case k == aPlan && r.sink.Plan != nil:
		p := new(job.Plan)
		if err := r.decode(payload, p); err != nil {
			return err
		}
		r.sink.Plan(p)
	case k == aDrawing && r.sink.Drawing != nil:
		about := new(job.Sampled)
		if err := r.decode(payload, about); err != nil {
			return err
		}
		r.sink.Drawing(about)
	case k == aNote && r.sink.Note != nil:
		var n note
		if err := r.decode(payload, &n); err != nil {
			return err
		}
		r.sink.Note(job.Note(n))
	}
	return nil
}

// fail ends the task because of an error of the sink.
func (r *run) fail(err error) {
	if err != nil && r.failed == nil {
		r.failed = err
		r.stop(err)
	}
}

// keep hands the answer to the sink, and tells the child that the answer is safe.
func (r *run) keep(answer json.RawMessage) {
	if r.sink.Answer != nil {
		if err := r.sink.Answer(answer); err != nil {
			r.fail(err)
			return
		}
	}
	r.answer, r.kept = answer, true
	if text, err := (line{Kept: true, Number: r.number}).encode(); err == nil {
		r.child.say(text)
	}
}

// decode reads the payload of a frame. A child whose frames cannot be read is killed.
func (r *run) decode(payload []byte, v any) error {
	err := json.Unmarshal(payload, v)
	if err == nil {
		return nil
	}
	r.child.kill(fmt.Errorf("%w: %w", errFrame, err))
	return r.child.why(false)
}

// result is what Run returns after the work has ended with err.
func (r *run) result(err error) (json.RawMessage, error) {
	var e *job.Error
	switch {
	case r.failed != nil:
		return nil, r.failed
	case errors.Is(err, errGrace):
		return nil, ended(r.ctx, nil)
	case r.ctx.Err() == nil || !errors.As(err, &e) || e.Kind != job.Interruption:
		return r.answer, err
	case r.kept:
		return r.answer, nil // ctx ended while the child was told that its answer is safe
	}
	return r.answer, ended(r.ctx, e)
}

// ended is the error of work that the end of ctx has stopped. Its text is that of the
// cause, if there is one. It keeps what the work's own error says about how to go on.
func ended(ctx context.Context, of *job.Error) error {
	var limit *job.Error
	e := job.NewError(job.Interruption, errors.New("interrupted"))
	switch cause := context.Cause(ctx); {
	case errors.As(cause, &limit):
		also := *limit
		e = &also
	case errors.Is(cause, context.DeadlineExceeded):
		e = job.NewError(job.Limit, errors.New("the time is up"))
	}
	if of != nil {
		e.Cursor, e.Level, e.Steps = of.Cursor, of.Level, of.Steps
	}
	return e
}
