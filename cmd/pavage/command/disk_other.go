//go:build !linux

package command

import "os"

// onDisk reports whether a directory is there; what it is a part of is not asked.
func onDisk(dir string) bool {
	i, err := os.Stat(dir)
	return err == nil && i.IsDir()
}
