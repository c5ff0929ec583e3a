package main

import (
	"syscall/js"

	"github.com/pavage/pavage/internal/kit/jsbytes"
	"github.com/pavage/pavage/server/browser"
)

// journal is the database of the page.
type journal struct{}

func (journal) Keep(kind, key string, record []byte) {
	js.Global().Call("keep", kind, key, jsbytes.To(record))
}

func (journal) Drop(kind, key string) { js.Global().Call("drop", kind, key) }

// records are the records that earlier visits have kept.
func records() (all []browser.Record) {
	of := js.Global().Call("records")
	for i := range of.Length() {
		r := of.Index(i)
		all = append(all, browser.Record{Kind: r.Get("kind").String(), Key: r.Get("key").String(), Bytes: jsbytes.From(r.Get("bytes"))})
	}
	return all
}
