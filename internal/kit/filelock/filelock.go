// Package filelock locks files, so that only one process at a time uses a file or a folder.
//
// # Purpose
//
// A lock belongs to an open file and ends when the file is closed, also when the process ends or is
// killed. (A file with the id of a process would remain after a kill.)
//
//	Alone    takes an exclusive lock, or returns ErrTaken at once if another process has a lock
//	Shared   takes a shared lock; it waits while another process has the exclusive lock
//	Unlock   ends the lock before the file is closed
//
// If a writer locks its unfinished file, [RemoveDead] can remove the files of killed writers
// without removing the files of running writers.
//
// A directory can be locked like a file. A second lock of the same open file replaces the first.
//
// # Non-goals
//
// Where files cannot be locked (Windows, some network file systems), the error is ErrNone, and the
// caller decides whether to continue without a lock. The locks are advisory: they do not prevent
// reading or writing, and have no effect on processes that do not ask for a lock.
//
// # References
//
// Linux, flock(2): since Linux 2.6.12 these locks also work between machines on NFS.
package filelock

import (
	"errors"
	"os"
	"time"
)

var (
	// ErrTaken is the error for a file that another process has locked.
	ErrTaken = errors.New("another process has locked the file")
	// ErrNone is the error for a file that cannot be locked.
	ErrNone = errors.New("the system cannot lock the file")
)

const unlockedAge = 7 * 24 * time.Hour // if a file cannot be locked, RemoveDead removes it at this age

// RemoveDead removes an unfinished file whose writer has ended, and reports whether it did. After a
// writer has locked its file, it must call [At]: RemoveDead may have removed it before.
func RemoveDead(path string, now time.Time) bool {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0) // some systems lock only files that are open for writing
	if err != nil {
		return false
	}
	defer f.Close()
	err = Alone(f)
	if err == nil && At(f, path) || errors.Is(err, ErrNone) && now.Sub(info.ModTime()) >= unlockedAge {
		return os.Remove(path) == nil
	}
	return false
}

// At reports whether name is still the name of the open file.
func At(f *os.File, name string) bool {
	a, err := f.Stat()
	if err != nil {
		return false
	}
	b, err := os.Lstat(name)
	return err == nil && os.SameFile(a, b)
}
