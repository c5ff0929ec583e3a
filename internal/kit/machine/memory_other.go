//go:build !linux

package machine

import "runtime"

// PeakMemory is, elsewhere, what Go's runtime has had from the system.
func PeakMemory() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.Sys)
}

// FreeMemory is not known elsewhere.
func FreeMemory() int64 { return 0 }
