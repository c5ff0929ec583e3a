//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd || solaris || windows

package sectionfile

import (
	"os"

	"github.com/edsrzf/mmap-go"
)

// region is a file that is mapped into memory.
type region = mmap.MMap

// mapFile maps a whole file for reading.
func mapFile(file *os.File) (region, error) { return mmap.Map(file, mmap.RDONLY, 0) }

func unmapFile(r region) error { return r.Unmap() }
