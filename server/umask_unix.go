//go:build unix

package server

import "syscall"

// alone leaves new files of this process and its children to their owner, also the database, and
// files in a data folder that others may open.
func alone() { syscall.Umask(0o077) }
