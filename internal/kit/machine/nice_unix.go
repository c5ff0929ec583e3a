//go:build unix && !solaris && !illumos && !aix

package machine

import "syscall"

// niceness is 0 to 19 (lowest). At 10 a process gets about a tenth of a core that another uses too,
// and the whole of an idle core.
const niceness = 10

// Background makes this process stand back: others get the processor first, and the kernel kills
// this one first when memory runs out.
func Background() {
	// Linux gives a niceness to a thread. All threads get it through the group of processes, if it
	// is this one's alone.
	which := syscall.PRIO_PROCESS
	if syscall.Getpgrp() == syscall.Getpid() {
		which = syscall.PRIO_PGRP
	}
	_ = syscall.Setpriority(which, 0, niceness)
	offerFirst()
}
