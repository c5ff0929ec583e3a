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

// The function hear of the script calls its first argument with each message, and its second
// argument with the number of bytes that the parent has just read.
func pipes() (*stream, toParent) {
	in, out := newStream(func(int) {}), toParent{semaphore.NewWeighted(pipe)}
	js.Global().Call("hear",
		js.FuncOf(func(_ js.Value, args []js.Value) any { in.push(jsbytes.From(args[0])); return nil }),
		js.FuncOf(func(_ js.Value, args []js.Value) any { out.room.Release(int64(args[0].Int())); return nil }))
	return in, out
}

// pipe is the greatest number of bytes that the parent has not yet read, as in a pipe on Linux.
// While Write waits for the parent, messages are handled.
const pipe = 64 << 10

type toParent struct{ room *semaphore.Weighted }

func (p toParent) Write(b []byte) (int, error) {
	for piece := range slices.Chunk(b, pipe) {
		_ = p.room.Acquire(context.Background(), int64(len(piece))) // cannot fail; a parent that does not read ends this Web Worker
		js.Global().Call("say", jsbytes.To(piece))
	}
	return len(b), nil
}
