package child

import (
	"bufio"
	"bytes"
	"context"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/pavage/pavage/internal/kit/human"
	"github.com/pavage/pavage/internal/kit/limit"
	"github.com/pavage/pavage/job"
)

// Sink receives the messages of a task. Run calls its functions one after another; only Source may
// run at the same time as others. All calls end before Run returns. When the context of Run has
// ended, the functions must return soon. While a function runs, the child may have to wait.
type Sink struct {
	Started  func(pid int)      // called when the process has started
	Progress func(job.Progress) // called at most 20 times a second
	Plan     func(*job.Plan)
	Note     func(job.Note)
	Output   io.Writer       // receives tilings as lines of JSON, or the bytes of a file; an error ends the task
	Source   func(io.Reader) // reads the source, see Task.Keep; Read returns job.ErrNotSaved if the source is incomplete
}

const look = 250 * time.Millisecond // time between two checks of the memory; a child can use 1 GB more in this time

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
			if most := allowed(c.share); most > 0 && c.held() > most {
				c.kill(job.NewError(job.Limit, fmt.Errorf("%w: the work needs more than its share of the memory, %s", limit.ErrMemory, human.Bytes(float64(c.share)))))
				return
			}
		}
	}
}

// allowed returns the bytes that a child may hold, which are more than its share, since the work
// does not count all memory, such as about 20 MiB for the program.
func allowed(share int64) int64 {
	if share <= 0 {
		return 0
	}
	return share + share/20*3 + 64<<20
}

func (c *child) cancel(sent <-chan struct{}) {
	grace := time.AfterFunc(c.options.grace(context.Cause(c.ctx)), func() { c.kill(errGrace) })
	defer grace.Stop()
	<-sent
	_, _ = io.WriteString(c.in, cancelLine+"\n") // an error means that the child has ended, so that read also returns
	<-c.over
}

var errGrace = errors.New("interrupted")

// errMessage is wrapped by the error for output that is not a message.
var errMessage = errors.New("the child process sent a line that is not a message")

// read reads messages until the output ends. After the end of c.ctx, it ignores all messages except
// the answer and the error of the work.
func (c *child) read() error {
	in := gob.NewDecoder(bufio.NewReaderSize(c.out, batch))
	var m message
	for {
		m = message{Body: m.Body[:0]} // Decode reuses the memory of Body
		err := in.Decode(&m)
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			return errGone
		case err != nil:
		case m.Kind == theEnd:
			var e *job.Error
			if err = json.Unmarshal(m.Body, &e); err == nil && e != nil {
				return e
			} else if err == nil {
				return nil
			}
		case m.Kind == anAnswer:
			c.answer = bytes.Clone(m.Body)
		case c.ctx.Err() != nil:
		case m.Kind == output && c.sink.Output != nil:
			if _, c.failed = c.sink.Output.Write(m.Body); c.failed != nil {
				c.stop(c.failed)
			}
		case m.Kind == aSource && c.sink.Source != nil:
			c.keep(m.Body)
		case m.Kind == aProgress:
			err = tell(m.Body, c.sink.Progress)
		case m.Kind == aPlan:
			err = tell(m.Body, c.sink.Plan)
		case m.Kind == aNote:
			err = tell(m.Body, c.sink.Note)
		}
		if err != nil {
			c.kill(fmt.Errorf("%w: %w", errMessage, err))
			return errGone
		}
	}
}

// keep writes a piece of the source to the sink. An empty piece is the end of the source.
func (c *child) keep(piece []byte) {
	if len(piece) == 0 {
		c.endSource(nil)
		return
	}
	if c.source == nil {
		from, to := io.Pipe()
		c.source, c.kept = to, make(chan struct{})
		go func() {
			defer close(c.kept)
			defer from.Close()
			c.sink.Source(from)
		}()
	}
	_, _ = c.source.Write(piece) // an error means that the sink has returned
}

// endSource ends the source, and waits for Sink.Source. If err is nil, the source is complete.
func (c *child) endSource(err error) {
	if c.source == nil {
		return
	}
	_ = c.source.CloseWithError(err)
	<-c.kept
	c.source = nil
}

func tell[T any](text []byte, to func(T)) error {
	var v T
	if to == nil {
		return nil
	}
	if err := json.Unmarshal(text, &v); err != nil {
		return err
	}
	to(v)
	return nil
}

func (c *child) result(err error) (json.RawMessage, error) {
	if errors.Is(err, errGone) {
		err = c.why()
	}
	var e *job.Error
	switch {
	case c.failed != nil:
		return nil, c.failed
	case errors.Is(err, errGrace):
		return nil, ended(c.ctx, nil)
	case c.ctx.Err() == nil || !errors.As(err, &e) || e.Kind != job.Interruption:
		return c.answer, err
	}
	return nil, ended(c.ctx, e)
}

// ended returns an error for the cause that ended ctx. If the work has returned an error, its
// Cursor, Level and Steps are copied to the new error.
func ended(ctx context.Context, of *job.Error) error {
	var limit *job.Error
	e := job.NewError(job.Interruption, errors.New("interrupted"))
	switch cause := context.Cause(ctx); {
	case errors.As(cause, &limit):
		also := *limit
		e = &also
	case errors.Is(cause, context.DeadlineExceeded):
		e = job.NewError(job.Limit, errors.New("the time limit was reached"))
	}
	if of != nil {
		e.Cursor, e.Level, e.Steps = of.Cursor, of.Level, of.Steps
	}
	return e
}
