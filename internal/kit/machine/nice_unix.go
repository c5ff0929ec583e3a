//go:build unix && !solaris && !illumos && !aix

package machine

import "syscall"

// With 10, a process gets about a tenth of a core that it shares. 19 is the lowest priority.
const niceness = 10

// Background gives this process a low priority, and lets the kernel kill it first when memory is short.
func Background() {
	// Through its process group all threads get the niceness, if the group has only this process.
	which := syscall.PRIO_PROCESS
	if syscall.Getpgrp() == syscall.Getpid() {
		which = syscall.PRIO_PGRP
	}
	_ = syscall.Setpriority(which, 0, niceness)
	offerFirst()
}
