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

// syncDir makes what was renamed or removed in a directory durable. There are
// file systems that do so anyway and refuse to be asked.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	if err = d.Sync(); errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		err = nil
	}
	if closed := d.Close(); err == nil {
		err = closed
	}
	return err
}
