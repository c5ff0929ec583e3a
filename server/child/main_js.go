package child

import (
	"io"
	"syscall/js"
)

// MainOfWorker is [Main] in a Web Worker: the function hear of the page's script calls its argument
// with each message of the parent, and the function say sends bytes to the parent.
func MainOfWorker() int {
	in := newStream()
	js.Global().Call("hear", js.FuncOf(func(_ js.Value, args []js.Value) any {
		in.push(goBytes(args[0]))
		return nil
	}))
	return Main(in, toParent{})
}

// toParent receives what is written to it.
type toParent struct{}

var _ io.Writer = toParent{}

func (toParent) Write(b []byte) (int, error) {
	piece := js.Global().Get("Uint8Array").New(len(b))
	js.CopyBytesToJS(piece, b)
	js.Global().Call("say", piece)
	return len(b), nil
}
