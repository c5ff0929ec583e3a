// Package store keeps files (answers, outputs, diagrams) under the key of the request
// that they answer, for many processes at once.
//
// # Purpose
//
// The work of the service costs much and its results never change. So a result is kept in a
// file. The name of the file is made of its [Kind] and of a [Key], the SHA-256 digest of the
// request. An equal request finds the file. Several processes, also on several machines, may use
// the same folder:
//
//	DIR/lock                      its holder may add and remove files; has their number and size
//	DIR/answer/3f/3f9a…           a file: its name is the key, in hexadecimal
//	DIR/answer/3f/3f9a….1b2c.tmp  a file that is being written
//	DIR/output/…                  a folder for each kind
//	DIR/damaged/answer-3f9a…-1    a damaged file that a good one has replaced
//
// No name comes from a user: a key is 32 bytes and a kind is one of [Kinds].
//
// # A file
//
// A file is one of package sectionfile, with the sections "key" (kind and key) and "content". Its end
// has the checksums of all blocks of 64 KiB and their digest. A reader checks the end at once, so a file
// that was cut short is detected before any byte of it is used, and each block before the caller gets
// it. A block in the wrong place, or a file in the place of another one, is detected too.
//
// # What it promises
//
// When Put has returned, the file is whole, on the disk, and found by all processes. A reader gets all of
// it, or an error that wraps [ErrDamaged] and names the file and the place. A damaged file is never
// changed or overwritten, and all other files are still served. A Put of its key moves it to DIR/damaged.
// The files there do not count for the quota, and only the owner of the machine removes them. To make
// room, the store looks only at the beginning of a file. So a file that is damaged further on is removed
// like a sound one, if nobody has used it for long.
//
// With a quota, the files that were not used for the longest time make room for new ones. The store
// never removes a file that some process has open, an answer or an output that was made or used
// within Options.Keep, or a file of another program. If there are no other files, a Put fails with
// [ErrFull]. The modification time of a file is the time of its last use. It is set at most once in
// ten minutes.
//
// # How processes keep out of each other's way
//
// A process that makes room, or gives a file its name, holds a lock on DIR/lock (flock, which ends with
// its process). It does not hold this lock while it reads or writes the content of a file. A reader
// holds a shared lock on its file. A process that removes a file must first get the exclusive lock on
// it.
//
// The lock file has a record of how much the store holds, since it takes 0.7 seconds to look at
// 100,000 files. The record is exact as long as no process is killed. A process that is killed may
// leave it too large; after a loss of power it may be too small. Whenever the record says that there
// is no room, the store looks at all files and corrects the record.
//
// # Non-goals
//
// It does not know what is in a file. Its folder is for its own files only. On systems without
// flock (Windows) only one process at a time may use a folder. It does not keep secrets: a user
// who may read the folder can read all files in it.
//
// # Cost
//
// Put: two syncs, some milliseconds. Open: ten system calls, some 10 µs, and no look at other
// files. Reading: SHA-256 and CRC-32C, 2 to 3 ns a byte. To open a store, its folders are listed, which
// takes a tenth of a second for 100,000 files. To make room, the store must look at all files, so it
// frees a twentieth of the quota at once.
//
// # References
//
// Linux, flock(2): locks on NFS, which work between machines since Linux 2.6.12. RFC 3385 on
// CRC-32C, and why it detects errors that a simpler sum misses.
package store

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/pavage/pavage/internal/kit/atomicfile"
)

// Kind is what a file is for. Each kind has a folder.
type Kind string

// The kinds.
const (
	Answer  Kind = "answer"  // of a job, as JSON
	Output  Kind = "output"  // of a job: tilings or a file
	Diagram Kind = "diagram" // what samples are drawn from
)

// Kinds are all kinds.
func Kinds() []Kind { return []Kind{Answer, Output, Diagram} }

var (
	// ErrAbsent is wrapped by the error about a file that does not exist.
	ErrAbsent = errors.New("not in the store")
	// ErrDamaged is wrapped by the error about a file that has changed since it was
	// written. The error has the path of the file.
	ErrDamaged = errors.New("not as it was written")
	// ErrGone is wrapped by the error about a file whose folder was removed while the store
	// was open.
	ErrGone = errors.New("the folder of the store was removed")
	// ErrFull is wrapped by the error about a file for which there is no room.
	ErrFull = errors.New("the store is full")
)

// Key is a digest of the request that a file answers.
type Key [sha256.Size]byte

// String is the key in hexadecimal.
func (k Key) String() string { return hex.EncodeToString(k[:]) }

// ParseKey reads a key in the form that String writes, and in no other form.
func ParseKey(text string) (k Key, err error) {
	if len(text) == 2*len(k) && strings.ToLower(text) == text {
		if _, err := hex.Decode(k[:], []byte(text)); err == nil {
			return k, nil
		}
	}
	return Key{}, fmt.Errorf("bad key %.80q, want %d digits of 0..9, a..f", text, 2*len(k))
}

// Options are how much a store keeps, and how long.
type Options struct {
	Quota int64         // bytes of all files, headers included; 0: no limit
	Keep  time.Duration // how long answers and outputs are kept after they were made or used
}

// Store is a folder of files. Any number of goroutines may use it at once.
type Store struct {
	dir     string
	options Options
	lock    *os.File
	turn    chan struct{} // full: a goroutine of this store holds the lock
	now     func() time.Time

	last atomic.Pointer[Stats] // the record as it was last read
}

// Stats are the number of files of a store and their bytes, of all processes.
type Stats struct{ Files, Bytes int64 }

const (
	lockName    = "lock"
	damagedName = "damaged"
	// touchEvery is how exact a file's time of use is: to set the time costs a write.
	touchEvery = 10 * time.Minute
)

// Open opens the store in a folder, and makes the folder if there is none. It removes
// the unfinished files of killed writers.
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
	s := &Store{dir: dir, options: o, lock: lock, turn: make(chan struct{}, 1), now: time.Now}
	s.last.Store(&Stats{})
	if err = atomicfile.SyncFolder(dir); err == nil {
		err = s.removeLeftovers()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("store: %w", err), lock.Close())
	}
	return s, nil
}

// Close closes the store's own files. Readers that are open stay open.
func (s *Store) Close() error { return s.lock.Close() }

// path is where the file of a key is.
func (s *Store) path(k Kind, key Key) string {
	name := key.String()
	return filepath.Join(s.dir, string(k), name[:2], name)
}

// Has reports whether there is a file, and marks it as used. It does not look into it.
func (s *Store) Has(k Kind, key Key) bool {
	if knows(k) != nil {
		return false
	}
	path := s.path(k, key)
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	s.touch(path, info)
	return true
}

// touch marks a file as used, unless it was marked a short time ago. If the file cannot
// be marked, it is served all the same.
func (s *Store) touch(path string, info fs.FileInfo) {
	if now := s.now(); now.Sub(info.ModTime()) >= touchEvery {
		_ = os.Chtimes(path, time.Time{}, now)
	}
}

// Stats is cheap: it does not look at the files.
func (s *Store) Stats() Stats {
	if r, err := readRecord(s.lock); err == nil {
		s.last.Store(&r)
	}
	return *s.last.Load()
}

// knows returns an error if there is no such kind.
func knows(k Kind) error {
	if !slices.Contains(Kinds(), k) {
		return fmt.Errorf("store: kind %.40q, want one of %q", string(k), Kinds())
	}
	return nil
}
