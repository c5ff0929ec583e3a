// Package jsbytes copies bytes between Go and JavaScript.
package jsbytes

import "syscall/js"

// From returns the bytes of a Uint8Array.
func From(of js.Value) []byte {
	b := make([]byte, of.Length())
	js.CopyBytesToGo(b, of)
	return b
}

// To returns bytes as a Uint8Array.
func To(b []byte) js.Value {
	to := js.Global().Get("Uint8Array").New(len(b))
	js.CopyBytesToJS(to, b)
	return to
}
