package child

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/pavage/pavage/job"
)

// Task is a piece of work for a child.
type Task struct {
	Kind    job.Kind        `json:"kind"`
	Request json.RawMessage `json:"request"`        // as job.Decode reads it
	Name    string          `json:"-"`              // part of the folder's name; an older task of this name is over
	Keep    int64           `json:"keep,omitempty"` // largest source for Sink.Source, in bytes of memory; 0: none
	// Limits are the task's share. With a Disk, levels may go to the child's own folder. Programs
	// is always false.
	Limits job.Limits `json:"limits"`
}

// Options are how a child is started.
type Options struct {
	Program string // "": the program that is running
	// Env is NAME=value; TMPDIR and GOTRACEBACK are added. A child should not see secrets of its
	// parent.
	Env   []string
	Temp  string        // where the folders of children are; "": the system's folder for temporary files
	Grace time.Duration // time to end a task, and the process, before a kill; 0: 750 ms
	// GraceFor is the grace by the cause that ended the context: a last checkpoint needs more; 0:
	// Grace.
	GraceFor func(cause error) time.Duration
}

// Of 300 cancels, which must end within a second, the slowest ended after 79 ms, and 99 in 100
// within 50 ms, on two busy cores (BenchmarkCancel).
const defaultGrace = 750 * time.Millisecond

func (o Options) grace(cause error) time.Duration {
	other := time.Duration(0)
	if o.GraceFor != nil {
		other = o.GraceFor(cause)
	}
	return cmp.Or(other, o.Grace, defaultGrace)
}

// Run starts a child, has it do a task, and returns the answer as JSON. Errors are the *job.Error
// of the work, or *Died. After the end of ctx the child ends the task or is killed.
//
// A child with a small answer runs for 15 ms (BenchmarkRun). 10^6 samples of 8x8 dominoes need 17
// s, and 20 s through "pavage sample --json" (BenchmarkTilings, two busy cores).
func Run(ctx context.Context, o Options, t Task, s Sink) (json.RawMessage, error) {
	if ctx.Err() != nil {
		return nil, ended(ctx, nil)
	}
	if t.Kind == "check" {
		return nil, job.NewError(job.BadInput, fmt.Errorf("work of the kind %s reads a certificate, and a child gets none", t.Kind))
	}
	p, err := newProcess(o, &t)
	if err != nil {
		return nil, err
	}
	defer p.remove()
	t.Limits.Programs = false
	text, err := json.Marshal(t)
	switch {
	case err != nil:
		return nil, job.NewError(job.BadInput, fmt.Errorf("the request is no JSON: %w", err))
	case len(text) >= maxText:
		return nil, job.NewError(job.Limit, fmt.Errorf("the request has %d bytes, a child takes %d", len(text), maxText))
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	c := &child{process: p, options: o, over: make(chan struct{}), sink: s, share: t.Limits.Memory, ctx: ctx, stop: stop}
	if err := c.start(); err != nil {
		return nil, fmt.Errorf("a child could not be started: %w", err)
	}
	if s.Started != nil {
		s.Started(c.pid())
	}
	defer c.endSource(job.ErrNotSaved)
	return c.work(append(text, '\n'))
}

// FolderPrefix, the name of the task, a hyphen and a random number name a child's folder.
const FolderPrefix = "pavage-child-"

// RemoveFolders removes the folders in a directory of the children of a task.
func RemoveFolders(dir, task string) {
	folders, _ := filepath.Glob(filepath.Join(cmp.Or(dir, os.TempDir()), FolderPrefix+task+"-*")) // the pattern is valid
	for _, f := range folders {
		_ = os.RemoveAll(f) // another user's folder stays
	}
}

type child struct {
	*process
	options Options

	sink  Sink
	share int64 // of memory; 0: no limit
	ctx   context.Context
	stop  context.CancelCauseFunc // ends the task, because of the sink

	answer json.RawMessage
	failed error          // of the sink
	source *io.PipeWriter // to Sink.Source; nil: there is none, or it is complete
	kept   chan struct{}  // closed when Sink.Source has returned
	over   chan struct{}  // closed when the task is over

	killed atomic.Pointer[error] // why its parent has killed it; nil: it has not
}

func (c *child) work(task []byte) (json.RawMessage, error) {
	sent, guarded := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(sent)
		_, _ = c.in.Write(task) // a child that is gone is noticed at the other pipe
	}()
	go func() {
		defer close(guarded)
		c.guard(sent)
	}()
	err := c.read()
	close(c.over)
	<-guarded
	end := time.AfterFunc(c.options.grace(nil), func() { c.kill(errGrace) })
	<-sent
	_ = c.in.Close() // the child reads the end of its input, and exits
	c.wait()
	end.Stop()
	return c.result(err)
}

func (c *child) kill(err error) {
	if c.killed.CompareAndSwap(nil, &err) {
		c.end()
	}
}

var errGone = errors.New("the output has ended")

func (c *child) why() error {
	if err := c.killed.Load(); err != nil {
		return *err
	}
	return c.died()
}

// Verb is the verb of the program that calls Main.
const Verb = "child"

const cancelLine = "cancel" // may follow the task in the standard input
