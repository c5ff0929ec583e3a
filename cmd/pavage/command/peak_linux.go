package command

import (
	"os"
	"strconv"
	"strings"
	"syscall"
)

// peakMemory is the most memory, in bytes, that the process has held. It is
// the kernel's VmHWM: getrusage, the second choice, starts a program at the
// peak of the one that started it, which can be a shell's or a test's.
func peakMemory() int64 {
	status, _ := os.ReadFile("/proc/self/status")
	if _, after, ok := strings.Cut(string(status), "\nVmHWM:"); ok {
		if kib, err := strconv.ParseInt(strings.Fields(after)[0], 10, 64); err == nil {
			return kib << 10
		}
	}
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return usage.Maxrss << 10
}
