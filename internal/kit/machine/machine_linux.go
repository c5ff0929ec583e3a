package machine

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// PeakMemory returns the peak memory of the process in bytes. It uses getrusage only if /proc has
// no value, since getrusage may return the peak of the parent process.
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

// FreeMemory returns the bytes free in both the machine and the control group, or 0 if unknown.
func FreeMemory() int64 {
	return min(procBytes("/proc/meminfo", "MemAvailable:"), groupFree(os.DirFS("/")))
}

// TotalMemory returns the bytes of memory of the machine, or 0 if they are unknown.
func TotalMemory() int64 { return procBytes("/proc/meminfo", "MemTotal:") }

// procBytes returns the bytes of a field, or 0. In the tables of the kernel, kB means 1024 bytes.
func procBytes(table, field string) int64 {
	text, _ := os.ReadFile(table)
	if _, after, ok := strings.Cut("\n"+string(text), "\n"+field); ok {
		if kib, err := strconv.ParseInt(strings.Fields(after)[0], 10, 64); err == nil {
			return kib << 10
		}
	}
	return 0
}

// OnDisk reports whether a directory is on a disk, and not on a file system in memory.
func OnDisk(dir string) bool {
	const tmpfs, ramfs = 0x01021994, 0x858458f6 // see statfs(2)
	var f syscall.Statfs_t
	if err := syscall.Statfs(dir, &f); err != nil {
		return false
	}
	return uint32(f.Type) != tmpfs && uint32(f.Type) != ramfs
}

// FreeDisk returns the free bytes of the file system of dir, or 0 if dir is "".
func FreeDisk(dir string) float64 {
	var f syscall.Statfs_t
	if dir == "" || syscall.Statfs(dir, &f) != nil {
		return 0
	}
	return float64(f.Bavail) * float64(f.Bsize)
}

// Resident returns the bytes that a process holds now, or 0 if they are unknown.
func Resident(pid int) int64 {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	fields := strings.Fields(string(text)) // total and resident pages, and more: see proc(5)
	if len(fields) < 2 {
		return 0
	}
	pages, err := strconv.ParseInt(fields[1], 10, 64)
	if err != nil {
		return 0
	}
	return pages * int64(os.Getpagesize())
}

const killFirst = "800" // the kernel first kills processes with values near 1000: see oom_score_adj in proc(5)

func offerFirst() { _ = os.WriteFile("/proc/self/oom_score_adj", []byte(killFirst), 0) }
