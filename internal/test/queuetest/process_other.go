//go:build !linux

package queuetest

import (
	"os"
	"syscall"
)

// abort makes a server end at once.
var abort = os.Kill

// asUser returns how the server is started.
func asUser(string) (*syscall.SysProcAttr, error) { return nil, nil }
