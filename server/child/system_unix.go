//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package child

import (
	"os/exec"
	"syscall"
)

// apart puts a process into a group of its own, so that ^C at a terminal reaches only
// its parent.
func apart(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
