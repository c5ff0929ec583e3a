//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package filelock

import "os"

// Alone returns ErrNone.
func Alone(*os.File) error { return ErrNone }

// Shared returns ErrNone.
func Shared(*os.File) error { return ErrNone }

// Unlock returns ErrNone.
func Unlock(*os.File) error { return ErrNone }
