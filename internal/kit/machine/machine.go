// Package machine measures the resources of the machine, and sets limits and priorities of a
// process.
//
// # Purpose
//
//	FreeMemory   bytes that the machine can still give, 0 if that is unknown
//	PeakMemory   the most bytes that this process has held
//	OnDisk       whether a directory is on a disk and not a part of memory
//	TempDisk     a directory for temporary files that is on a disk
//	Collect      what Go's garbage collector may leave lying about
//	Resident     bytes that another process holds now, 0 if that is unknown
//	Background   makes this process stand back behind others
//
// One file a system where systems differ: on Linux all functions work, on other systems some return
// no more than the Go runtime provides.
//
// # Non-goals
//
// No policy: how much of the free memory a piece of work gets is package job's to decide. Nothing
// is kept between calls, so FreeMemory is worth asking once, before the work begins: later the work
// itself uses some of the memory.
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

// Garbage may be leastPercent of the live heap, or leastGarbage bytes, but at most mostPercent. Levels
// are a few large arrays without pointers, which cost the collector nothing. (14x14 tetrominoes: 16 GB
// with Go's 100%, for levels of 10 GB.) To collect after each megabyte was half the time of a million
// samples of 8x8 dominoes. More than 200% makes no short run faster.
const (
	leastPercent = 20
	mostPercent  = 200
	leastGarbage = 8 << 20
)

// Collect sets the garbage collector for work with at most memory bytes; 0: no limit. It must be called
// once, at the begin. With userSet, the percentage that the user has set (GOGC) stays.
func Collect(memory int64, userSet bool) {
	if memory > 0 {
		debug.SetMemoryLimit(memory)
	}
	if !userSet {
		debug.SetGCPercent(mostPercent)
		runtime.AddCleanup(new([16]*byte), pace, mostPercent)
	}
}

// pace runs after each collection, as the cleanup of an object that the collection frees.
func pace(percent int) {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	next := int(100 * leastGarbage / max(1, live[0].Value.Uint64()))
	next -= next % leastPercent // each change stops all goroutines for a moment
	next = min(max(leastPercent, next), mostPercent)
	if next != percent {
		debug.SetGCPercent(next)
	}
	runtime.AddCleanup(new([16]*byte), pace, next)
}
