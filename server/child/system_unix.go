//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package child

import (
	"os/exec"
	"syscall"
)

// After apart, ^C at a terminal reaches only the parent.
func apart(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
