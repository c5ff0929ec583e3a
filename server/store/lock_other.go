//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package store

import "os"

// Here one process alone may use a folder, as the package comment says, and the system
// does not remove files that are open.

func lockShared(*os.File) {}

func lockAlone(*os.File) bool { return true }

func unlock(*os.File) {}
