package interrupt

import (
	"context"
	"fmt"
	"runtime/debug"
)

// Await returns the result of do, or the context's error as soon as it ends: then do runs on, and
// its result is dropped, so do must not change data of the caller. It is for functions of a few
// seconds without a context. A panic of do becomes a panic of Await.
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
