// Package interrupt checks a context now and then in a loop whose passes are so short that a check
// in each would cost more than the pass.
//
//	for … {                       a pass of some nanoseconds
//	    if err := w.Look(); …     asks the context at every 2^14th call
//	}
package interrupt

import "context"

// Every calls of Look, of some nanoseconds' work each, come to less than a tenth of a second.
const Every = 1 << 14

// Watch looks at a context. It is for one goroutine.
type Watch struct {
	ctx   context.Context
	calls int
}

// Context begins to watch a context.
func Context(ctx context.Context) Watch { return Watch{ctx: ctx} }

// Look returns the context's error, soon after it has one.
func (w *Watch) Look() error {
	if w.calls++; w.calls < Every {
		return nil
	}
	return w.ask()
}

// Work counts as the given number of calls of Look.
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
