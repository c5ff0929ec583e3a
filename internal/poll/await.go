package poll

import (
	"context"
	"fmt"
	"runtime/debug"
)

// Await returns the result of do, or the context's error as soon as the context ends. Then do
// goes on in a goroutine of its own until it returns, and its result is dropped. So do must
// change nothing that its caller uses. Await is for code that looks at no context and returns
// after some seconds at most. A panic of do becomes a panic of Await with the stack of do.
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
