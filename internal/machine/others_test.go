package machine

import (
	"os"
	"runtime"
	"testing"
)

// TestResident: this process holds something, less than its peak, and one that is not
// there holds nothing.
func TestResident(t *testing.T) {
	if now := Resident(os.Getpid()); runtime.GOOS == "linux" && (now < 1<<20 || now > PeakMemory()) {
		t.Errorf("%d bytes, %d at the most", now, PeakMemory())
	}
	if now := Resident(-1); now != 0 {
		t.Errorf("nobody holds %d bytes", now)
	}
}
