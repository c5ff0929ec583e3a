package machine

import (
	"os"
	"strconv"
	"strings"
	"syscall"
)

// PeakMemory is the most memory, in bytes, that the process has held. It is
// the kernel's VmHWM: getrusage, the second choice, starts a program at the
// peak of the one that started it, which can be a shell's or a test's.
func PeakMemory() int64 {
	if peak := procBytes("/proc/self/status", "VmHWM:"); peak > 0 {
		return peak
	}
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return usage.Maxrss << 10
}

// FreeMemory is the memory, in bytes, that the machine can still give to this process,
// or 0 if the kernel does not say. The limit of a container or a systemd unit counts too.
func FreeMemory() int64 {
	return min(procBytes("/proc/meminfo", "MemAvailable:"), groupFree(os.DirFS("/")))
}

// procBytes reads a size of one of the kernel's tables, which give them in kB
// (1024 bytes); 0 if it is not there.
func procBytes(table, field string) int64 {
	text, _ := os.ReadFile(table)
	if _, after, ok := strings.Cut("\n"+string(text), "\n"+field); ok {
		if kib, err := strconv.ParseInt(strings.Fields(after)[0], 10, 64); err == nil {
			return kib << 10
		}
	}
	return 0
}
