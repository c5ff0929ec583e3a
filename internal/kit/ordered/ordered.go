// Package ordered computes the elements of a sequence in several goroutines and yields the
// results in the order of the sequence.
package ordered

import (
	"cmp"
	"context"
	"iter"
	"sync"
)

const ahead = 2 // elements in flight for each thread: the thread computes one while the caller uses the other

// InFlight returns the largest number of elements that Map holds at the same time.
func InFlight(threads int) int {
	if threads <= 1 {
		return 1
	}
	return ahead * threads
}

// Map yields do(ctx, a) for each element a of a sequence, in order. The argument threads limits the
// concurrent calls of do. Map reads at most InFlight(threads) elements ahead. When the caller
// stops, the context of do ends, and Map waits for running calls. It calls do even if ctx has
// ended.
func Map[A, B any](ctx context.Context, threads int, in iter.Seq[A], do func(context.Context, A) B) iter.Seq[B] {
	if threads <= 1 {
		return func(yield func(B) bool) {
			for a := range in {
				if !yield(do(ctx, a)) {
					return
				}
			}
		}
	}
	return func(yield func(B) bool) {
		inner, cancel := context.WithCancel(ctx)
		within := stopped{inner, ctx}
		calls := make(chan func(), InFlight(threads)) // sending never blocks
		var wait sync.WaitGroup
		for range threads {
			wait.Go(func() {
				for call := range calls {
					call()
				}
			})
		}
		defer wait.Wait()
		defer func() {
			cancel()
			close(calls)
			for range calls { // discard the calls that have not begun
			}
		}()
		var results []chan B // in the order of in
		for a := range in {
			if len(results) == InFlight(threads) {
				if !yield(<-results[0]) {
					return
				}
				results = results[1:]
			}
			result := make(chan B, 1)
			results = append(results, result)
			calls <- func() { result <- do(within, a) }
		}
		for _, result := range results {
			if !yield(<-result) {
				return
			}
		}
	}
}

// stopped calls outer.Err first, which in tests may return an error before outer.Done is closed.
type stopped struct {
	context.Context
	outer context.Context
}

func (s stopped) Err() error { return cmp.Or(s.outer.Err(), s.Context.Err()) }
