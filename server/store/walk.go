package store

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/pavage/pavage/internal/kit/atomicfile"
	"github.com/pavage/pavage/internal/kit/filelock"
)

// entry is a file or a folder in the folder of a kind.
type entry struct {
	kind  Kind
	key   Key
	what  what
	path  string // empty if what is file: its path follows from the kind and the key
	size  int64
	mtime time.Time
}

type what uint8

const (
	file     what = iota
	leftover      // an unfinished file: it is being written, or its writer was killed
	foreign       // its name is not the name of a file of a store
)

// walk visits all entries in the folders of the kinds under dir, with sizes and times of the files
// if stat is set. It skips files that are removed meanwhile.
func walk(ctx context.Context, dir string, stat bool, visit func(entry) error) error {
	for _, k := range Kinds() {
		folder := filepath.Join(dir, string(k))
		shards, err := os.ReadDir(folder)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		for _, shard := range shards {
			if err = context.Cause(ctx); err == nil && shard.IsDir() {
				err = walkShard(folder, k, shard.Name(), stat, visit)
			} else if err == nil {
				err = visit(entry{kind: k, what: foreign, path: filepath.Join(folder, shard.Name())})
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

func walkShard(folder string, k Kind, shard string, stat bool, visit func(entry) error) error {
	folder = filepath.Join(folder, shard)
	entries, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, d := range entries {
		e := named(k, shard, d.Name())
		if stat {
			info, err := d.Info()
			if errors.Is(err, fs.ErrNotExist) {
				continue
			} else if err != nil {
				return err
			}
			e.size, e.mtime = info.Size(), info.ModTime()
		}
		if !d.Type().IsRegular() {
			e.what = foreign
		}
		if e.what != file {
			e.path = filepath.Join(folder, d.Name())
		}
		if err := visit(e); err != nil {
			return err
		}
	}
	return nil
}

// named returns the entry for the name of a file in a shard, without path, size and time.
func named(k Kind, shard, name string) entry {
	e := entry{kind: k}
	text, _, temporary := strings.Cut(name, ".")
	key, err := ParseKey(text)
	e.key = key
	switch whole, _ := filepath.Match(atomicfile.Leftovers(text), name); {
	case err != nil || shard != text[:2] || temporary && !whole:
		e.what = foreign
	case temporary:
		e.what = leftover
	}
	return e
}

// counted stats all files, calls each with the files that count for the quota, and returns their
// number and bytes. A file that is being written counts as soon as room was made for it: see
// newFile. counted removes the unfinished files of killed writers.
func (s *Store) counted(ctx context.Context, each func(entry)) (r Stats, err error) {
	err = walk(ctx, s.dir, true, func(e entry) error {
		switch {
		case e.what == file:
			r.Files++
		case e.what == foreign, e.size <= slack, filelock.RemoveDead(e.path, s.now()):
			return nil
		}
		r.Bytes += e.size
		each(e)
		return nil
	})
	return r, err
}

// removeLeftovers removes the unfinished files of killed writers. It does not open other files.
func (s *Store) removeLeftovers() error {
	removed := false
	err := walk(context.Background(), s.dir, false, func(e entry) error {
		removed = e.what == leftover && filelock.RemoveDead(e.path, s.now()) || removed
		return nil
	})
	if err != nil || !removed {
		return nil // a folder that cannot be read is no reason not to open the store
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return s.alone(ctx, func(r *Stats) (err error) {
		*r, err = s.counted(ctx, func(entry) {})
		return err
	})
}

// patience is the longest time for which calls without a context wait for the lock.
const patience = time.Minute
