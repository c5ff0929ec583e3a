//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd || solaris || windows

package sectionfile

import (
	"os"

	"github.com/edsrzf/mmap-go"
)

type region = mmap.MMap

func mapFile(file *os.File) (region, error) { return mmap.Map(file, mmap.RDONLY, 0) }

func unmapFile(r region) error { return r.Unmap() }
