// Package store keeps files by what they answer: answers, outputs, diagrams, for many
// processes at once.
//
// # Purpose
//
// The work of the service is dear and its results never change. So a result is kept in a file
// whose name is made of its [Kind] and of a [Key], the SHA-256 digest of what was asked: whoever
// asks the same again finds it. The folder belongs to all processes that are given it, also on
// several machines:
//
//	DIR/lock                      who holds it may change what the store holds; has its size
//	DIR/answer/3f/3f9a…           a file: its name is the key, in hexadecimal
//	DIR/answer/3f/3f9a….1b2c.tmp  a file that is being written
//	DIR/output/…                  a folder for each kind
//	DIR/damaged/answer-3f9a…-1    a damaged file that had to make room for a good one
//
// No name comes from a user: a key is 32 bytes and a kind is one of [Kinds].
//
// # A file
//
// A file can be checked as it is read, block by block, from the first byte on. Numbers are
// little-endian. A checksum is CRC-32C; each begins with that of the header and with the number
// of its block, so that no block passes for another one or for one of another file:
//
//	header   magic "pavstore", version, bytes of a block, kind, key, checksum     64 bytes
//	block    up to 65,536 bytes of what was put in, checksum                      each full but for the last
//	…
//	trailer  length of what was put in, its SHA-256, checksum                     44 bytes
//
// The length is at the end since nobody knows it at the beginning of a stream. With the size of
// the file it says at once whether the file was cut short.
//
// # What it promises
//
// When Put has returned, the file is whole, on the disk, and found by all processes. Who opens it
// sees all of it or an error that wraps [ErrDamaged] and names the file and the place. A damaged file
// is neither changed nor overwritten, and all others are served. A Put of its key moves it to DIR/damaged,
// which nobody but the owner of the machine empties, and which does not count. Making room
// looks only at the beginning of a file: so a file that is damaged further on, and that nobody
// has used for long, goes like a sound one.
//
// With a quota, the files that were not used for the longest time make room for new ones. Never
// removed are: a file that somebody has open, in whatever process; an answer or an output that was
// made or used within Options.Keep; whatever is not a file of this package. If all is of
// these, a Put fails with [ErrFull]. A file's time of use is its modification time. It is set at most
// once in ten minutes.
//
// # How processes keep out of each other's way
//
// Who changes what the store holds has a lock on DIR/lock (flock, which ends with its process): while it
// makes room, and while it gives a file its name. Nobody writes or reads a file with that lock held. A
// reader has a shared lock on its file; who removes a file must first get it alone.
//
// The lock file has a record of how much the store holds, since to look at 100,000 files takes 0.7
// seconds. The record is right to the byte as long as processes end well. One that is killed may leave
// it too large; after a loss of power it may be too small. Whenever the record says that there is no
// room, all files are looked at, and it is right again.
//
// # Non-goals
//
// It does not know what is in a file. It does not share its folder with anybody else's files. On
// systems without flock (Windows) one process alone may use a folder. It does not keep
// secrets: who may read the folder can read it all.
//
// # Cost
//
// Put: two syncs, some milliseconds. Open: ten system calls, some 10 µs, and no look at other
// files. Reading: SHA-256 and CRC-32C, 2 to 3 ns a byte. Opening a store lists its folders, which takes
// a tenth of a second for 100,000 files. Making room looks at all files, so it makes a twentieth
// of the quota free at once.
//
// # References
//
// Linux, flock(2): what locks promise on NFS, where they hold between machines since Linux 2.6.12.
// RFC 3385 on CRC-32C, and why it finds what a simpler sum does not.
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
	"sync"
	"sync/atomic"
	"time"

	"github.com/pavage/pavage/internal/atomicfile"
)

// Kind is what a file is for. Each kind has a folder.
type Kind string

// The kinds.
const (
	Answer      Kind = "answer"      // of a job, as JSON
	Output      Kind = "output"      // of a job: tilings or a file
	Diagram     Kind = "diagram"     // what samples are drawn from
	Levels      Kind = "levels"      // of a sweep
	Certificate Kind = "certificate" // that proves a count
)

