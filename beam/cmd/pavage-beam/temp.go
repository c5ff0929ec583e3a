package main

import (
	"os"
	"path/filepath"
	"time"

	"github.com/pavage/pavage/internal/kit/filelock"
)

// tempPattern names the folders for temporary files.
const tempPattern = "pavage-beam-*"

// tempLeft is how long a folder stays that a killed process has left.
const tempLeft = 24 * time.Hour

// makeTemp makes a folder for temporary files in another, and removes old ones that no process has. A folder is
// locked while its process lives; where nothing can be locked, old ones stay. Call done in the end.
func makeTemp(in string) (folder string, done func(), err error) {
	folder, err = os.MkdirTemp(in, tempPattern)
	if err != nil {
		return "", nil, err
	}
	lock, err := os.Open(folder)
	if err != nil {
		return "", nil, err
	}
	_ = filelock.Alone(lock) // where there are no locks, nothing is removed either
	if now, err := lock.Stat(); err == nil {
		left, _ := filepath.Glob(filepath.Join(in, tempPattern))
		for _, path := range left {
			if was, err := os.Lstat(path); err == nil && was.IsDir() && now.ModTime().Sub(was.ModTime()) >= tempLeft {
				removeUnused(path)
			}
		}
	}
	return folder, func() {
		_ = os.RemoveAll(folder)
		_ = lock.Close()
	}, nil
}

// removeUnused removes a folder unless a process has it locked.
func removeUnused(path string) {
	f, err := os.Open(path)
	if err != nil {
		return
	}
	defer f.Close()
	if filelock.Alone(f) == nil {
		_ = os.RemoveAll(path)
	}
}
