// Package filelock keeps processes out of each other's way, by locks on files.
//
// # Purpose
//
// A lock belongs to a file that a process has open, and ends when that is closed: so also
// when the process ends, in whatever way. A file that says who has something, with a number
// of a process in it, would stay.
//
//	Alone    nobody else has the file locked: or ErrTaken, without waiting
//	Shared   beside others who share it: it waits for whoever has it alone
//	Unlock   before the file is closed
//
// A directory can be locked like a file. Whoever locks an open file again changes the lock
// that it has.
//
// # Non-goals
//
// Where files cannot be locked (Windows, some file systems of other machines) nobody is kept
// out: the error is ErrNone, and the caller decides what that means. Only those who ask for
// locks are kept out; a lock does not keep anybody from reading or writing.
//
// # References
//
// Linux, flock(2): since 2.6.12 such locks hold between machines on NFS.
package filelock

import "errors"

var (
	// ErrTaken says that somebody else has locked the file.
	ErrTaken = errors.New("another process has locked it")
	// ErrNone says that this file cannot be locked.
	ErrNone = errors.New("it cannot be locked here")
)
