package machine

import (
	"os"
	"runtime"
	"testing"
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
