// Package interrupt checks a context now and then in a loop whose passes are so short that a check
// in each would cost more than the pass.
//
//	for … {                       a pass of some nanoseconds
//	    if err := w.Look(); …     asks the context at every 2^14th call
//	}
package interrupt

import "context"

// Every calls of Look, each after some nanoseconds of work, need less than a tenth of a second.
const Every = 1 << 14

// Watch looks at a context. It must not be used by several goroutines at once.
type Watch struct {
	ctx   context.Context
	calls int
}

// Context returns a Watch of a context.
func Context(ctx context.Context) Watch { return Watch{ctx: ctx} }

// Look returns the error of the context, at most Every calls after the context has ended.
func (w *Watch) Look() error {
	if w.calls++; w.calls < Every {
		return nil
	}
	return w.ask()
}

// Work has the effect of this number of calls of Look.
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
