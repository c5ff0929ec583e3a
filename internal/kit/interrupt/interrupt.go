// Package interrupt checks a context in a loop that is so fast that a check in each pass would need
// more time than the rest of the pass.
//
//	for … {                       a pass of some nanoseconds
//	    if err := w.Look(); …     one call in 2^14 checks the context
//	}
package interrupt

import "context"

// Every is the number of calls of Look from one check of the context to the next. The work between
// two checks should need at most 0.1 s.
const Every = 1 << 14

// Watch checks a context after a number of calls of Look. Only one goroutine may use a Watch.
type Watch struct {
	ctx   context.Context
	calls int
}

// Context returns a Watch of a context.
func Context(ctx context.Context) Watch { return Watch{ctx: ctx} }

// Look returns the error of ctx or nil. When ctx has ended, one of the next Every calls returns it.
func (w *Watch) Look() error {
	if w.calls++; w.calls < Every {
		return nil
	}
	return w.ask()
}

// Work is like Look, but counts as the given number of calls of Look.
func (w *Watch) Work(calls int) error {
	if w.calls += calls; w.calls < Every {
		return nil
	}
	return w.ask()
}

func (w *Watch) ask() error {
	w.calls = 0
	yield()
	return w.ctx.Err()
}
