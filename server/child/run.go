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
	Started  func(pid int)      // the process is there
	Progress func(job.Progress) // at most 20 a second
	Plan     func(*job.Plan)
	Note     func(job.Note)
	// Tilings takes lines of JSON, one for each tiling, often many at once; the last line
	// is complete too. It must not keep the bytes after it returns. An error ends the
	// task.
	Tilings func([]byte) error
	// Output takes what the work writes. An error ends the task.
	Output io.Writer
	// Answer stores the answer of a task that has no error. When it returns nil, the
	// answer is safe, and a count removes its checkpoint. Run returns the answer too.
	Answer func(json.RawMessage) error
	// Source takes the source of a sample, after the answer: see Task.Keep. It is not called
	// if the source is larger or cannot be saved.
	Source func(io.Reader)
}

// look is the time between two looks at the memory of a child. In that time a child can
// take perhaps 1 GB more than its share. The machine must have so much to spare.
const look = 250 * time.Millisecond

// guard looks at the child's memory, and ends the task when ctx ends, once the task was
// sent.
func (c *child) guard(sent <-chan struct{}) {
	looks := time.NewTicker(look)
	defer looks.Stop()
	for {
		select {
		case <-c.over:
			return
		case <-c.ctx.Done():
			c.cancel(sent)
			return
		case <-looks.C:
			if most := allowed(c.share); most > 0 && machine.Resident(c.cmd.Process.Pid) > most {
				c.kill(job.NewError(job.Limit, fmt.Errorf("%w: the work needs more than its share of %s", limit.ErrMemory, human.Bytes(float64(c.share)))))
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
func (c *child) cancel(sent <-chan struct{}) {
	grace := time.AfterFunc(c.options.grace(context.Cause(c.ctx)), func() { c.kill(errGrace) })
	defer grace.Stop()
	<-sent
	c.say(cancelLine)
	select {
	case <-c.over:
	case <-c.ended:
	}
}

// errGrace says that a child was killed because it did not end its task.
var errGrace = errors.New("interrupted")

// read reads frames up to the end of the task, and returns the work's error.
func (c *child) read() error {
	for {
		k, payload, err := c.frames.next()
		switch {
		case errors.Is(err, errFrame):
			c.kill(err)
			return c.why()
		case err != nil:
			return c.why()
		case k == theEnd && len(payload) == 0:
			return nil
		case k == theEnd:
			var e *job.Error
			if err := told(c, payload, func(of *job.Error) { e = of }); err != nil {
				return err
			}
			return e
		}
		if err := c.take(k, payload); err != nil {
			return err
		}
	}
}

// take hands a frame to the sink. After an error of the sink, and after the end of the
// task's context, the remaining frames are read and ignored.
func (c *child) take(k kind, payload []byte) error {
	switch {
	case k == partial:
		c.answer = bytes.Clone(payload)
	case c.ctx.Err() != nil:
	case k == anAnswer:
		c.keep(bytes.Clone(payload))
	case k == tilings && c.sink.Tilings != nil:
		c.fail(c.sink.Tilings(payload))
	case k == output && c.sink.Output != nil:
		_, err := c.sink.Output.Write(payload)
		c.fail(err)
	case k == aProgress && c.sink.Progress != nil:
		return told(c, payload, func(p progress) {
			p.Progress.Step, p.Progress.Steps = p.Step, p.Steps
			c.sink.Progress(p.Progress)
		})
	case k == aPlan && c.sink.Plan != nil:
		return told(c, payload, c.sink.Plan)
	case k == aNote && c.sink.Note != nil:
		return told(c, payload, c.sink.Note)
	}
	return nil
}

// fail ends the task because of an error of the sink.
func (c *child) fail(err error) {
	if err != nil && c.failed == nil {
		c.failed = err
		c.stop(err)
	}
}

// keep hands the answer to the sink, and tells the child that the answer is safe.
func (c *child) keep(answer json.RawMessage) {
	if c.sink.Answer != nil {
		if err := c.sink.Answer(answer); err != nil {
			c.fail(err)
			return
		}
	}
	c.answer, c.kept = answer, true
	c.say(keptLine)
}

// told hands the value in a frame on. A child whose frames cannot be read is killed.
func told[T any](c *child, payload []byte, to func(T)) error {
	var v T
	if err := json.Unmarshal(payload, &v); err != nil {
		c.kill(fmt.Errorf("%w: %w", errFrame, err))
		return c.why()
	}
	to(v)
	return nil
}

// result is what Run returns after the work has ended with err.
func (c *child) result(err error) (json.RawMessage, error) {
	var e *job.Error
	switch {
	case c.failed != nil:
		return nil, c.failed
	case errors.Is(err, errGrace):
		return nil, ended(c.ctx, nil)
	case c.ctx.Err() == nil || !errors.As(err, &e) || e.Kind != job.Interruption:
		return c.answer, err
	case c.kept:
		return c.answer, nil // ctx ended while the child was told that its answer is safe
	}
	return c.answer, ended(c.ctx, e)
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
