package report

import (
	"os"
	"syscall"
)

// Peak returns the peak memory of a process in bytes.
func Peak(p *os.ProcessState) int64 {
	if u, ok := p.SysUsage().(*syscall.Rusage); ok {
		return u.Maxrss << 10
	}
	return 0
}
