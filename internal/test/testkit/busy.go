package testkit

import (
	"sync"
	"sync/atomic"
	"testing"
)

// Busy starts goroutines that compute until the end of the test or a call of stop.
func Busy(t testing.TB, goroutines int) (stop func()) {
	var end atomic.Bool
	var busy sync.WaitGroup
	for range goroutines {
		busy.Go(func() {
			for !end.Load() {
			}
		})
	}
	stop = func() {
		end.Store(true)
		busy.Wait()
	}
	t.Cleanup(stop)
	return stop
}
