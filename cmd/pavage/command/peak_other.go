//go:build !linux

package command

import "runtime"

// peakMemory is, elsewhere, what Go's runtime has had from the system.
func peakMemory() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.Sys)
}

// availableMemory is not known elsewhere.
func availableMemory() int64 { return 0 }
