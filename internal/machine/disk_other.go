//go:build !linux

package machine

import "os"

// OnDisk reports whether a directory is there; what it is a part of is not asked.
func OnDisk(dir string) bool {
	i, err := os.Stat(dir)
	return err == nil && i.IsDir()
}
