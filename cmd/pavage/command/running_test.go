//go:build unix

package command

import (
	"bytes"
	"errors"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/pavage/pavage/internal/test/testkit"
)

// running is pavage in a process of its own. A test waits for its output or its files, and then stops it:
// no test depends on a guessed time.
type running struct {
	*exec.Cmd
	t         *testing.T
	out, errs transcript
	ended     chan struct{}
	err       error // result of Wait, after the end
}

// transcript is the output of a process so far.
type transcript struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *transcript) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *transcript) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// start starts pavage. It is killed at the end of the test, if it still runs.
func start(t *testing.T, args ...string) *running {
	t.Helper()
	r := &running{Cmd: exec.Command("pavage", args...), t: t, ended: make(chan struct{})}
	r.Stdout, r.Stderr = &r.out, &r.errs
	in, err := r.StdinPipe() // open and silent, like a terminal
	if err == nil {
		err = r.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		r.err = r.Wait()
		close(r.ended)
	}()
	t.Cleanup(func() {
		in.Close()
		_ = r.Process.Kill() // the process has usually ended before
		<-r.ended
	})
	return r
}

// hasEnded reports whether the process has ended.
func (r *running) hasEnded() bool {
	select {
	case <-r.ended:
		return true
	default:
		return false
	}
}

// until waits until ok returns true. The process must not end before.
func (r *running) until(what string, ok func() bool) {
	r.t.Helper()
	testkit.Until(r.t, what, func() bool {
		if !ok() && r.hasEnded() && !ok() {
			r.t.Fatalf("%v ended before: %s: %v, output %.300q, error %.300q", r.Args, what, r.err, &r.out, &r.errs)
		}
		return ok()
	})
}

// someBar is a bar of any work.
var someBar = regexp.MustCompile(`[a-z ]+ [0-9]+ % \[[->=]*\] .*, (.* left|time left unknown)`)

// untilBar waits for a bar, which only a run with --progress always shows here.
func (r *running) untilBar() {
	r.t.Helper()
	r.until("a bar", func() bool { return someBar.MatchString(r.errs.String()) })
}

// end sends a signal, waits for the end, and returns the text then visible on standard error.
func (r *running) end(signal syscall.Signal) string {
	r.t.Helper()
	if err := r.Process.Signal(signal); err != nil {
		r.t.Fatal(err)
	}
	testkit.Until(r.t, "the end after a signal", r.hasEnded)
	return shown(r.errs.String())
}

// wantInterrupted wants the exit code of an interruption.
func (r *running) wantInterrupted() {
	r.t.Helper()
	var exit *exec.ExitError
	if !errors.As(r.err, &exit) || exit.ExitCode() != codeInterrupted {
		r.t.Errorf("%v: ended with %v, want exit code %d", r.Args, r.err, codeInterrupted)
	}
}

// erased is a line of a bar and the codes that then erase it: up a line, clear.
var erased = regexp.MustCompile(`[^\n]*\n\x1b\[1A\x1b\[J`)

// shown is the text that is visible after bars were erased.
func shown(errs string) string {
	for {
		less := erased.ReplaceAllString(errs, "")
		if less == errs {
			return strings.ReplaceAll(errs, "\x1b[J", "")
		}
		errs = less
	}
}
