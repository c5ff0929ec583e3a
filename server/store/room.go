package store

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"time"
)

// freedPart says how much is freed at once, a twentieth of the quota, so that not every Put
// has to look at all files.
const freedPart = 20

// makeRoom makes room for more bytes. If it has to look at all files, it also corrects the
// record. The caller holds the lock.
func (s *Store) makeRoom(ctx context.Context, r *record, more int64) error {
	if s.options.Quota <= 0 || more <= 0 || r.bytes+more <= s.options.Quota {
		return nil
	}
	full := &Full{Quota: s.options.Quota, Wanted: more}
	mayGo := int64(0)
	var all []entry
	now, err := s.counted(ctx, func(e entry) {
		switch {
		case e.what == leftover:
			full.InUse += e.size
		case s.isKept(e):
			full.Kept += e.size
		default:
			mayGo += e.size
			all = append(all, e)
		}
	})
	if err != nil {
		return err
	}
	*r = now
	if full.Held = r.bytes; r.bytes-mayGo+more > s.options.Quota {
		return full // and no file is removed in vain
	}
	slices.SortFunc(all, func(a, b entry) int { return a.mtime.Compare(b.mtime) })
	if err := s.evict(ctx, r, all, more, full); err != nil {
		return err
	}
	if full.Held = r.bytes; r.bytes+more > s.options.Quota {
		return full
	}
	return nil
}

// isKept reports whether jobs may still ask for a file.
func (s *Store) isKept(e entry) bool {
	return e.kind.kept() && s.now().Sub(e.mtime) < s.options.Keep+touchEvery
}

// evict removes files, in this order, until there is room for more bytes.
func (s *Store) evict(ctx context.Context, r *record, all []entry, more int64, full *Full) error {
	for _, e := range all {
		if r.bytes+more <= s.options.Quota-s.options.Quota/freedPart {
			break
		}
		if err := context.Cause(ctx); err != nil {
			return err
		}
		switch err := removeUnused(s.path(e.kind, e.key), e.mtime); {
		case err == nil:
			r.files--
			r.bytes -= e.size
			s.used.evicted.Add(1)
			s.used.evictedBytes.Add(e.size)
		case errors.Is(err, errInUse):
			full.InUse += e.size
		}
	}
	return nil
}

var (
	errInUse   = errors.New("in use")
	errForeign = errors.New("not a file of a store")
)

// removeUnused removes a file of this package, if nobody has it open and nobody has used it
// since then.
func removeUnused(path string, since time.Time) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0) // some systems lock only what can be written to
	if err != nil {
		return err
	}
	defer f.Close()
	got := make([]byte, len(magic))
	if _, err := io.ReadFull(f, got); err != nil || string(got) != magic {
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
