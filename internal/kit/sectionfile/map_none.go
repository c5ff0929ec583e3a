//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || solaris || windows)

package sectionfile

import (
	"errors"
	"os"
)

type region = []byte

func mapFile(*os.File) (region, error) { return nil, errors.ErrUnsupported }

func unmapFile(region) error { return nil }
