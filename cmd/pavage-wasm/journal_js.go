package main

import (
	"syscall/js"

	"github.com/pavage/pavage/internal/kit/jsbytes"
	"github.com/pavage/pavage/server/browser"
)

// journal is the database of the page.
type journal struct{}

func (journal) Names() (all []browser.Name) {
	names := js.Global().Call("names")
	for i := range names.Length() {
		n := names.Index(i)
		all = append(all, browser.Name{Kind: n.Index(0).String(), Key: n.Index(1).String()})
	}
	return all
}

func (journal) Read(n browser.Name) []byte {
	read := make(chan []byte, 1)
	then := js.FuncOf(func(_ js.Value, args []js.Value) any {
		if args[0].IsNull() {
			close(read)
		} else {
			read <- jsbytes.From(args[0])
		}
		return nil
	})
	defer then.Release()
	js.Global().Call("read", n.Kind, n.Key, then)
	return <-read
}

func (journal) Keep(n browser.Name, record []byte) {
	js.Global().Call("keep", n.Kind, n.Key, jsbytes.To(record))
}

func (journal) Drop(n browser.Name) { js.Global().Call("drop", n.Kind, n.Key) }
