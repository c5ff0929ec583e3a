//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package child

import (
	"os/exec"
	"syscall"
)

// apart gives the child a process group of its own, so that ^C at a terminal reaches only the
// parent.
func apart(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
