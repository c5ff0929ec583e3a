package testkit

import (
	"sync"
	"sync/atomic"
	"testing"
)

// Busy keeps a number of goroutines busy beside a test, whose results must stay the same. They end
// with the test, or when stop is called.
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
