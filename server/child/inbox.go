package child

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
)

// inbox reads the lines of the parent in a goroutine of its own, so that the child
// reacts to them during its work.
type inbox struct {
	tasks chan *assigned // one at a time; closed when standard input has ended
	now   *assigned      // the last task; only the goroutine uses it; nil: none yet
	err   error          // why tasks was closed: io.EOF as a rule
}

// assigned is a task that the child was given.
type assigned struct {
	Task
	ctx    context.Context
	cancel context.CancelFunc
	kept   chan struct{} // closed when the parent has kept the answer
}

// errLine is the error about a line that no parent writes.
var errLine = fmt.Errorf("standard input has a line that is no task, want JSON of at most %d bytes", maxFrame)

// read reads lines until there are no more, or one that cannot be read.
func (b *inbox) read(in io.Reader) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxFrame)
	for number := int64(0); lines.Scan(); {
		var l line
		d := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		d.DisallowUnknownFields()
		switch err := d.Decode(&l); {
		case err != nil:
			return errLine
		case l.Task != nil:
			number = l.Number
			a := &assigned{Task: *l.Task, kept: make(chan struct{})}
			a.ctx, a.cancel = context.WithCancel(context.Background())
			b.now = a
			b.tasks <- a
		case l.Number == number && b.now != nil:
			if l.Cancel {
				b.now.cancel()
			}
			if l.Kept {
				close(b.now.kept)
			}
		}
	}
	if lines.Err() != nil {
		return errLine
	}
	return io.EOF
}
