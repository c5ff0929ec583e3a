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

// Task is work for a child.
type Task struct {
	Kind    job.Kind        `json:"kind"`
	Request json.RawMessage `json:"request"`        // in the form that job.Decode reads
	Name    string          `json:"-"`              // part of the name of the child's folder; must differ from the names of other running tasks
	Keep    int64           `json:"keep,omitempty"` // greatest size in bytes of a job.Source that is sent to Sink.Source; 0 means that none is sent
	// Limits has the limits of the work. If Disk is not "", Run sets Disk to the child's folder.
	// Run sets Programs to false.
	Limits job.Limits `json:"limits"`
}

// Options tell Run how to start a child.
type Options struct {
	Program string // path of the program; the running program if ""
	// Env is the environment of the child, as entries NAME=value. Run adds TMPDIR and GOTRACEBACK.
	// Secrets of the parent should not be in Env.
	Env   []string
	Temp  string        // directory for the folders of children; os.TempDir if ""
	Grace time.Duration // time for a canceled task to end, and for a child to exit after its task; 750 ms if 0
	// GraceFor returns the time that a child has to end a canceled task, given the cause of the
	// cancel. If the time is 0, Grace is used.
	GraceFor func(cause error) time.Duration
}

// A canceled task must end within a second. On two busy cores, the slowest of 300 canceled tasks
// ended after 79 ms (BenchmarkCancel).
const defaultGrace = 750 * time.Millisecond

func (o Options) grace(cause error) time.Duration {
	other := time.Duration(0)
	if o.GraceFor != nil {
		other = o.GraceFor(cause)
	}
	return cmp.Or(other, o.Grace, defaultGrace)
}

// Run starts a child, lets it do a task, and returns the answer as JSON. The error is the
// *job.Error of the work, or a *Died. When ctx ends, the child ends the task, or is killed.
func Run(ctx context.Context, o Options, t Task, s Sink) (json.RawMessage, error) {
	if ctx.Err() != nil {
		return nil, ended(ctx, nil)
	}
	if t.Kind == "check" {
		return nil, job.NewError(job.BadInput, fmt.Errorf("a job of the kind %s cannot run in a child process, which gets no certificate", t.Kind))
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
		return nil, job.NewError(job.BadInput, fmt.Errorf("the request is not JSON: %w", err))
	case len(text) >= maxText:
		return nil, job.NewError(job.Limit, fmt.Errorf("the request has %d bytes, expected at most %d for a child process", len(text), maxText))
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	c := &child{process: p, options: o, over: make(chan struct{}), sink: s, share: t.Limits.Memory, ctx: ctx, stop: stop}
	if err := c.start(); err != nil {
		return nil, fmt.Errorf("a child process could not be started: %w", err)
	}
	if s.Started != nil {
		s.Started(c.pid())
	}
	defer c.endSource(job.ErrNotSaved)
	return c.work(append(text, '\n'))
}

// FolderPrefix begins the name of a child's folder. The task's name and a random number follow.
const FolderPrefix = "pavage-child-"

// RemoveFolders removes the folders of all children of a task in a directory.
func RemoveFolders(dir, task string) {
	folders, _ := filepath.Glob(filepath.Join(cmp.Or(dir, os.TempDir()), FolderPrefix+task+"-*")) // the pattern is valid
	for _, f := range folders {
		_ = os.RemoveAll(f) // an error means that the folder belongs to another user
	}
}

type child struct {
	*process
	options Options

	sink  Sink
	share int64 // memory in bytes; 0 means no limit
	ctx   context.Context
	stop  context.CancelCauseFunc // ends the task after an error of the sink

	answer json.RawMessage
	failed error
	source *io.PipeWriter // sends a source to Sink.Source; nil while no source is sent
	kept   chan struct{}  // closed when Sink.Source has returned
	over   chan struct{}  // closed when the task is over

	killed atomic.Pointer[error] // why the parent has killed the child; nil if it has not
}

func (c *child) work(task []byte) (json.RawMessage, error) {
	sent, guarded := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(sent)
		_, _ = c.in.Write(task) // an error means that the child has ended, so that read also returns
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
	_ = c.in.Close() // the child then reads the end of its input, and exits
	c.wait()
	end.Stop()
	return c.result(err)
}

func (c *child) kill(err error) {
	if c.killed.CompareAndSwap(nil, &err) {
		c.end()
	}
}

var errGone = errors.New("the output of the child process has ended")

func (c *child) why() error {
	if err := c.killed.Load(); err != nil {
		return *err
	}
	return c.died()
}

// Verb is the verb of the command line that calls Main.
const Verb = "child"

const cancelLine = "cancel" // this line in the standard input of a child cancels its task
