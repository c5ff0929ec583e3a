//go:build unix

package server

import "syscall"

// alone gives the right to read new files of this process and its children to their
// owner only. That includes the files of the database, and files in a data folder that
// other users may open.
func alone() { syscall.Umask(0o077) }
