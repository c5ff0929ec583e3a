//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package filelock

import (
	"errors"
	"os"
	"syscall"
)

// Alone locks a file exclusively. It does not wait.
func Alone(f *os.File) error { return flock(f, syscall.LOCK_EX|syscall.LOCK_NB) }

// Shared gets a shared lock of a file. It waits while another process has the exclusive lock.
func Shared(f *os.File) error { return flock(f, syscall.LOCK_SH) }

// Unlock releases the lock of a file.
func Unlock(f *os.File) error { return flock(f, syscall.LOCK_UN) }

func flock(f *os.File, how int) error {
	for {
		switch err := syscall.Flock(int(f.Fd()), how); {
		case errors.Is(err, syscall.EINTR):
		case errors.Is(err, syscall.EWOULDBLOCK):
			return ErrTaken
		case err != nil:
			return errors.Join(ErrNone, err)
		default:
			return nil
		}
	}
}
