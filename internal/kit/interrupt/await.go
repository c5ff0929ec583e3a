package interrupt

import (
	"context"
	"fmt"
	"runtime/debug"
)

// Await returns the result of do. If ctx ends first, Await returns the error of ctx, and do
// continues in its goroutine. Therefore do must end within a few seconds, and must not change data
// of the caller. If do panics, Await panics.
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
