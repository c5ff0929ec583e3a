// Package machine asks the machine what it has, and sets what a process may
// hold of it.
//
// # Purpose
//
//	FreeMemory   bytes that the machine can still give, 0 if it does not say
//	PeakMemory   the most bytes that this process has held
//	OnDisk       whether a directory is on a disk and not a part of memory
//	TempDisk     a directory for temporary files that is on a disk
//	Collect      what Go's garbage collector may leave lying about
//	Resident     bytes that another process holds now, 0 if nobody knows
//	Background   makes this process stand back behind others
//
// One file a system where systems differ: Linux tells most, of the others only
// what Go's runtime knows is told.
//
// # Non-goals
//
// No policy: how much of the free memory a piece of work gets is package job's
// to decide. Nothing is kept between calls, so FreeMemory is worth asking once,
// before the work begins: later it has less to tell, for the work has some.
package machine

import (
	"os"
	"runtime"
	"runtime/debug"
)

// TempDisk is a directory for temporary files that is on a disk, "" if there is
// none. The system's own is often a part of memory.
func TempDisk() string {
	for _, dir := range []string{os.TempDir(), "/var/tmp"} {
		if OnDisk(dir) {
			return dir
		}
	}
	return ""
}

// garbagePercent of what is in use may be garbage. Levels are a few large arrays
// without pointers, which cost the collector nothing. (14x14 tetrominoes: 16 GB
// with Go's 100, for levels of 10.)
const garbagePercent = 20

// firstPercent is the share of garbage until the first collection, which then comes when the heap has
// 8 MB. (At 4 MB, Go's own, the 5 to 9 MB of short runs cost a collection of all that was set up
// before: Soma cube, whole process: 14 ms of CPU -> 12. At 16 MB nothing is faster, and tetrominoes on
// 10x10 take 39 MB for 37.)
const firstPercent = 200

// Collect sets the garbage collector of this process for work that holds at most
// so many bytes; 0 is no limit. The work keeps its own arrays below the limit.
// This makes Go collect what they leave behind before the process doubles in
// size. It is to be called once, when the process begins. Where the user has set
// the share of garbage (GOGC), that stays.
//
// The share holds from the first collection on. Until then it would make Go collect after every
// 0.8 MB: that doubled the time of short runs, 3 ms of CPU to 6.
func Collect(memory int64, userSet bool) {
	if memory > 0 {
		debug.SetMemoryLimit(memory)
	}
	if !userSet {
		debug.SetGCPercent(firstPercent)
		runtime.AddCleanup(new([16]*byte), func(percent int) { debug.SetGCPercent(percent) }, garbagePercent)
	}
}
