package job

import (
	"runtime"
	"testing"
	"time"
)

// TestResolve: settings of 0 and "" become the usual limits; other settings do not change.
func TestResolve(t *testing.T) {
	l := Resolve(0, 0, "")
	if l.Threads != runtime.GOMAXPROCS(0) {
		t.Errorf("%d threads", l.Threads)
	}
	if runtime.GOOS == "linux" && l.Memory <= 0 {
		t.Errorf("%d bytes are free", l.Memory)
	}
	if l := Resolve(1000, 3, NoDisk); l != (Limits{Memory: 1000, Threads: 3}) {
		t.Errorf("%+v", l)
	}
	if l := Resolve(1000, 3, "here"); l.Disk != "here" {
		t.Errorf("%+v", l)
	}
}

// TestShare: n shares together are at most the whole, and no share is unlimited because the whole
// is small.
func TestShare(t *testing.T) {
	whole := Limits{Memory: 1000, Threads: 8, Time: time.Hour, Disk: "d", Checkpoint: "c", CheckpointEvery: time.Minute}
	if got := whole.Share(4); got != (Limits{Memory: 250, Threads: 2, Time: time.Hour, Disk: "d"}) {
		t.Errorf("%+v", got)
	}
	if got := (Limits{Memory: 3, Threads: 2}).Share(5); got != (Limits{Memory: 1, Threads: 1}) {
		t.Errorf("%+v", got)
	}
	if got := (Limits{}).Share(1000); got.Memory != 0 || got.Threads != 1 {
		t.Errorf("%+v", got)
	}
}
