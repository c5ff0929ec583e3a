package child

import (
	"fmt"
	"strings"
)

// Died is the error of a process that ended by itself, or was killed, but not by its parent.
type Died struct {
	Signal string // that ended it, such as "killed"; "" for none
	Code   int    // its exit code; -1 with a signal
	Why    string // the line of standard error that best explains the end; "": none
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
	lineBytes = 500 // of the line that says why
)

// head keeps the first bytes: a Go program that crashes first prints the reason.
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
