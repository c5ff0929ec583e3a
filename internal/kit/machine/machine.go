// Package machine measures the resources of the machine, and sets limits and priorities of a
// process.
//
// # Purpose
//
//	FreeMemory   bytes of memory that are free, 0 if unknown
//	PeakMemory   greatest number of bytes that this process has held
//	OnDisk       whether a directory is on a disk, and not in memory
//	TempDisk     a directory for temporary files that is on a disk
//	Collect      sets Go's garbage collector for a limit of memory
//	Resident     bytes that another process holds now, 0 if unknown
//	Background   gives this process a low priority
//
// All functions work on Linux. On other systems, some return only values of the Go runtime, or 0.
//
// # Non-goals
//
// The package has no policy: package job decides how much of the free memory a piece of work gets.
// No function keeps a result. So a program should call FreeMemory once, before the work begins,
// because the work uses memory itself.
package machine

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// TempDisk returns a directory for temporary files that is on a disk, or "".
func TempDisk() string {
	for _, dir := range []string{os.TempDir(), "/var/tmp"} {
		if OnDisk(dir) {
			return dir
		}
	}
	return ""
}

// The garbage collector runs when the garbage reaches a percentage of the live heap. The function
// pace sets the percentage, from leastPercent to mostPercent, so that this happens after
// leastGarbage bytes of garbage. Levels are a few large arrays without pointers, which the
// collector does not scan, so a small percentage is cheap. (With Go's 100%, 14x14 tetrominoes need
// 16 GB for levels of 10 GB.) On a small heap, leastGarbage avoids a collection after each
// megabyte. Such collections needed half the time of a million samples of 8x8 dominoes.
const (
	leastPercent = 20
	mostPercent  = 200
	leastGarbage = 8 << 20
)

// Collect sets the garbage collector for work with at most the given bytes; 0 means no limit. It
// must be called once, at the beginning. If userSet is true, the user's percentage (GOGC) stays.
func Collect(memory int64, userSet bool) {
	if memory > 0 {
		debug.SetMemoryLimit(memory)
	}
	if !userSet {
		debug.SetGCPercent(mostPercent)
		runtime.AddCleanup(new([16]*byte), pace, mostPercent)
	}
}

// pace runs after each collection, as the cleanup of an object that the collection has freed.
func pace(percent int) {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	next := int(100 * leastGarbage / max(1, live[0].Value.Uint64()))
	next -= next % leastPercent // rounded, because each change stops all goroutines for a moment
	next = min(max(leastPercent, next), mostPercent)
	if next != percent {
		debug.SetGCPercent(next)
	}
	runtime.AddCleanup(new([16]*byte), pace, next)
}
