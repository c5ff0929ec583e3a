//go:build unix && !solaris && !illumos && !aix

package machine

import "syscall"

// A process with this niceness gets a tenth of a core that a process of normal priority shares.
const niceness = 10

// Background gives this process a low priority. The kernel kills it first if memory is short.
func Background() {
	// PRIO_PROCESS changes only one thread. PRIO_PGRP changes all threads of all processes in the
	// group, so it is used only if this process leads the group.
	which := syscall.PRIO_PROCESS
	if syscall.Getpgrp() == syscall.Getpid() {
		which = syscall.PRIO_PGRP
	}
	_ = syscall.Setpriority(which, 0, niceness)
	offerFirst()
}
