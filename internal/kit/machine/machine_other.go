//go:build !linux

package machine

import (
	"math"
	"os"
	"runtime"
)

// PeakMemory returns the bytes that the Go runtime has obtained from the system.
func PeakMemory() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.Sys)
}

// FreeMemory returns 0: the free memory is unknown.
func FreeMemory() int64 { return 0 }

// TotalMemory returns 0: the memory is unknown.
func TotalMemory() int64 { return 0 }

// OnDisk reports whether a directory exists. Its file system may be in memory.
func OnDisk(dir string) bool {
	i, err := os.Stat(dir)
	return err == nil && i.IsDir()
}

// FreeDisk returns 0 if dir is "", and otherwise infinity: the free space is unknown.
func FreeDisk(dir string) float64 {
	if dir == "" {
		return 0
	}
	return math.Inf(1)
}

// Resident returns 0: the memory of another process is unknown.
func Resident(int) int64 { return 0 }

func offerFirst() {}
