package poll

import "context"

// Await returns the result of do, or the context's error as soon as the context ends. Then do
// goes on in a goroutine of its own until it returns, and its result is dropped. So do must
// change nothing that its caller uses. Await is for code that looks at no context and returns
// after some seconds at most.
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
