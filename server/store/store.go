// Package store keeps files (answers, outputs, diagrams) under the key of the request
// that they answer, for many processes at once.
//
// # Purpose
//
// The work of the service is expensive and its results never change. So the store keeps a result
// in a file. The path of the file has its [Kind] and its [Key]. The key is the SHA-256 digest of
// the request, so an equal request finds the file. Several processes, also on several
// machines, may use the same folder:
//
//	DIR/lock                      locked to add or remove files; has a record, see below
//	DIR/answer/3f/3f9a…           a file: its name is the key, in hexadecimal
//	DIR/answer/3f/3f9a….1b2c.tmp  a file that is being written
//	DIR/output/…                  a folder for each kind
//	DIR/damaged/answer-3f9a…-1    a damaged file, moved here when a Put replaced it
//
// No name comes from a user: a key is 32 bytes and a kind is one of [Kinds].
//
// # A file
//
// A file is a section file (see package sectionfile) with the sections "key" (kind and key) and
// "content". The end of the file has the checksums of all blocks of 64 KiB, and a digest of these
// checksums. Open checks the end, so it detects a truncated file before the content is read. Read
// checks each block before it returns bytes of the block. A block at a wrong offset and a file
// under another key are also detected.
//
// # Guarantees
//
// When Put has returned, the file is complete and on the disk, and all processes find it. A reader
// gets the whole content, or an error that wraps [ErrDamaged] and has the path and the place of the
// damage. The store never overwrites a damaged file, and still serves all other files. A Put of its
// key moves the damaged file to DIR/damaged. The files there do not count for the quota, and the
// store never removes them. To make room, the store does not read files, so it may remove a
// damaged file that is not in DIR/damaged.
//
// With a quota, the store removes the least recently used files to make room for new files. It
// never removes an answer or an output that was written or used within Options.Keep. It also never
// removes a file whose name is not a key. If there are no other files, a Put fails with [ErrFull].
// The modification time of a file is the time of its last use. The store sets it at most once in
// ten minutes. A process that has a removed file open can read it to its end, except over NFS.
// Unfinished files do not count for the quota, so several large files that are written at the same
// time may exceed the quota.
//
// # How processes keep out of each other's way
//
// A process that makes room, or renames a file to its final name, holds a lock on DIR/lock (flock,
// which the system releases when the process ends). It does not hold this lock while it reads or
// writes the content of a file.
//
// The lock file has a record of the number of files and their bytes, since it takes 0.7 seconds to
// stat 100,000 files. If a process is killed while it renames a file, or the power fails, these
// numbers may be too small. If the record shows too little room, the store stats all files and
// corrects the record.
//
// # Non-goals
//
// The store does not interpret the content of files. Its folder is for its own files only. On
// systems without flock (Windows) only one process at a time may use a folder. The store does not
// keep secrets: a user who may read the folder can read all files in it.
//
// # Cost
//
// Put needs a few milliseconds for two syncs. Store.Open needs about 10 µs for ten system calls,
// however many files there are. Reading computes the CRC-32C of the content, see package
// sectionfile. The function Open lists the folders of the store, which takes 0.1 s for 100,000
// files. To make room, the store must stat all files, so it frees a twentieth of the quota at once.
//
// # References
//
// The manual page flock(2) of Linux describes locks on NFS, which work between machines since Linux
// 2.6.12. RFC 3385 tells why CRC-32C detects errors that a simpler checksum misses.
package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/pavage/pavage/internal/kit/atomicfile"
	"github.com/pavage/pavage/internal/kit/filelock"
)

// Kind is the use of a file. Each kind has a folder.
type Kind string

const (
	Answer  Kind = "answer"  // the answer of a job, as JSON
	Output  Kind = "output"  // the tilings or the file that a job writes
	Diagram Kind = "diagram" // a decision diagram from which samples are drawn
)

// Kinds returns all kinds.
func Kinds() []Kind { return []Kind{Answer, Output, Diagram} }

var (
	// ErrAbsent is wrapped by errors for a file that does not exist.
	ErrAbsent = errors.New("the file is not in the store")
	// ErrDamaged is wrapped by errors for a file that has changed since it was written.
	ErrDamaged = errors.New("the file has changed since it was written")
	// ErrGone is wrapped by the error of a Put after the folder of the store was removed.
	ErrGone = errors.New("the folder of the store was removed")
	// ErrFull is wrapped by errors for a file for which there is no room.
	ErrFull = errors.New("the store is full")
)

