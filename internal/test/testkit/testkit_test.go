package testkit

import (
	"context"
	"errors"
	"testing"
)

func TestLooks(t *testing.T) {
	for n := range 4 {
		ctx := AfterLooks(t, n)
		for look := range n {
			if err := ctx.Err(); err != nil || ctx.Ended() || ctx.Made() != look+1 {
				t.Errorf("look %d of %d: %v, ended %v, %d made", look, n, err, ctx.Ended(), ctx.Made())
			}
		}
		for late := range 3 {
			if err := ctx.Err(); !errors.Is(err, context.DeadlineExceeded) || ctx.Late() != late {
				t.Errorf("look %d after %d: %v, %d late", late, n, err, ctx.Late())
			}
			<-ctx.Done()
		}
	}
}

func TestSize(t *testing.T) {
	t.Setenv(LongVariable, "")
	if got := Size(3, 8); got != 3 || IsLong() {
		t.Errorf("short: %d", got)
	}
	t.Setenv(LongVariable, "1")
	if got := Size(3, 8); got != 8 || !IsLong() {
		t.Errorf("long: %d", got)
	}
	Long(t) // does not skip, or the line below is missed
	t.Setenv(LongVariable, "")
	if !t.Run("skipped", func(t *testing.T) { Long(t); t.Error("a long test is run") }) {
		t.Error("not skipped")
	}
}

func TestUntil(t *testing.T) {
	n := 0
	Until(t, "three", func() bool { n++; return n == 3 })
	if n != 3 {
		t.Errorf("asked %d times", n)
	}
}

var kept []byte

func TestAllocated(t *testing.T) {
	if n := Allocated(func() { kept = make([]byte, 1<<20) }); n < 1<<20 || n > 2<<20 {
		t.Errorf("%d bytes for a MiB", n)
	}
}
