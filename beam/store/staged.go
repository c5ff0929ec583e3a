package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/pavage/pavage/internal/atomicfile"
	"github.com/pavage/pavage/internal/filelock"
)

// stagedIn is the folder of the files in the making: no name begins with a dot.
const stagedIn = ".staged"

// folderFile is a file in the making in a folder.
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
		file, err = atomicfile.Create(filepath.Join(staged, "file"))
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %s cannot be written to: %w", ErrPlace, f.path, err)
	}
	_ = filelock.Alone(file.Temp()) // says that its process lives
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

// A file that a killed process has left is not locked any more. It is removed when it was not written to for
// leftAfter. Where files cannot be locked, it cannot be told whether its process lives: then it stays for a week. The clock is that
// of the file system, which is the same for all machines.
const (
	leftAfter   = 24 * time.Hour
	surelyAfter = 7 * 24 * time.Hour
)

// clean removes what dead processes have left among the files in the making. What it cannot remove stays:
// the next process tries again. now is a file that was just made there.
func clean(staged string, now *os.File) {
	clock, err := now.Stat()
	if err != nil {
		return
	}
	left, _ := filepath.Glob(filepath.Join(staged, atomicfile.Leftovers("*")))
	for _, path := range left {
		if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() {
			removeIfDead(path, clock.ModTime().Sub(info.ModTime()))
		}
	}
}

// removeIfDead removes a file in the making that has not been written to for so long, unless somebody has it locked.
func removeIfDead(path string, unwritten time.Duration) {
	if unwritten < leftAfter {
		return
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return
	}
	defer f.Close()
	err = filelock.Alone(f)
	if err == nil || errors.Is(err, filelock.ErrNone) && unwritten >= surelyAfter {
		_ = os.Remove(path)
	}
}
