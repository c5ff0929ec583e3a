//go:build !linux

package machine

import (
	"math"
	"os"
)

// OnDisk reports whether a directory is there; what it is a part of is not asked.
func OnDisk(dir string) bool {
	i, err := os.Stat(dir)
	return err == nil && i.IsDir()
}

// FreeDisk returns 0 if dir is "", and otherwise the largest number, since the free space is
// unknown here.
func FreeDisk(dir string) float64 {
	if dir == "" {
		return 0
	}
	return math.Inf(1)
}
