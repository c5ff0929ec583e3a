package store

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"github.com/pavage/pavage/internal/kit/atomicfile"
	"github.com/pavage/pavage/internal/kit/filelock"
)

// stagedIn cannot be the name of a file, since names do not begin with a dot.
const stagedIn = ".staged"

type folderFile struct {
	in   *folder
	file *atomicfile.File
}

func (f *folder) Stage(ctx context.Context) (Staged, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	staged := filepath.Join(f.path, stagedIn)
	err := f.make(staged)
	var file *atomicfile.File
	if err == nil {
		file, err = atomicfile.Create(filepath.Join(staged, fmt.Sprintf("%08x", rand.Uint32())))
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %s cannot be written to: %w", ErrPlace, f.path, err)
	}
	f.cleaned.Do(func() { clean(staged, file.Temp()) })
	return &folderFile{f, file}, nil
}

func (w *folderFile) Write(p []byte) (int, error) { return w.file.Write(p) }

func (w *folderFile) Discard() { _ = w.file.Close() }

func (w *folderFile) Commit(ctx context.Context, name string) error {
	if err := check(ctx, name); err != nil {
		return err
	}
	path := w.in.at(name)
	if err := w.in.make(filepath.Dir(path)); err != nil {
		return err
	}
	if err := w.file.Sync(); err != nil {
		return err
	}
	if err := w.file.CommitAs(path); err != nil {
		return err
	}
	return atomicfile.SyncFolder(filepath.Dir(path))
}

// leftAfter is the age at which a file is removed, by the clock of the file system. A younger file
// may be in use by a machine that shares the folder but not its locks.
const leftAfter = 24 * time.Hour

// clean removes the files that dead processes have left. The argument now is a file that was just
// made, so its time is the present time by the clock of the file system.
func clean(staged string, now *os.File) {
	clock, err := now.Stat()
	if err != nil {
		return
	}
	left, _ := filepath.Glob(filepath.Join(staged, atomicfile.Leftovers("*")))
	for _, path := range left {
		if info, err := os.Lstat(path); err == nil && clock.ModTime().Sub(info.ModTime()) >= leftAfter {
			filelock.RemoveDead(path, clock.ModTime())
		}
	}
}
