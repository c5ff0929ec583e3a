package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/pavage/pavage/internal/kit/atomicfile"
)

const (
	// slack is the size up to which a file is written before room is made for it. Most
	// files are smaller, and so need the lock only once.
	slack = 1 << 20
	// step is how much more room is made at once.
	step = 16 << 20
)

// Put stores the bytes that write writes, in place of an older file with this key. When it
// returns nil, the file is on the disk, and size is the number of these bytes. The error
// wraps [ErrFull] if there is no room; the writer that write was given returns that error
// too, as soon as it is known.
//
// If there is a file with this key that is damaged or cannot be read, Put moves it to
// DIR/damaged.
func (s *Store) Put(ctx context.Context, k Kind, key Key, write func(io.Writer) error) (size int64, err error) {
	if err := knows(k); err != nil {
		return 0, err
	}
	path := s.path(k, key)
	if err := makeFolder(filepath.Dir(path)); errors.Is(err, fs.ErrNotExist) {
		return 0, fmt.Errorf("store: %w: %w", ErrGone, err)
	} else if err != nil {
		return 0, fmt.Errorf("store: %w", err)
	}
	f, err := atomicfile.Create(path)
	if err != nil {
		return 0, fmt.Errorf("store: %w", err)
	}
	n := &newFile{File: f, ctx: ctx, store: s, kind: k, key: key, path: path}
	defer n.close()
	if size, err = n.fill(write); err != nil {
		return 0, err
	}
	if err = n.commit(); err != nil {
		return 0, err
	}
	return size, atomicfile.SyncFolder(filepath.Dir(path))
}

// makeFolder makes a folder that survives a loss of power.
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

// newFile is a file that is being put in. Either no room was made for it and it has at most slack
// bytes, or its size is that for which room was made: so whoever looks at all files with the lock
// held can count it as the record does.
type newFile struct {
	*atomicfile.File
	ctx     context.Context
	store   *Store
	kind    Kind
	key     Key
	path    string
	written int64
	held    int64 // room that the record has for it
	done    bool  // the file has its name, and keeps its room
}

// Write implements io.Writer.
func (n *newFile) Write(p []byte) (int, error) {
	if err := context.Cause(n.ctx); err != nil {
		return 0, err
	}
	if more := n.written + int64(len(p)) - n.held; n.held > 0 && more > 0 || more > slack {
		err := n.hold(more + step)
		if errors.Is(err, ErrFull) {
			err = n.hold(more + slack) // these may be the last bytes
		}
		if err != nil {
			return 0, err
		}
	}
	count, err := n.File.Write(p)
	n.written += int64(count)
	return count, err
}

// hold makes room for more bytes, or gives some back.
func (n *newFile) hold(more int64) error {
	return n.store.alone(n.ctx, func(r *record) error {
		if err := n.store.makeRoom(n.ctx, r, more); err != nil {
			return err
		}
		n.held += more
		r.bytes += more
		return n.Temp().Truncate(n.held)
	})
}

// fill writes the content of the file.
func (n *newFile) fill(write func(io.Writer) error) (size int64, err error) {
	w, err := newWriter(n, n.kind, n.key)
	if err == nil {
		err = write(w)
	}
	if err == nil {
		err = w.end()
	}
	if err == nil && n.held > n.written {
		err = n.hold(n.written - n.held)
	}
	if err == nil {
		err = n.Sync()
	}
	return w.length, err
}

// commit gives the file its name.
func (n *newFile) commit() error {
	for {
		old, fault := inspect(n.ctx, n.path, n.kind, n.key)
		err := n.store.alone(n.ctx, func(r *record) error { return n.replace(r, old, fault) })
		if !errors.Is(err, errReplaced) {
			return err
		}
	}
}

// replace makes room and puts the file in the place of the old one. A fault says that the
// old one is damaged. The caller holds the lock.
func (n *newFile) replace(r *record, old fs.FileInfo, fault error) error {
	if err := n.store.makeRoom(n.ctx, r, n.written-n.held); err != nil {
		return err
	}
	replaced := record{}
	now, err := os.Lstat(n.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case old == nil || !os.SameFile(old, now):
		return errReplaced
	case fault == nil:
		replaced = record{files: 1, bytes: now.Size()}
	default:
		if err := n.store.moveAside(n.path, n.kind, n.key); err != nil {
			return err
		}
		r.files--
		r.bytes -= now.Size()
	}
	if err := n.Commit(); err != nil {
		return err
	}
	n.done = true
	r.files += 1 - replaced.files
	r.bytes += n.written - n.held - replaced.bytes
	return nil
}

// inspect reads the file at path, and reports whether it is damaged. If ctx ends, it reports no
// damage.
func inspect(ctx context.Context, path string, k Kind, key Key) (fs.FileInfo, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, nil
	}
	r, err := openReader(path, k, key)
	if err == nil {
		defer r.Close()
		_, err = io.Copy(untilEnd{ctx}, r)
	}
	if ctx.Err() != nil {
		return nil, nil
	}
	return info, err
}

// untilEnd takes bytes until ctx ends.
type untilEnd struct{ ctx context.Context }

func (u untilEnd) Write(p []byte) (int, error) { return len(p), u.ctx.Err() }

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

// close removes a file that has no name yet, and gives back its room. If it cannot, the
// record is too large until a process looks at all files.
func (n *newFile) close() {
	if n.held > 0 && !n.done {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(n.ctx), patience)
		defer cancel()
		_ = n.store.alone(ctx, func(r *record) error {
			r.bytes -= n.held
			return n.Close()
		})
	}
	_ = n.Close()
}
