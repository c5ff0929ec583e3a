//go:build unix && !solaris && !illumos && !aix

package machine

import "syscall"

// At 10 a process gets about a tenth of a core that another uses too. 19 is the lowest.
const niceness = 10

// Background lets others have the processor, and the kernel kill this process first.
func Background() {
	// The threads get a niceness through the group of processes, if it is this one's alone.
	which := syscall.PRIO_PROCESS
	if syscall.Getpgrp() == syscall.Getpid() {
		which = syscall.PRIO_PGRP
	}
	_ = syscall.Setpriority(which, 0, niceness)
	offerFirst()
}
