// Package testkit holds the helpers that the tests of several packages share.
//
// # Purpose
//
// A test that measures time fails on a busy machine. So tests count instead: calls of a context's
// Err ("looks"), allocated bytes, steps. If nothing can be counted, they wait for an event:
//
//	ctx := testkit.AfterLooks(t, 3)   // a context that ends after 3 looks
//	testkit.Until(t, "the file", ok)  // waits until ok returns true
//	testkit.Section(t, "page.md", …)  // compares a part of a page with a generated text
//
//	look       0    1    2    3    4
//	ctx.Err()  nil  nil  nil  end  end     ctx.Late() = 1
//
// Slow tests are left out of `make test`. `make test-long` runs them, and no others; the program
// longer lists them:
//
//	testkit.Long(t)                    // skips the test, unless this is the long run
//	n := testkit.Size(1_000, 50_000)   // 1,000 cases, or 50,000 in the long run
//	testkit.Serial(t)                  // skips the test for the race detector: it has one goroutine
//
// # Non-goals
//
// It has no puzzles (package puzzletest), no answers (package facts) and no
// solver (package oracle). The program itself never imports it.
package testkit

import (
	"context"
	"os"
	"runtime"
	"sync/atomic"
	"testing"
	"time"
)

// LongVariable is the environment variable that asks for the long run.
const LongVariable = "TEST_LONG"

// IsLong reports whether this is the long run.
func IsLong() bool { return os.Getenv(LongVariable) != "" }

// Long skips a test that is too slow for `make test`.
func Long(t testing.TB) {
	t.Helper()
	if !IsLong() {
		t.Skipf("slow: `make test-long` runs it, or %s=1 go test", LongVariable)
	}
}

// Size returns a number of cases: short in `make test`, long in `make test-long`.
func Size(short, long int) int {
	if IsLong() {
		return long
	}
	return short
}

// Serial skips a test of one goroutine in `make race`, which runs tests with -short.
func Serial(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("uses one goroutine")
	}
}

// Patience is the time limit of Until. It only ends a test that hangs, even on a machine that is a
// hundred times slower than usual.
const Patience = 5 * time.Minute

// Until waits until ok returns true, at most Patience.
func Until(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(Patience); !ok(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: waited for it for %v", what, Patience)
		}
	}
}

// Allocated returns the bytes that all goroutines allocate while f runs.
func Allocated(f func()) int64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int64(after.TotalAlloc - before.TotalAlloc)
}

// Looks is a context that ends after a number of looks (calls of Err), and not after a time.
type Looks struct {
	context.Context
	last   int64
	looks  atomic.Int64 // how often Err was called
	cancel context.CancelFunc
}

// AfterLooks returns a context whose first n looks return nil. From then on, looks return
// [context.DeadlineExceeded].
func AfterLooks(t testing.TB, n int) *Looks {
	inner, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	return &Looks{Context: inner, last: int64(n), cancel: cancel}
}

// Err counts one look at the context.
func (l *Looks) Err() error {
	if l.looks.Add(1) <= l.last {
		return nil
	}
	l.cancel() // closes Done
	return context.DeadlineExceeded
}

// Made returns the number of looks.
func (l *Looks) Made() int { return int(l.looks.Load()) }

// Ended reports whether a look has returned the error.
func (l *Looks) Ended() bool { return l.Late() >= 0 }

// Late returns the number of looks after the first that returned the error; negative before that.
func (l *Looks) Late() int { return int(l.looks.Load() - l.last - 1) }
