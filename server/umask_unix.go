//go:build unix

package server

import "syscall"

// alone makes all files of this process and its children their owner's alone: also those
// of the database, and those in a data folder that others may look into.
func alone() { syscall.Umask(0o077) }
