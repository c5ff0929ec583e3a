package ordered_test

import (
	"context"
	"iter"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/pavage/pavage/internal/kit/ordered"
)

// upTo yields 0 … n-1 and records the number of elements yielded.
func upTo(n int, taken *int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range n {
			*taken = i + 1
			if !yield(i) {
				return
			}
		}
	}
}

// TestMap: results come in order, few elements are held, and few calls run at the same time.
func TestMap(t *testing.T) {
	for _, threads := range []int{0, 1, 2, 3, 8} {
		for _, n := range []int{0, 1, 5, 1000} {
			taken, got := 0, []int(nil)
			var running atomic.Int64
			square := func(_ context.Context, i int) int {
				defer running.Add(-1)
				if running.Add(1) > int64(max(1, threads)) {
					t.Errorf("%d threads: more calls at the same time", threads)
				}
				return i * i
			}
			for s := range ordered.Map(t.Context(), threads, upTo(n, &taken), square) {
				if got = append(got, s); taken-len(got) > ordered.InFlight(threads) {
					t.Fatalf("%d threads: %d taken, %d yielded", threads, taken, len(got))
				}
			}
			for i, s := range got {
				if s != i*i {
					t.Fatalf("%d threads: result %d is %d", threads, i, s)
				}
			}
			if len(got) != n {
				t.Errorf("%d threads: %d results of %d", threads, len(got), n)
			}
		}
	}
}

// TestMapSideBySide: with n threads n calls run at the same time.
func TestMapSideBySide(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		taken, arrived := 0, make(chan bool)
		meet := func(_ context.Context, i int) int { // ends when both of a pair are there
			select {
			case arrived <- true:
			case <-arrived:
			}
			return i
		}
		got := slices.Collect(ordered.Map(t.Context(), 2, upTo(10, &taken), meet))
		if len(got) != 10 || !slices.IsSorted(got) {
			t.Errorf("%v", got)
		}
	})
}

// TestMapStops: when the caller stops, running calls see the end of their context, no other call
// starts, and no goroutine is left: synctest.Test fails if one is left.
func TestMapStops(t *testing.T) {
	for _, threads := range []int{1, 2, 8} {
		synctest.Test(t, func(t *testing.T) {
			taken := 0
			wait := func(ctx context.Context, i int) int {
				if i > 2 {
					<-ctx.Done()
				}
				return i
			}
			for i := range ordered.Map(t.Context(), threads, upTo(1000, &taken), wait) {
				if i == 2 {
					break
				}
			}
			if taken > 3+ordered.InFlight(threads) {
				t.Errorf("%d threads: %d elements taken", threads, taken)
			}
		})
	}
}
