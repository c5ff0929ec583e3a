// Package interrupt checks a context in a loop whose passes are so short that a check in each pass
// would need more time than the pass.
//
//	for … {                       a pass of some nanoseconds
//	    if err := w.Look(); …     checks the context at every 2^14th call
//	}
package interrupt

import "context"

// Every is the number of calls of Look for each check of the context. With some nanoseconds of work
// between two calls, the context is checked at least every tenth of a second.
const Every = 1 << 14

// Watch checks a context at every Every-th call of Look. Only one goroutine may use a Watch.
type Watch struct {
	ctx   context.Context
	calls int
}

// Context returns a Watch of a context.
func Context(ctx context.Context) Watch { return Watch{ctx: ctx} }

// Look returns nil, or the error of the context. It returns the error at most Every calls after the
// context has ended.
func (w *Watch) Look() error {
	if w.calls++; w.calls < Every {
		return nil
	}
	return w.ask()
}

// Work has the effect of the given number of calls of Look.
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