// Kinds are all kinds.
func Kinds() []Kind { return []Kind{Answer, Output, Diagram, Levels, Certificate} }

// kept reports whether files of the kind stay as long as jobs may ask for them.
func (k Kind) kept() bool { return k == Answer || k == Output }

// Key is a digest of what a file is the answer to.
type Key [sha256.Size]byte

// String is the key in hexadecimal.
func (k Key) String() string { return hex.EncodeToString(k[:]) }

// ParseKey reads a key as String writes it, and in no other way.
func ParseKey(text string) (k Key, err error) {
	if len(text) == 2*len(k) {
		_, err = hex.Decode(k[:], []byte(text))
	}
	if err != nil || k.String() != text {
		return Key{}, fmt.Errorf("bad key %.80q, want %d digits of 0..9, a..f", text, 2*len(k))
	}
	return k, nil
}

// Options are how much a store keeps, and how long.
type Options struct {
	Quota int64         // bytes of all files, headers included; 0: no limit
	Keep  time.Duration // answers and outputs stay so long after they were made or used
}

// Store is a folder of files. Any number of goroutines may use it at once.
type Store struct {
	dir     string
	options Options
	lock    *os.File
	turn    chan struct{} // full: a goroutine of this store holds the lock
	now     func() time.Time

	mu   sync.Mutex
	last record // the record as it was last seen
	used counters
}

type counters struct{ hits, misses, evicted, evictedBytes, damaged atomic.Int64 }

// Stats says what a store holds, and what this process has done with it.
type Stats struct {
	Files, Bytes int64 // of all processes
	Quota        int64 // 0: no limit

	Hits, Misses          int64 // files that were opened, and that were not there
	Evicted, EvictedBytes int64
	Damaged               int64 // files found damaged
}

const (
	lockName    = "lock"
	damagedName = "damaged"
	// touchEvery is how exact a file's time of use is: each time costs a write.
	touchEvery = 10 * time.Minute
	// leftoverAge is how old what a killed writer has left must be to be removed. A
	// live writer also has it locked, where there are locks.
	leftoverAge = time.Hour
)

// Open opens the store in a folder, which it makes if need be. It removes what killed
// writers have left.
func Open(dir string, o Options) (*Store, error) {
	for _, k := range Kinds() {
		if err := os.MkdirAll(filepath.Join(dir, string(k)), 0o700); err != nil {
			return nil, fmt.Errorf("store: %w", err)
		}
	}
	lock, err := os.OpenFile(filepath.Join(dir, lockName), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	s := &Store{dir: dir, options: o, lock: lock, turn: make(chan struct{}, 1), now: time.Now}
	if err = atomicfile.SyncFolder(dir); err == nil {
		err = s.removeLeftovers()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("store: %w", err), lock.Close())
	}
	return s, nil
}

// Close lets go of the store's own files. Readers that are open stay so.
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

// touch marks a file as used, unless it is marked so already. That it cannot be marked
// is no reason not to serve it.
func (s *Store) touch(path string, info fs.FileInfo) {
	if now := s.now(); now.Sub(info.ModTime()) >= touchEvery {
		_ = os.Chtimes(path, time.Time{}, now)
	}
}

// Stats is cheap: it does not look at the files.
func (s *Store) Stats() Stats {
	if r, err := readRecord(s.lock); err == nil {
		s.seen(r)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	u := &s.used
	return Stats{
		Files: s.last.files, Bytes: s.last.bytes, Quota: s.options.Quota,
		Hits: u.hits.Load(), Misses: u.misses.Load(),
		Evicted: u.evicted.Load(), EvictedBytes: u.evictedBytes.Load(), Damaged: u.damaged.Load(),
	}
}

func (s *Store) seen(r record) {
	s.mu.Lock()
	s.last = r
	s.mu.Unlock()
}

// knows reports a kind that is none.
func knows(k Kind) error {
	if !slices.Contains(Kinds(), k) {
		return fmt.Errorf("store: kind %.40q, want one of %q", string(k), Kinds())
	}
	return nil
}
