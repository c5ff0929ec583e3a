package child

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/pavage/pavage/internal/kit/machine"
)

const lastMoment = time.Second

// Main does the task in the first line from the reader in, at a low priority, and returns the exit
// code. If the reader ends and the work does not end within a second, Main exits the process.
func Main(in io.Reader, out io.Writer) int {
	signal.Ignore(os.Interrupt, syscall.SIGTERM) // the parent gets these signals too, and cancels the task
	machine.Background()
	return serve(in, out, do)
}

type assigned struct {
	Task
	ctx    context.Context
	cancel context.CancelFunc
}

func serve(in io.Reader, out io.Writer, do func(*assigned, *sender) error) int {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxText)
	a := &assigned{}
	a.ctx, a.cancel = context.WithCancel(context.Background())
	defer a.cancel()
	if !lines.Scan() && lines.Err() == nil {
		return 0
	}
	d := json.NewDecoder(bytes.NewReader(lines.Bytes()))
	d.DisallowUnknownFields()
	if lines.Err() != nil || d.Decode(&a.Task) != nil {
		fmt.Fprintf(os.Stderr, "pavage child: standard input has a line that is not a task, expected JSON of at most %d bytes\n", maxText)
		return 1
	}
	over := make(chan struct{})
	defer close(over)
	go func() { // cancels the task when the parent wants it, or has ended
		for lines.Scan() {
			if lines.Text() == cancelLine {
				a.cancel()
			}
		}
		a.cancel()
		select {
		case <-over:
		case <-time.After(lastMoment):
			os.Exit(1)
		}
	}()
	if err := do(a, newSender(out)); err != nil {
		fmt.Fprintln(os.Stderr, "pavage child: "+err.Error())
		return 1
	}
	return 0
}
