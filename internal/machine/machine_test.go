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
