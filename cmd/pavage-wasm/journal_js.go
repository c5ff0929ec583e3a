package main

import (
	"syscall/js"

	"github.com/pavage/pavage/server/browser"
)

// journal is the database of the page.
type journal struct{}

func (journal) Keep(kind, key string, record []byte) {
	js.Global().Call("keep", kind, key, jsBytes(record))
}

func (journal) Drop(kind, key string) { js.Global().Call("drop", kind, key) }

// records are the records that earlier visits have kept.
func records() (all []browser.Record) {
	of := js.Global().Call("records")
	for i := range of.Length() {
		r := of.Index(i)
		all = append(all, browser.Record{Kind: r.Get("kind").String(), Key: r.Get("key").String(), Bytes: goBytes(r.Get("bytes"))})
	}
	return all
}

func jsBytes(b []byte) js.Value {
	to := js.Global().Get("Uint8Array").New(len(b))
	js.CopyBytesToJS(to, b)
	return to
}

func goBytes(of js.Value) []byte {
	b := make([]byte, of.Length())
	js.CopyBytesToGo(b, of)
	return b
}
