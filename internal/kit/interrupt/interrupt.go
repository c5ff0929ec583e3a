// Package interrupt checks a context in a loop whose passes are so short that a check in each pass
// would need more time than the pass.
//
//	for … {                       a pass of some nanoseconds
//	    if err := w.Look(); …     checks the context at every 2^14th call
//	}
package interrupt

import "context"

// Every calls of Look, with some nanoseconds of work between them, need less than 0.1 s.
const Every = 1 << 14

// Watch checks a context after each Every calls of Look. Only one goroutine may use a Watch.
type Watch struct {
	ctx   context.Context
	calls int
}

// Context returns a Watch of a context.
func Context(ctx context.Context) Watch { return Watch{ctx: ctx} }

// Look returns the error of ctx, at most Every calls after ctx has ended, and else nil.
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
