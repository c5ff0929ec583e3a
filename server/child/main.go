package child

import (
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"syscall"
	"time"

	"github.com/pavage/pavage/internal/kit/machine"
	"github.com/pavage/pavage/job"
)

// lastMoment is how long a child lives at most after the end of its standard input,
// whatever its work does.
const lastMoment = time.Second

// Main is the child's side. It does tasks until in ends, and returns the exit code. It
// lowers the priority of the whole process. When in ends in the middle of work, the
// process ends within a second: if the work does not stop in time, Main exits.
func Main(in io.Reader, out io.Writer) int {
	signal.Ignore(os.Interrupt, syscall.SIGTERM) // the parent gets these too, and ends its children in its own way
	machine.Background()
	machine.Collect(0, false)
	return serve(in, out, do)
}

// serve is Main with the work as an argument. It returns 0 after the end of in.
func serve(in io.Reader, out io.Writer, do func(*assigned, *sender) error) int {
	b := &inbox{tasks: make(chan *assigned)}
	last := time.AfterFunc(math.MaxInt64, func() { os.Exit(1) })
	defer last.Stop()
	go func() {
		err := b.read(in)
		last.Reset(lastMoment)
		b.err = err
		if b.now != nil {
			b.now.cancel()
		}
		close(b.tasks) // nothing more can come
	}()
	for a := range b.tasks {
		if err := do(a, newSender(out)); err != nil {
			fmt.Fprintln(os.Stderr, "pavage child: "+err.Error())
			return 1
		}
	}
	if b.err != io.EOF {
		fmt.Fprintln(os.Stderr, "pavage child: "+b.err.Error())
		return 1
	}
	return 0
}

// leftOver is how much memory of earlier tasks the process may still hold when a new
// task begins. It is a part of the head-room that the parent allows.
const leftOver = 16 << 20

// settle sets the threads and the memory of the process for a task.
func settle(l job.Limits) {
	if l.Threads > 0 {
		runtime.GOMAXPROCS(l.Threads)
	} else {
		runtime.SetDefaultGOMAXPROCS()
	}
	debug.SetMemoryLimit(math.MaxInt64) // removes the limit of the last task
	machine.Collect(l.Memory, true)
	m := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(m)
	if held := m[0].Value.Uint64() - m[1].Value.Uint64(); held > leftOver { // of Go's runtime
		debug.FreeOSMemory()
	}
}
