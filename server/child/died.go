package child

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
)

// Died is the error of work whose process ended by itself, or was killed, but not by
// its parent.
type Died struct {
	Signal string // that ended it, such as "killed"; "" for none
	Code   int    // its exit code; -1 with a signal
	Panic  string // the line that says why a Go program ended; "" for none
	Stderr string // the last bytes that it wrote to standard error
}

func (d *Died) Error() string {
	text := fmt.Sprintf("the process that did the work ended with exit code %d", d.Code)
	if d.Signal != "" {
		text = fmt.Sprintf("the process that did the work was ended by the signal %q", d.Signal)
	}
	why := d.Panic // the line of standard error that best explains the end
	if why == "" {
		lines := strings.Split(strings.TrimSpace(d.Stderr), "\n")
		why = lines[len(lines)-1]
	}
	if why != "" {
		text += ": " + why
	}
	return text
}

const (
	tailBytes = 4 << 10
	lineBytes = 500 // of the line that says why
)

// tail keeps the end of what is written to it, and the first line that says why a Go
// program ended: what follows that, a list of goroutines, can be longer than the tail.
type tail struct {
	mu    sync.Mutex
	last  []byte // at most tailBytes
	line  []byte // the line being written, at most lineBytes
	panic string
}

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last = append(t.last, b[max(0, len(b)-tailBytes):]...)
	t.last = append(t.last[:0], t.last[max(0, len(t.last)-tailBytes):]...)
	for rest := b; t.panic == "" && len(rest) > 0; {
		part, after, ended := bytes.Cut(rest, []byte("\n"))
		t.line = append(t.line, part[:min(len(part), lineBytes-len(t.line))]...)
		if ended {
			for _, begin := range []string{"panic: ", "fatal error: "} {
				if bytes.HasPrefix(t.line, []byte(begin)) {
					t.panic = string(t.line)
				}
			}
			t.line = t.line[:0]
		}
		rest = after
	}
	return len(b), nil
}

func (t *tail) told() (last, panic string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.last), t.panic
}
