package store

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"time"

	"github.com/pavage/pavage/internal/kit/filelock"
)

// record is what the lock file says of the store.
type record struct{ files, bytes int64 }

const (
	recordMagic = "pavstat1"
	recordBytes = 8 + 8 + 8 + sumBytes
)

var errNoRecord = errors.New("no record of what the store holds")

// readRecord reads the record. Without the lock it may read half of an old record and half of
// a new one, which the checksum detects.
func readRecord(f *os.File) (record, error) {
	var b [recordBytes]byte
	if _, err := f.ReadAt(b[:], 0); err != nil {
		return record{}, errors.Join(errNoRecord, err)
	}
	if string(b[:8]) != recordMagic || le.Uint32(b[recordBytes-sumBytes:]) != crc32.Checksum(b[:recordBytes-sumBytes], castagnoli) {
		return record{}, errNoRecord
	}
	return record{int64(le.Uint64(b[8:])), int64(le.Uint64(b[16:]))}, nil
}

// write writes the record for all processes. It does not sync it: see the package
// comment.
func (r record) write(f *os.File) error {
	b := append(make([]byte, 0, recordBytes), recordMagic...)
	b = le.AppendUint64(b, uint64(r.files))
	b = le.AppendUint64(b, uint64(r.bytes))
	_, err := f.WriteAt(le.AppendUint32(b, crc32.Checksum(b, castagnoli)), 0)
	return err
}

// alone calls change with the lock held, and then writes the record back, even if change fails.
// It waits for the lock until ctx ends.
func (s *Store) alone(ctx context.Context, change func(r *record) error) error {
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if err := s.waitForLock(ctx); err != nil {
		return err
	}
	defer filelock.Unlock(s.lock)
	r, err := readRecord(s.lock)
	if errors.Is(err, errNoRecord) {
		r, err = s.counted(ctx, func(entry) {})
	}
	if err != nil {
		return err
	}
	err = change(&r)
	s.seen(r)
	return errors.Join(err, r.write(s.lock))
}

// waitForLock tries again and again, since a call of flock that waits cannot be
// stopped.
func (s *Store) waitForLock(ctx context.Context) error {
	const longest = 20 * time.Millisecond
	for wait := 100 * time.Microsecond; !lockAlone(s.lock); wait = min(2*wait, longest) {
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return fmt.Errorf("store: waiting for the lock on %s: %w", s.lock.Name(), context.Cause(ctx))
		}
	}
	return nil
}

// lockAlone reports whether it got the exclusive lock on a file. On a system without locks it
// always says yes.
func lockAlone(f *os.File) bool { return !errors.Is(filelock.Alone(f), filelock.ErrTaken) }
