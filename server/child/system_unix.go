//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package child

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// lockFile makes f this process's alone, until it is closed or the process ends. It does
// not wait.
func lockFile(f *os.File) error {
	switch err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); {
	case errors.Is(err, syscall.EWOULDBLOCK):
		return errTaken
	case err != nil:
		return errUnlocked
	}
	return nil
}

// apart puts a process into a group of its own, so that ^C at a terminal reaches its
// parent alone.
func apart(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
