//go:build !js

package interrupt

// yield does nothing: other goroutines have threads of their own.
func yield() {}
