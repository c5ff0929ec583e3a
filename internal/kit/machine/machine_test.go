package machine

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"

	"github.com/pavage/pavage/internal/test/testkit"
)

// TestOnDisk: a directory that is not there is none, and shared memory is not one.
func TestOnDisk(t *testing.T) {
	if OnDisk("/nowhere/at/all") {
		t.Error("a directory that is not there is on disk")
	}
	if _, err := os.Stat("/dev/shm"); err == nil && runtime.GOOS == "linux" && OnDisk("/dev/shm") {
		t.Error("/dev/shm is on disk")
	}
}

// TestMemory: a process has held something, and less than was ever free or in use.
func TestMemory(t *testing.T) {
	if PeakMemory() < 1<<20 {
		t.Errorf("the most that this process held is %d bytes", PeakMemory())
	}
	if runtime.GOOS == "linux" && FreeMemory() < 1<<20 {
		t.Errorf("%d bytes are free", FreeMemory())
	}
	if dir := TempDisk(); dir != "" && !OnDisk(dir) {
		t.Errorf("%s is not on a disk", dir)
	}
}

// TestCollect: the share of garbage of a small heap is large, the share of garbage of a large heap
// is small, and the user's setting stays.
func TestCollect(t *testing.T) {
	before := debug.SetGCPercent(100)
	defer debug.SetGCPercent(before)
	Collect(0, true)
	runtime.GC()
	if got := percent(); got != 100 {
		t.Errorf("%d%%, which the user had set to 100", got)
	}
	Collect(0, false)
	share := func(want uint64) {
		t.Helper()
		testkit.Until(t, "the share of garbage", func() bool {
			runtime.GC()
			return percent() == want
		})
	}
	share(mostPercent)
	large := make([]byte, 8*leastGarbage)
	share(leastPercent)
	runtime.KeepAlive(large)
	share(mostPercent)
}

// percent is the share of garbage that holds now.
func percent() uint64 {
	sample := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
