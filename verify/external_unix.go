//go:build unix

package verify

import (
	"os/exec"
	"syscall"
)

// inGroup lets the end of the context end what the command has started as well.
func inGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
