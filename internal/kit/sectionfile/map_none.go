//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || solaris || windows)

package sectionfile

import (
	"errors"
	"os"
)

// region stands for a file that is mapped into memory.
type region = []byte

// mapFile returns an error, since the library maps no files on this system.
func mapFile(*os.File) (region, error) { return nil, errors.ErrUnsupported }

func unmapFile(region) error { return nil }
