package store

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"time"

	"github.com/pavage/pavage/internal/kit/filelock"
)

// The record in the lock file is a magic, the two numbers of Stats, and a checksum.
const (
	recordMagic = "pavstat1"
	sumBytes    = 4
	recordBytes = 8 + 8 + 8 + sumBytes
)

var (
	le         = binary.LittleEndian
	castagnoli = crc32.MakeTable(crc32.Castagnoli)
)

var errNoRecord = errors.New("no record of what the store holds")

// readRecord reads the record. Without the lock it may read half of an old record and half of
// a new one, which the checksum detects.
func readRecord(f *os.File) (Stats, error) {
	var b [recordBytes]byte
	if _, err := f.ReadAt(b[:], 0); err != nil {
		return Stats{}, errors.Join(errNoRecord, err)
	}
	if string(b[:8]) != recordMagic || le.Uint32(b[recordBytes-sumBytes:]) != crc32.Checksum(b[:recordBytes-sumBytes], castagnoli) {
		return Stats{}, errNoRecord
	}
	return Stats{int64(le.Uint64(b[8:])), int64(le.Uint64(b[16:]))}, nil
}

// alone calls change with the lock held, and then writes the record back, even if change returns an
// error. It waits for the lock until ctx ends.
func (s *Store) alone(ctx context.Context, change func(r *Stats) error) error {
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
	b := le.AppendUint64([]byte(recordMagic), uint64(r.Files))
	b = le.AppendUint64(b, uint64(r.Bytes))
	// No sync: after a loss of power the record may be too small, see the package comment.
	_, fault := s.lock.WriteAt(le.AppendUint32(b, crc32.Checksum(b, castagnoli)), 0)
	return errors.Join(err, fault)
}

// waitForLock polls the lock, since ctx cannot end a call of flock that waits.
func (s *Store) waitForLock(ctx context.Context) error {
	const longest = 20 * time.Millisecond
	for wait := 100 * time.Microsecond; !lockAlone(s.lock); wait = min(2*wait, longest) {
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return fmt.Errorf("store: waiting for the lock on %s: %w",
				s.lock.Name(), context.Cause(ctx))
		}
	}
	return nil
}

// lockAlone reports whether it got the exclusive lock on a file. On a system without locks it
// always returns true.
func lockAlone(f *os.File) bool { return !errors.Is(filelock.Alone(f), filelock.ErrTaken) }
