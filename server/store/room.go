package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pavage/pavage/internal/kit/atomicfile"
	"github.com/pavage/pavage/internal/kit/human"
)

type entry struct {
	path  string
	kind  Kind
	key   Key // set if state is Sound
	state State
	size  int64
	mtime time.Time
}

// walk calls visit for all files. It opens no file, so every file with a valid name counts as
// Sound. It skips files that are removed meanwhile.
func walk(ctx context.Context, dir string, visit func(entry) error) error {
	for _, k := range append(Kinds(), damagedName) {
		folder := filepath.Join(dir, string(k))
		err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err == nil {
				err = context.Cause(ctx)
			}
			if err == nil && d.IsDir() && (path == folder || filepath.Dir(path) == folder) {
				return nil
			}
			var info fs.FileInfo
			if err == nil {
				info, err = d.Info()
			}
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			} else if err != nil {
				return err
			}
			e := entry{path: path, kind: k, state: Foreign, size: info.Size(), mtime: info.ModTime()}
			text, _, temporary := strings.Cut(d.Name(), ".")
			key, err := ParseKey(text)
			if k == damagedName {
				e.state = Aside
			} else if err == nil && d.Type().IsRegular() && filepath.Dir(path) == filepath.Join(folder, text[:2]) {
				if unfinished, _ := filepath.Match(atomicfile.Leftovers(text), d.Name()); unfinished {
					e.state = Leftover
				} else if !temporary {
					e.key, e.state = key, Sound
				}
			}
			if err := visit(e); err != nil || !d.IsDir() {
				return err
			}
			return fs.SkipDir
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) counted(ctx context.Context, each func(entry)) (r Stats, err error) {
	err = walk(ctx, s.dir, func(e entry) error {
		if e.state == Sound {
			r.Files++
			r.Bytes += e.size
			each(e)
		}
		return nil
	})
	return r, err
}

const freedPart = 20 // 1/freedPart of the quota is freed at once, so that few Puts must stat all files

// makeRoom removes the least recently used files if the quota has no room for the new bytes. In
// this case it also corrects the numbers in the record r. The caller holds the lock.
func (s *Store) makeRoom(ctx context.Context, r *Stats, more int64) error {
	quota := s.options.Quota
	if quota <= 0 || r.Bytes+more <= quota {
		return nil
	}
	var kept, mayGo int64
	var all []entry
	now, err := s.counted(ctx, func(e entry) {
		if e.kind != Diagram && s.now().Sub(e.mtime) < s.options.Keep+touchEvery { // a job may still need the file
			kept += e.size
			return
		}
		mayGo += e.size
		all = append(all, e)
	})
	if err != nil {
		return err
	}
	*r = now
	if r.Bytes-mayGo+more > quota {
		all = nil // nothing is removed, since there would still be too little room
	}
	slices.SortFunc(all, func(a, b entry) int { return a.mtime.Compare(b.mtime) })
	for _, e := range all {
		if r.Bytes+more <= quota-quota/freedPart {
			break
		}
		if err := context.Cause(ctx); err != nil {
			return err
		}
		if os.Remove(e.path) == nil {
			r.Files--
			r.Bytes -= e.size
		}
	}
	if r.Bytes+more <= quota {
		return nil
	}
	bytes := func(n int64) string { return human.Bytes(float64(n)) }
	return fmt.Errorf("%w: the quota of the store is %s; %s are in use, of which %s are kept for jobs; there is no room for %s more",
		ErrFull, bytes(quota), bytes(r.Bytes), bytes(kept), bytes(more))
}
