package child

import (
	"syscall/js"

	"github.com/pavage/pavage/internal/kit/jsbytes"
)

// MainOfWorker is [Main] in a Web Worker: the function hear of the page's script calls its argument
// with each message of the parent, and the function say sends bytes to the parent.
func MainOfWorker() int {
	in := newStream()
	js.Global().Call("hear", js.FuncOf(func(_ js.Value, args []js.Value) any {
		in.push(jsbytes.From(args[0]))
		return nil
	}))
	return Main(in, toParent{})
}

// toParent receives what is written to it.
type toParent struct{}

func (toParent) Write(b []byte) (int, error) {
	js.Global().Call("say", jsbytes.To(b))
	return len(b), nil
}
