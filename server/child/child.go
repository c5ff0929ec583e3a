package child

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/pavage/pavage/job"
)

// Options are how a child is started.
type Options struct {
	Program string   // "": the program that is running
	Args    []string // arguments of the program; nil: the verb child
	// Env is the environment of the child, NAME=value; TMPDIR and GOTRACEBACK are added. A
	// child needs no variables, and should not see the secrets of its parent.
	Env  []string
	Temp string // where the folders of children are; "": the system's folder for temporary files
	// Grace is how long a child has to end a task, and to end itself, before it is
	// killed; 0: 750 ms.
	Grace time.Duration
	// GraceFor is the grace of a task by the cause that ended its context. If it is nil or
	// returns 0, the grace is Grace. When the service is stopped, a child needs time to
	// write its last level to a checkpoint. A child whose job was canceled needs none.
	GraceFor func(cause error) time.Duration
}

// Work must end within a second; defaultGrace leaves a quarter of it. Of 300 cancels
// the slowest took 79 ms, and 99 in 100 less than 50, on two cores that had eight other
// processes to run (BenchmarkCancel).
const defaultGrace = 750 * time.Millisecond

// Child is a process that does work, one task after another.
type Child struct {
	graces func(cause error) time.Duration
	cmd    *exec.Cmd
	folder *folder
	errs   *tail
	frames *frames
	out    *os.File // the frames come from here

	mu sync.Mutex // held while a line is written
	in *os.File

	running sync.Mutex // held by Run
	number  int64      // of the last task; only Run uses it

	killed atomic.Pointer[error] // why its parent has killed it; nil: it has not
	ended  chan struct{}         // closed when the process is gone
	close  func() error          // once
}

// Start starts a child. To start a child, get a small answer and end the child takes 15
// ms; one more answer takes 2 ms (BenchmarkStart, BenchmarkRun, two busy cores). Start
// removes the folders of earlier children whose parents are gone.
func Start(o Options) (*Child, error) {
	sweepFolders(cmp.Or(o.Temp, os.TempDir()))
	f, err := newFolder(o.Temp)
	if err != nil {
		return nil, fmt.Errorf("a child needs a folder: %w", err)
	}
	c := &Child{graces: o.grace, folder: f, errs: &tail{}, ended: make(chan struct{})}
	c.close = sync.OnceValue(c.end)
	if err := c.start(o); err != nil {
		return nil, errors.Join(fmt.Errorf("a child could not be started: %w", err), f.remove())
	}
	go func() {
		_ = c.cmd.Wait() // ProcessState says how it ended
		close(c.ended)
	}()
	return c, nil
}

// grace is how long a child has when a context has ended with this cause.
func (o Options) grace(cause error) time.Duration {
	other := time.Duration(0)
	if o.GraceFor != nil {
		other = o.GraceFor(cause)
	}
	return cmp.Or(other, o.Grace, defaultGrace)
}

// start starts the process with a pipe to it and a pipe from it.
func (c *Child) start(o Options) error {
	program, err := program(o.Program)
	if err != nil {
		return err
	}
	args := o.Args
	if args == nil {
		args = []string{Verb}
	}
	c.cmd = exec.Command(program, args...)
	c.cmd.Args[0] = "pavage"
	c.cmd.Env = append([]string{"TMPDIR=" + c.folder.path, "GOTRACEBACK=single"}, o.Env...)
	c.cmd.Stderr = c.errs
	c.cmd.WaitDelay = o.grace(errClosed)
	apart(c.cmd)
	in, parentIn, err := os.Pipe()
	if err != nil {
		return err
	}
	parentOut, out, err := os.Pipe()
	if err != nil {
		return errors.Join(err, in.Close(), parentIn.Close())
	}
	c.cmd.Stdin, c.cmd.Stdout = in, out
	err = errors.Join(c.cmd.Start(), in.Close(), out.Close())
	if err != nil {
		return errors.Join(err, parentIn.Close(), parentOut.Close())
	}
	c.in, c.out, c.frames = parentIn, parentOut, newFrames(parentOut)
	return nil
}

// Verb is the verb of the program that calls Main.
const Verb = "child"

// program returns the file to start. On Linux this is the running program, even if its
// file was replaced by a newer version, which may use another protocol.
func program(named string) (string, error) {
	const self = "/proc/self/exe"
	switch {
	case named != "":
		return named, nil
	case runtime.GOOS == "linux":
		if _, err := os.Stat(self); err == nil {
			return self, nil
		}
	}
	return os.Executable()
}

// PID is the number of the process.
func (c *Child) PID() int { return c.cmd.Process.Pid }

// Source writes the source that the last sample has saved. The error is job.ErrNotSaved if
// there is none.
func (c *Child) Source(to io.Writer) error {
	f, err := os.Open(filepath.Join(c.folder.path, sourceFile))
	if errors.Is(err, fs.ErrNotExist) {
		return job.ErrNotSaved
	}
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(to, f)
	return err
}

// Alive reports whether the child can be used again.
func (c *Child) Alive() bool {
	select {
	case <-c.ended:
		return false
	default:
		return c.killed.Load() == nil
	}
}

// kill ends the process because of err, unless that was done before.
func (c *Child) kill(err error) {
	if c.killed.CompareAndSwap(nil, &err) {
		_ = c.cmd.Process.Kill() // it may have ended by itself
	}
}

// errClosed is the error of a task whose child is closed.
var errClosed = errors.New("the child is closed")

// Close ends the child and removes its folder. If a task is under way, Close ends it and
// waits until its Run has returned, and so also until the sink has returned.
func (c *Child) Close() error { return c.close() }

func (c *Child) end() error {
	err := c.in.Close() // the child reads the end of its input, and exits
	grace := time.AfterFunc(c.graces(errClosed), func() { c.kill(errClosed) })
	<-c.ended
	grace.Stop()
	c.killed.CompareAndSwap(nil, &errClosed)
	c.running.Lock() // a Run sees the end of the output
	defer c.running.Unlock()
	return errors.Join(err, c.out.Close(), c.folder.remove())
}

// why returns the error of Run for a child that has ended.
func (c *Child) why(cut bool) error {
	<-c.ended
	if err := c.killed.Load(); err != nil {
		return *err
	}
	d := &Died{Code: c.cmd.ProcessState.ExitCode(), Cut: cut}
	if w, ok := c.cmd.ProcessState.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		d.Signal = w.Signal().String()
	}
	d.Stderr, d.Panic = c.errs.told()
	return d
}

// say writes a line to the child. It ignores errors: a child that is gone is noticed at
// the other pipe.
func (c *Child) say(text []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, _ = c.in.Write(text)
}
