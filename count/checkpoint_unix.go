//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package count

import (
	"errors"
	"os"
	"syscall"
)

// lockFile makes f this process's alone, until it is closed or the process
// ends, in whatever way. It does not wait. Where files cannot be locked (some
// that are on another machine) it does nothing.
func lockFile(f *os.File) error {
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); errors.Is(err, syscall.EWOULDBLOCK) {
		return err
	}
	return nil
}
