package child

import (
	"context"
	"slices"
	"syscall/js"

	"golang.org/x/sync/semaphore"

	"github.com/pavage/pavage/internal/kit/jsbytes"
)

// MainOfWorker is [Main] in a Web Worker.
func MainOfWorker() int {
	in, out := pipes()
	return Main(in, out)
}

// pipes returns the pipe from the parent and the pipe to it. The function hear of the page's script calls
// its first argument with each message of the parent, and its second with how many more bytes of this
// worker the parent has read. The function say sends bytes to the parent.
func pipes() (*stream, toParent) {
	in, out := newStream(func(int) {}), toParent{semaphore.NewWeighted(pipe)}
	js.Global().Call("hear",
		js.FuncOf(func(_ js.Value, args []js.Value) any { in.push(jsbytes.From(args[0])); return nil }),
		js.FuncOf(func(_ js.Value, args []js.Value) any { out.room.Release(int64(args[0].Int())); return nil }))
	return in, out
}

// pipe is how many bytes of a child may be on the way, as in a pipe of Linux. Then Write waits, and the
// thread of the Web Worker looks for messages of its parent.
const pipe = 64 << 10

// toParent sends what is written to it.
type toParent struct{ room *semaphore.Weighted }

func (p toParent) Write(b []byte) (int, error) {
	for piece := range slices.Chunk(b, pipe) {
		_ = p.room.Acquire(context.Background(), int64(len(piece))) // the parent reads, or ends this worker
		js.Global().Call("say", jsbytes.To(piece))
	}
	return len(b), nil
}
