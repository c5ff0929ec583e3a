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
	slack       = 1 << 20 // bytes that a Put writes before it first locks the store to make room
	step        = 4 << 20 // bytes that a Put then writes before it makes room again
	writeBuffer = 1 << 16
)

// Put replaces the file of a key. The function write writes the new content. If Put returns nil,
// the file is on the disk. If there is no room, Put and the io.Writer return errors that wrap
// [ErrFull]. If the older file is damaged, it is moved to DIR/damaged.
func (s *Store) Put(ctx context.Context, k Kind, key Key, write func(io.Writer) error) error {
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
	defer f.Close() // removes the file unless Commit has renamed it
	n := &newFile{File: f, ctx: ctx, store: s, room: slack}
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
	if err == nil {
		err = f.Sync()
	}
	if err != nil {
		return err
	}
	fault := verify(ctx, path, k, key) // error in the older file; checked without the lock, since this may take long
	err = s.alone(ctx, func(r *Stats) error {
		if err := s.makeRoom(ctx, r, n.written); err != nil {
			return err
		}
		old := Stats{}
		if info, err := os.Lstat(path); err == nil {
			old = Stats{1, info.Size()}
		} else if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if old.Files > 0 && fault != nil && !errors.Is(fault, fs.ErrNotExist) && ctx.Err() == nil {
			if err := s.moveAside(path, k, key); err != nil {
				return err
			}
			r.Files--
			r.Bytes -= old.Bytes
			old = Stats{}
		}
		if err := f.Commit(); err != nil {
			return err
		}
		r.Files += 1 - old.Files
		r.Bytes += n.written - old.Bytes
		return nil
	})
	if err != nil {
		return err
	}
	return atomicfile.SyncFolder(filepath.Dir(path))
}

// makeFolder makes a folder and syncs its parent, so that the folder survives a loss of power.
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

type newFile struct {
	*atomicfile.File
	ctx     context.Context
	store   *Store
	written int64
	room    int64 // bytes that may be written before Write makes room again
}

func (n *newFile) Write(p []byte) (int, error) {
	if err := context.Cause(n.ctx); err != nil {
		return 0, err
	}
	if more := n.written + int64(len(p)); more > n.room {
		err := n.store.alone(n.ctx, func(r *Stats) error { return n.store.makeRoom(n.ctx, r, more) })
		if err != nil {
			return 0, err
		}
		n.room = more + step
	}
	count, err := n.File.Write(p)
	n.written += int64(count)
	return count, err
}

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
