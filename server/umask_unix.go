//go:build unix

package server

import "syscall"

// alone leaves new files of this process and its children to their owner.
func alone() { syscall.Umask(0o077) }
