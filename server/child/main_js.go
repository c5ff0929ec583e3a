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

// pipes gives two functions to the JavaScript function hear. The script calls the first one with
// each message, and the second one with the number of bytes that the parent has just read.
func pipes() (*stream, toParent) {
	in, out := newStream(func(int) {}), toParent{semaphore.NewWeighted(pipe)}
	js.Global().Call("hear",
		js.FuncOf(func(_ js.Value, args []js.Value) any { in.push(jsbytes.From(args[0])); return nil }),
		js.FuncOf(func(_ js.Value, args []js.Value) any { out.room.Release(int64(args[0].Int())); return nil }))
	return in, out
}

// pipe is the greatest number of sent bytes that the parent has not read, as for a pipe of Linux.
// While Write waits for the parent, the Web Worker can receive messages.
const pipe = 64 << 10

type toParent struct{ room *semaphore.Weighted }

func (p toParent) Write(b []byte) (int, error) {
	for piece := range slices.Chunk(b, pipe) {
		_ = p.room.Acquire(context.Background(), int64(len(piece))) // never fails
		js.Global().Call("say", jsbytes.To(piece))
	}
	return len(b), nil
}
