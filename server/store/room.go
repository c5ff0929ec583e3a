package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/pavage/pavage/internal/kit/human"
)

// freedPart is the part of the quota that is freed at once, a twentieth, so that not every Put
// has to stat all files.
const freedPart = 20

// makeRoom makes room for more bytes. If it has to stat all files, it also corrects the record r.
// The caller holds the lock.
func (s *Store) makeRoom(ctx context.Context, r *Stats, more int64) error {
	quota := s.options.Quota
	if quota <= 0 || more <= 0 || r.Bytes+more <= quota {
		return nil
	}
	var inUse, kept, mayGo int64
	var all []entry
	now, err := s.counted(ctx, func(e entry) {
		switch {
		case e.what == leftover:
			inUse += e.size
		case e.kind != Diagram && s.now().Sub(e.mtime) < s.options.Keep+touchEvery: // jobs may still ask for it
			kept += e.size
		default:
			mayGo += e.size
			all = append(all, e)
		}
	})
	if err != nil {
		return err
	}
	*r = now
	if r.Bytes-mayGo+more > quota {
		all = nil // removing all of them would not make enough room
	}
	slices.SortFunc(all, func(a, b entry) int { return a.mtime.Compare(b.mtime) })
	for _, e := range all {
		if r.Bytes+more <= quota-quota/freedPart {
			break
		}
		if err := context.Cause(ctx); err != nil {
			return err
		}
		switch err := removeUnused(s.path(e.kind, e.key), e.mtime); {
		case err == nil:
			r.Files--
			r.Bytes -= e.size
		case errors.Is(err, errInUse):
			inUse += e.size
		}
	}
	if r.Bytes+more <= quota {
		return nil
	}
	bytes := func(n int64) string { return human.Bytes(float64(n)) }
	return fmt.Errorf("%w: its quota is %s, it holds %s, of which %s are kept for jobs and %s are in use: no room for %s more",
		ErrFull, bytes(quota), bytes(r.Bytes), bytes(kept), bytes(inUse), bytes(more))
}

var (
	errInUse   = errors.New("in use")
	errForeign = errors.New("not a file of a store")
)

// removeUnused removes a file of a store. It returns errInUse if a process has the file open or
// has used it after since.
func removeUnused(path string, since time.Time) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0) // some systems lock only what can be written to
	if err != nil {
		return err
	}
	defer f.Close()
	if !begins(f, format.Magic) && !begins(f, oldMagic) {
		return errForeign
	}
	if !lockAlone(f) {
		return errInUse
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if info.ModTime().After(since) {
		return errInUse
	}
	return os.Remove(path)
}
