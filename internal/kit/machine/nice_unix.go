//go:build unix && !solaris && !illumos && !aix

package machine

import "syscall"

// niceness is the priority of a process in the background, of 0 to 19 (lowest). At 10 the process
// gets about a tenth of a core that another process uses too, and the whole of an idle core.
const niceness = 10

// Background makes this process stand back behind others: they get the processor first, and where
// memory runs out, the kernel kills this one first. A setting that the system refuses stays
// unchanged.
func Background() {
	// Linux gives a niceness to a thread, and there are several already. All of them
	// have it if the group of processes is asked for, which is this one's alone.
	which := syscall.PRIO_PROCESS
	if syscall.Getpgrp() == syscall.Getpid() {
		which = syscall.PRIO_PGRP
	}
	_ = syscall.Setpriority(which, 0, niceness)
	offerFirst()
}
