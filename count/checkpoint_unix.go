//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package count

import (
	"os"
	"syscall"
)

// lockFile makes f this process's alone, until it is closed or the process
// ends, in whatever way. It does not wait.
func lockFile(f *os.File) error {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}

// syncDir makes what was renamed or removed in a directory durable.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = d.Sync()
	if closed := d.Close(); err == nil {
		err = closed
	}
	return err
}