// Key is the SHA-256 digest of a request. The file with this key answers the request.
type Key [sha256.Size]byte

// String returns the key in hexadecimal.
func (k Key) String() string { return hex.EncodeToString(k[:]) }

// ParseKey parses a key in the form of String. It accepts no other form.
func ParseKey(text string) (k Key, err error) {
	if len(text) == 2*len(k) && strings.ToLower(text) == text {
		if _, err := hex.Decode(k[:], []byte(text)); err == nil {
			return k, nil
		}
	}
	return Key{}, fmt.Errorf("bad key %.80q, expected %d digits of 0..9, a..f", text, 2*len(k))
}

// Options has the limits for the files of a store.
type Options struct {
	Quota int64         // greatest number of bytes of all files, with their headers; 0 means no limit
	Keep  time.Duration // time for which an answer or output is kept after its last write or use
}

// Store is a folder of files. Its methods may be called by several goroutines at once.
type Store struct {
	dir     string
	options Options
	turn    sync.Mutex // held by the goroutine of this process that holds or wants the lock
	lock    *os.File
	now     func() time.Time
}

// Stats has the number of all files of the store, and the sum of their bytes.
type Stats struct{ Files, Bytes int64 }

const (
	lockName    = "lock"
	damagedName = "damaged"
	touchEvery  = 10 * time.Minute // least time between changes of a file's modification time, since each costs a write
)

// Open opens the store in a folder, or makes it. It removes the unfinished files of killed writers.
func Open(dir string, o Options) (*Store, error) {
	for _, k := range Kinds() {
		if err := os.MkdirAll(filepath.Join(dir, string(k)), 0o777); err != nil {
			return nil, fmt.Errorf("store: %w", err)
		}
	}
	lock, err := os.OpenFile(filepath.Join(dir, lockName), os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	if err := atomicfile.SyncFolder(dir); err != nil {
		return nil, errors.Join(fmt.Errorf("store: %w", err), lock.Close())
	}
	left, _ := fs.Glob(os.DirFS(dir), "*/*/"+atomicfile.Leftovers("*")) // the pattern is well formed
	for _, path := range left {
		filelock.RemoveDead(filepath.Join(dir, path), time.Now())
	}
	return &Store{dir: dir, options: o, lock: lock, now: time.Now}, nil
}

// Close closes the lock file of the store. Readers that are open stay open.
func (s *Store) Close() error { return s.lock.Close() }

func (s *Store) path(k Kind, key Key) string {
	name := key.String()
	return filepath.Join(s.dir, string(k), name[:2], name)
}

// Has reports whether the store has a file, and marks it as used. It does not read the file.
func (s *Store) Has(k Kind, key Key) bool {
	path := s.path(k, key)
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	if now := s.now(); now.Sub(info.ModTime()) >= touchEvery {
		_ = os.Chtimes(path, time.Time{}, now) // after an error, the file can still be read
	}
	return true
}

const record = "%20d %20d\n"

// Stats returns the numbers in the record, or zeros if there is none. It does not stat the files.
func (s *Store) Stats() (r Stats) {
	r, _ = s.readRecord()
	return r
}

func (s *Store) readRecord() (r Stats, err error) {
	var text [42]byte // 42 is the length of a record
	if _, err = s.lock.ReadAt(text[:], 0); err == nil {
		_, err = fmt.Sscanf(string(text[:]), record, &r.Files, &r.Bytes)
	}
	return r, err
}

// alone waits for the lock, or returns an error when ctx ends. Under the lock, it calls change with
// the record. It then writes the record back, even if change has failed.
func (s *Store) alone(ctx context.Context, change func(r *Stats) error) error {
	s.turn.Lock()
	defer s.turn.Unlock()
	const longest = 20 * time.Millisecond
	// The lock is polled, since a waiting flock does not end with ctx.
	for wait := 100 * time.Microsecond; errors.Is(filelock.Alone(s.lock), filelock.ErrTaken); wait = min(2*wait, longest) {
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return fmt.Errorf("store: waiting for the lock on %s: %w", s.lock.Name(), context.Cause(ctx))
		}
	}
	defer filelock.Unlock(s.lock)
	r, err := s.readRecord()
	if err != nil {
		if r, err = s.counted(ctx, func(entry) {}); err != nil {
			return err
		}
	}
	err = change(&r)
	// There is no sync: after a loss of power the record may be too small, see the package comment.
	_, fault := s.lock.WriteAt(fmt.Appendf(nil, record, r.Files, r.Bytes), 0)
	return errors.Join(err, fault)
}
