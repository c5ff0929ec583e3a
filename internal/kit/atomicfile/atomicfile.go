// Package atomicfile writes files completely or not at all.
//
// # Purpose
//
// A program that is interrupted while it writes a file leaves an incomplete file under the final
// name. So this package writes a file with a temporary name in the same folder, and renames the
// file at the end:
//
//	                                              after a crash at this point there is
//	create  level-118.pavage.00000000.tmp         the old file, and a part of the new file as .tmp
//	write   …                                     the old file, and a part of the new file as .tmp
//	sync    the bytes are on the disk             the old file, and the new file as .tmp
//	rename  level-118.pavage                      the old file or the new file
//	sync    the folder is on the disk too         the new file
//
// # Guarantees
//
// A process that opens the name, at any time, finds the old file (or no file) or the whole new
// file, never a part. After [WriteDurable] has returned nil, the new file is on the disk, also
// after a loss of power. [Write] does not wait for the disk, so it is many times as fast. But after
// a loss of power the file may be the old file, empty, or missing. Write suffices for pictures,
// which can be drawn again.
//
// If an operation or the function that writes fails, the unfinished file is removed and the old
// file stays. Only a process that is killed leaves a file whose name ends in [Suffix]. [Leftovers]
// matches such files. The next process that writes a file of the same name removes them. A process
// locks the files that it writes, so the files of running processes stay.
//
// The new file has the permissions of the old file, or else the usual permissions of a new file. A
// symbolic link stays a link: the file that it points to is replaced. If the path exists and is not
// a regular file, such as a pipe or /dev/stdout, it is written to directly, without these
// guarantees.
//
// # Non-goals
//
// Owners, access lists and hard links of the old file are not kept. Two writers of one name do not
// wait for each other: the file of the writer that ends last stays. The guarantees depend on the
// file system, which must not report a sync before the bytes are on the disk.
//
// # Cost
//
// WriteDurable makes two syncs for each file. A sync takes some milliseconds on most disks.
//
// # References
//
// T. S. Pillai and others, "All file systems are not created equal: on the complexity
// of crafting crash-consistent applications", OSDI 2014, shows that none of these steps
// may be left out.
package atomicfile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/pavage/pavage/internal/kit/filelock"
)

// Suffix is the end of the names of unfinished files.
const Suffix = ".tmp"

// Leftovers returns a pattern for [path/filepath.Match]. It matches the files of killed writers.
func Leftovers(name string) string { return name + ".*" + Suffix }

// Write writes the file at path completely or not at all. It does not wait for the disk.
func Write(path string, write func(io.Writer) error) error { return replace(path, write, false) }

// WriteDurable is like Write, but waits for the disk. After an error the new file may be complete.
func WriteDurable(path string, write func(io.Writer) error) error { return replace(path, write, true) }

func replace(path string, write func(io.Writer) error, durable bool) error {
	path, info, err := resolve(path)
	if err != nil {
		return err
	}
	if !replaceable(info) {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(fill(f, write), f.Close())
	}
	f, err := create(path, info)
	if err != nil {
		return err
	}
	defer f.Close() // removes the file, unless Commit has renamed it
	if err = fill(f, write); err == nil && durable {
		err = f.Sync()
	}
	if err == nil {
		err = f.Commit()
	}
	if err == nil && durable {
		err = SyncFolder(filepath.Dir(path))
	}
	return f.withPath(err)
}

// File is a new file with a temporary name. Call Write, perhaps Sync, and Commit. Always call
// Close.
type File struct {
	f     *os.File
	lock  *os.File
	path  string
	named bool // whether the file has its final name; then f is closed
}

// Create makes a new file. Commit moves it to path, which must be a file or missing.
func Create(path string) (*File, error) {
	path, info, err := resolve(path)
	if err == nil && !replaceable(info) {
		err = &fs.PathError{Op: "create", Path: path, Err: errors.New("is not a regular file")}
	}
	if err != nil {
		return nil, err
	}
	return create(path, info)
}

// Write writes p to the file, without a buffer.
func (f *File) Write(p []byte) (int, error) {
	n, err := f.f.Write(p)
	return n, f.withPath(err)
}

// Sync waits until the written bytes are on the disk.
func (f *File) Sync() error { return f.withPath(f.f.Sync()) }

// Temp returns the open file, which has a temporary name.
func (f *File) Temp() *os.File { return f.f }

// Commit gives the file its name. It does not sync the folder: see [SyncFolder].
func (f *File) Commit() error { return f.CommitAs(f.path) }

// CommitAs is like Commit, but renames the file to path, which must be in the same file system.
func (f *File) CommitAs(path string) error {
	if !filelock.At(f.f, f.f.Name()) {
		return f.withPath(&fs.PathError{Op: "rename", Path: f.f.Name(), Err: errors.New("another process has replaced the unfinished file")})
	}
	err := f.f.Close()
	if err == nil {
		err = os.Rename(f.f.Name(), path)
	}
	if f.named = err == nil; f.named {
		f.lock.Close()
	}
	return f.withPath(err)
}

// Close removes the file, unless Commit or CommitAs has renamed it.
func (f *File) Close() error {
	if f.named {
		return nil
	}
	err := f.f.Close()
	if errors.Is(err, fs.ErrClosed) {
		err = nil // Commit has closed f, and then failed
	}
	err = errors.Join(err, os.Remove(f.f.Name()))
	f.lock.Close()
	return f.withPath(err)
}

func replaceable(info fs.FileInfo) bool { return info == nil || info.Mode().IsRegular() }

func resolve(path string) (string, fs.FileInfo, error) {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return path, nil, nil
	}
	return path, info, err
}

func create(path string, old fs.FileInfo) (*File, error) {
	temp := func(n int) string { return fmt.Sprintf("%s.%08x%s", path, n, Suffix) }
	for n := 0; ; n++ {
		name := temp(n)
		file, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o666)
		switch {
		case errors.Is(err, fs.ErrExist):
			if filelock.RemoveDead(name, time.Now()) {
				n--
			}
			continue
		case err != nil:
			return nil, renamed(err, name, path)
		}
		f := &File{f: file, path: path}
		if f.lock, err = os.OpenFile(name, os.O_RDWR, 0); err == nil {
			err = filelock.Alone(f.lock)
		}
		switch {
		case errors.Is(err, filelock.ErrTaken), !filelock.At(file, name):
			_, _ = file.Close(), f.lock.Close()
			continue
		case errors.Is(err, filelock.ErrNone):
			f.lock.Close()
			f.lock = nil
		case err != nil:
			return nil, errors.Join(f.withPath(err), f.Close())
		}
		for more := n + 1; filelock.RemoveDead(temp(more), time.Now()); more++ {
		}
		if old != nil {
			if err = file.Chmod(old.Mode().Perm()); err != nil {
				return nil, errors.Join(f.withPath(err), f.Close())
			}
		}
		return f, nil
	}
}

func fill(f io.Writer, write func(io.Writer) error) error {
	w := bufio.NewWriterSize(f, 1<<16)
	if err := write(w); err != nil {
		return err
	}
	return w.Flush()
}

func (f *File) withPath(err error) error { return renamed(err, f.f.Name(), f.path) }

func renamed(err error, name, path string) error {
	var p *fs.PathError
	var l *os.LinkError
	switch {
	case errors.As(err, &p) && p.Path == name:
		return &fs.PathError{Op: p.Op, Path: path, Err: p.Err}
	case errors.As(err, &l) && l.Old == name:
		return &fs.PathError{Op: l.Op, Path: path, Err: l.Err}
	}
	return err
}
