// Package filelock keeps processes out of each other's way, by locks on files.
//
// # Purpose
//
// A lock belongs to a file that a process has open, and ends when the file is closed: so also when
// the process ends, in whatever way. A file with the number of the process that owns it would stay.
//
//	Alone    an exclusive lock, or ErrTaken if another process has a lock, without waiting
//	Shared   a shared lock: it waits while another process has the exclusive lock
//	Unlock   before the file is closed
//
// A writer that locks its unfinished file can be killed at any time: [RemoveDead] removes the files
// of dead writers only.
//
// A directory can be locked like a file. Locking an open file again changes the lock that it has.
//
// # Non-goals
//
// Where files cannot be locked (Windows, some network file systems) the error is ErrNone, and the
// caller decides how to go on without a lock. The locks are advisory: only processes that ask for a
// lock are kept out, and a lock does not prevent reading or writing.
//
// # References
//
// Linux, flock(2): since 2.6.12 such locks hold between machines on NFS.
package filelock

import (
	"errors"
	"os"
	"time"
)

var (
	// ErrTaken is the error for a file that another process has locked.
	ErrTaken = errors.New("another process has locked it")
	// ErrNone is the error for a file that cannot be locked.
	ErrNone = errors.New("it cannot be locked here")
)

const unlockedAge = 7 * 24 * time.Hour // least age of a dead file, if files cannot be locked

// RemoveDead removes an unfinished file whose writer has ended, and reports whether it did. A process
// that locks the file later detects the removal by [At].
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
