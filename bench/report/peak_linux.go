package report

import (
	"os"
	"syscall"
)

// Peak returns the most memory that a process had, in bytes.
func Peak(p *os.ProcessState) int64 {
	if u, ok := p.SysUsage().(*syscall.Rusage); ok {
		return u.Maxrss << 10
	}
	return 0
}
