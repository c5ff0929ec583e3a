//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package filelock

import "os"

// Alone locks nothing.
func Alone(*os.File) error { return ErrNone }

// Shared locks nothing.
func Shared(*os.File) error { return ErrNone }

// Unlock does nothing.
func Unlock(*os.File) error { return ErrNone }
