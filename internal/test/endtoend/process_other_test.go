//go:build !linux

package endtoend

import (
	"syscall"
	"testing"
)

const seesProcesses = false

func withParent() *syscall.SysProcAttr { return nil }

func (*setup) processes() []int     { return nil }
func (*setup) untilGone(testing.TB) {}
func (*setup) counterOf(string) int { return 0 }
func (*setup) resident() int64      { return 0 }
func (*setup) onDisk() int64        { return 0 }
