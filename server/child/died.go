package child

import (
	"fmt"
	"strings"
)

// Died is the error of a process that crashed, or was killed by another process than its parent.
type Died struct {
	Signal string // signal that ended the process, such as "killed"; "" if it exited
	Code   int    // exit code; -1 after a signal
	Why    string // first panic or fatal error on standard error; if there is none, the last line; may be ""
}

func (d *Died) Error() string {
	text := fmt.Sprintf("the process that did the work ended with exit code %d", d.Code)
	if d.Signal != "" {
		text = fmt.Sprintf("the process that did the work was ended by the signal %q", d.Signal)
	}
	if d.Why != "" {
		text += ": " + d.Why
	}
	return text
}

const (
	headBytes = 4 << 10
	lineBytes = 500 // greatest length of Died.Why
)

// head keeps the first 4 KiB of the standard error, where a crashing Go program prints the reason.
type head struct{ text []byte }

func (h *head) Write(b []byte) (int, error) {
	h.text = append(h.text, b[:min(len(b), headBytes-len(h.text))]...)
	return len(b), nil
}

func (h *head) why() (line string) {
	for line = range strings.Lines(strings.TrimSpace(string(h.text))) {
		if strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") {
			break
		}
	}
	line = strings.TrimSpace(line)
	return line[:min(len(line), lineBytes)]
}
