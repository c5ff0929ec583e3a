//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package store

import (
	"errors"
	"os"
	"syscall"
)

// Locks belong to an open file, not to a process, and end when it is closed. Where a file
// system has no locks, all are granted.

// lockShared locks a file beside others who do the same. It waits while somebody has the file
// alone, who removes it or lets go of it at once.
func lockShared(f *os.File) { flock(f, syscall.LOCK_SH) }

// lockAlone locks a file that nobody else has locked. It does not wait.
func lockAlone(f *os.File) bool {
	return !errors.Is(flock(f, syscall.LOCK_EX|syscall.LOCK_NB), syscall.EWOULDBLOCK)
}

func flock(f *os.File, how int) error {
	for {
		if err := syscall.Flock(int(f.Fd()), how); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}

func unlock(f *os.File) { _ = flock(f, syscall.LOCK_UN) }
