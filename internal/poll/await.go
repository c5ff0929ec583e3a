package poll

import "context"

// Await returns the result of do, or the context's error as soon as the context ends. In that case
// do runs on in its own goroutine until it returns, and its result is dropped, so do must not
// change data that the caller uses. Await is for functions without a context that return after a
// few seconds at most.
func Await[T any](ctx context.Context, do func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	if err := ctx.Err(); err != nil {
		return result{}.value, err
	}
	done := make(chan result, 1)
	go func() {
		value, err := do()
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		return result{}.value, ctx.Err()
	}
}
