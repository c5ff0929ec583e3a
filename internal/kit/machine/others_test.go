package machine

import (
	"os"
	"runtime"
	"testing"
)

// TestResident: this process holds something, not much more than its peak, and a process that does
// not exist holds nothing. The kernel adds up pages in batches for each thread, so that the current
// figure may be ahead of the peak.
func TestResident(t *testing.T) {
	const batches = 16 << 20
	if now := Resident(os.Getpid()); runtime.GOOS == "linux" && (now < 1<<20 || now > PeakMemory()+batches) {
		t.Errorf("%d bytes, %d at the most", now, PeakMemory())
	}
	if now := Resident(-1); now != 0 {
		t.Errorf("nobody holds %d bytes", now)
	}
}
