//go:build unix

package server

import "syscall"

func alone() { syscall.Umask(0o077) }
