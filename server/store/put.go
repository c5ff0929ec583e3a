package store

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/pavage/pavage/internal/kit/atomicfile"
	"github.com/pavage/pavage/internal/kit/sectionfile"
)

const (
	// slack is the number of bytes that are written before the store makes room for them. Most
	// files are smaller, so they need the lock only once.
	slack = 1 << 20
	// step is the number of further bytes for which room is made at once.
	step = 16 << 20
	// writeBuffer is the number of bytes that are written at once.
	writeBuffer = 1 << 16
)

// Put stores the bytes that write writes, and replaces an older file with this key. When Put
// returns nil, the file is on the disk. The error wraps [ErrFull] if there is no room; the argument
// of write also returns this error, as soon as there is no room.
//
// If the older file is damaged or cannot be read, Put moves it to DIR/damaged.
func (s *Store) Put(ctx context.Context, k Kind, key Key, write func(io.Writer) error) error {
	if err := knows(k); err != nil {
		return err
	}
	path := s.path(k, key)
	if err := makeFolder(filepath.Dir(path)); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("store: %w: %w", ErrGone, err)
	} else if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	f, err := atomicfile.Create(path)
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	n := &newFile{File: f, ctx: ctx, store: s, kind: k, key: key, path: path}
	defer n.close()
	to := bufio.NewWriterSize(n, writeBuffer)
	err = sectionfile.Write(to, format, func(w *sectionfile.Writer) error {
		w.Section(keySection)
		if _, err := io.WriteString(w, nameOf(k, key)); err != nil {
			return err
		}
		w.Section(contentSection)
		return write(w)
	})
	if err == nil {
		err = to.Flush()
	}
	if err == nil && n.held > n.written {
		err = n.hold(n.written - n.held)
	}
	if err == nil {
		err = n.Sync()
	}
	if err != nil {
		return err
	}
	for {
		old, fault := inspect(ctx, path, k, key)
		err := s.alone(ctx, func(r *Stats) error { return n.replace(r, old, fault) })
		if err == nil {
			return atomicfile.SyncFolder(filepath.Dir(path))
		}
		if !errors.Is(err, errReplaced) {
			return err
		}
	}
}

// makeFolder creates a folder and syncs its parent, so that the folder survives a loss of power.
func makeFolder(folder string) error {
	err := os.Mkdir(folder, 0o777)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return atomicfile.SyncFolder(filepath.Dir(folder))
}

// newFile is a file that is being written. Either no room was made for it and it has at most slack
// bytes, or its size is the number of bytes for which room was made. So a process that holds the
// lock and stats all files computes the same sum as the record has.
type newFile struct {
	*atomicfile.File
	ctx     context.Context
	store   *Store
	kind    Kind
	key     Key
	path    string
	written int64
	held    int64 // bytes that the record has for it
	done    bool  // the file has its final name, so its bytes stay in the record
}

// Write implements io.Writer.
func (n *newFile) Write(p []byte) (int, error) {
	if err := context.Cause(n.ctx); err != nil {
		return 0, err
	}
	if more := n.written + int64(len(p)) - n.held; n.held > 0 && more > 0 || more > slack {
		err := n.hold(more + step)
		if errors.Is(err, ErrFull) {
			err = n.hold(more + slack) // the file may need less than step
		}
		if err != nil {
			return 0, err
		}
	}
	count, err := n.File.Write(p)
	n.written += int64(count)
	return count, err
}

// hold makes room for more bytes, or gives room back if more is negative.
func (n *newFile) hold(more int64) error {
	return n.store.alone(n.ctx, func(r *Stats) error {
		if err := n.store.makeRoom(n.ctx, r, more); err != nil {
			return err
		}
		n.held += more
		r.Bytes += more
		return n.Temp().Truncate(n.held)
	})
}

// replace makes room, and replaces the old file by n. It returns errReplaced if the path has
// another file than old. If fault is not nil, the old file is damaged, and replace moves it to
// DIR/damaged. The caller holds the lock.
func (n *newFile) replace(r *Stats, old fs.FileInfo, fault error) error {
	if err := n.store.makeRoom(n.ctx, r, n.written-n.held); err != nil {
		return err
	}
	replaced := Stats{}
	now, err := os.Lstat(n.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case old == nil || !os.SameFile(old, now):
		return errReplaced
	case fault == nil:
		replaced = Stats{1, now.Size()}
	default:
		if err := n.store.moveAside(n.path, n.kind, n.key); err != nil {
			return err
		}
		r.Files--
		r.Bytes -= now.Size()
	}
	if err := n.Commit(); err != nil {
		return err
	}
	n.done = true
	r.Files += 1 - replaced.Files
	r.Bytes += n.written - n.held - replaced.Bytes
	return nil
}

// inspect reads the file at path. It returns the info of the file, nil if there is no file or ctx
// has ended, and an error if the file is damaged.
func inspect(ctx context.Context, path string, k Kind, key Key) (fs.FileInfo, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, nil
	}
	err = verify(ctx, path, k, key)
	if ctx.Err() != nil {
		return nil, nil
	}
	if errors.Is(err, fs.ErrNotExist) { // of an older version, or removed
		err = nil
	}
	return info, err
}

// moveAside moves a damaged file to DIR/damaged.
func (s *Store) moveAside(path string, k Kind, key Key) error {
	folder := filepath.Join(s.dir, damagedName)
	if err := makeFolder(folder); err != nil {
		return err
	}
	for i := 1; ; i++ {
		to := filepath.Join(folder, fmt.Sprintf("%s-%s-%d", k, key, i))
		if _, err := os.Lstat(to); errors.Is(err, fs.ErrNotExist) {
			return errors.Join(os.Rename(path, to), atomicfile.SyncFolder(folder))
		}
	}
}

// close removes a file that does not have its final name, and gives back its room. If close cannot
// get the lock, the record is too large until a process stats all files.
func (n *newFile) close() {
	if n.held > 0 && !n.done {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(n.ctx), patience)
		defer cancel()
		_ = n.store.alone(ctx, func(r *Stats) error {
			r.Bytes -= n.held
			return n.Close()
		})
	}
	_ = n.Close()
}
