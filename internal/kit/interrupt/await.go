package interrupt

import (
	"context"
	"fmt"
	"runtime/debug"
)

// Await returns the result of do, or the context's error as soon as the context ends. In that case
// do runs on in its own goroutine until it returns, and its result is dropped, so do must not
// change data that the caller uses. Await is for functions without a context that return after a
// few seconds at most. A panic of do becomes a panic of Await with the stack of do.
func Await[T any](ctx context.Context, do func() (T, error)) (T, error) {
	type result struct {
		value    T
		err      error
		panicked string
	}
	if err := ctx.Err(); err != nil {
		return result{}.value, err
	}
	done := make(chan result, 1)
	go func() {
		var r result
		defer func() {
			if p := recover(); p != nil {
				r.panicked = fmt.Sprintf("%v\n%s", p, debug.Stack())
			}
			done <- r
		}()
		r.value, r.err = do()
	}()
	select {
	case r := <-done:
		if r.panicked != "" {
			panic(r.panicked)
		}
		return r.value, r.err
	case <-ctx.Done():
		return result{}.value, ctx.Err()
	}
}
