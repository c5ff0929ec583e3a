package store

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"

	"github.com/pavage/pavage/internal/kit/filelock"
)

// maxWhole is the largest file that Get reads into memory.
const maxWhole = 64 << 20

// Reader reads the content of a file. It returns only bytes that it has verified, or else
// an error that wraps [ErrDamaged]. While it is open, nobody removes its file. Only one
// goroutine may use it at a time.
type Reader struct {
	f      *os.File
	path   string
	head   []byte
	length int64
	sum    hash.Hash
	want   []byte // the SHA-256 of the content, from the trailer

	block  []byte // verified, but not yet returned
	buffer []byte
	number int64 // of blocks that were read
	err    error // the error to return after block
	damage func()
}

// Open opens a file, and marks it as used. The error wraps [ErrAbsent] if there is none.
func (s *Store) Open(k Kind, key Key) (*Reader, error) {
	if err := knows(k); err != nil {
		return nil, err
	}
	path := s.path(k, key)
	r, err := openReader(path, k, key)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		s.used.misses.Add(1)
		return nil, fmt.Errorf("store: %s %s: %w", k, key, ErrAbsent)
	case errors.Is(err, ErrDamaged):
		s.used.damaged.Add(1)
	case err == nil:
		s.used.hits.Add(1)
		r.damage = func() { s.used.damaged.Add(1) }
		if info, err := r.f.Stat(); err == nil {
			s.touch(path, info)
		}
	}
	return r, err
}

// Get returns the content of a file, of at most 64 MiB. Its errors are those of Open
// and of its Reader.
func (s *Store) Get(k Kind, key Key) ([]byte, error) {
	r, err := s.Open(k, key)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if r.Size() > maxWhole {
		return nil, fmt.Errorf("store: %s has %d bytes, want at most %d to read them at once", r.path, r.Size(), int64(maxWhole))
	}
	all := make([]byte, r.Size())
	if _, err = io.ReadFull(r, all); err == nil {
		_, err = r.Read(make([]byte, 1)) // an empty file has a sum to verify, too
	}
	if err != io.EOF {
		return nil, err
	}
	return all, nil
}

// openReader opens a file and locks it, so that nobody removes it.
func openReader(path string, k Kind, key Key) (*Reader, error) {
	for {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		var r *Reader
		if err = share(f, path); err == nil {
			r, err = newReader(f, path, k, key)
		}
		if err == nil {
			return r, nil
		}
		_ = f.Close()
		if !errors.Is(err, errReplaced) {
			return nil, err
		}
	}
}

var errReplaced = errors.New("replaced by a new file")

// share locks a file against removal, if the system has locks. If another process has the
// exclusive lock, share waits: that process soon removes the file, or releases the lock.
func share(f *os.File, path string) error {
	_ = filelock.Shared(f)
	here, err := f.Stat()
	if err != nil {
		return err
	}
	there, err := os.Stat(path)
	if err == nil && !os.SameFile(here, there) {
		err = errReplaced
	}
	return err
}

// newReader verifies the header and the trailer of a file.
func newReader(f *os.File, path string, k Kind, key Key) (*Reader, error) {
	r := &Reader{f: f, path: path, head: header(k, key), sum: sha256.New(), damage: func() {}}
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	size := info.Size()
	if !info.Mode().IsRegular() || size < fileBytes(0) {
		return nil, r.damaged(size, "it ends here, want at least %d bytes: it was cut short", fileBytes(0))
	}
	got := make([]byte, headerBytes)
	if _, err := f.ReadAt(got, 0); err != nil {
		return nil, r.failed(err)
	}
	if fault := headerFault(got, r.head); fault != "" {
		return nil, r.damaged(0, "%s", fault)
	}
	end := make([]byte, trailerBytes)
	at := size - trailerBytes
	if _, err := f.ReadAt(end, at); err != nil {
		return nil, r.failed(err)
	}
	r.length = int64(le.Uint64(end))
	if r.length < 0 || r.length > size || fileBytes(r.length) != size {
		return nil, r.damaged(at, "the file has %d bytes, which is not what its end says: it was cut short or written over", size)
	}
	if le.Uint32(end[trailerBytes-sumBytes:]) != seal(r.head, blocks(r.length), end[:trailerBytes-sumBytes]) {
		return nil, r.damaged(at, "the end has another checksum")
	}
	r.want = end[8 : 8+sha256.Size]
	r.buffer = make([]byte, min(blockBytes, r.length)+sumBytes)
	return r, nil
}

// Size is the length of the content in bytes.
func (r *Reader) Size() int64 { return r.length }

// Read implements io.Reader.
func (r *Reader) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if len(r.block) == 0 && r.err == nil {
		r.block, r.err = r.next()
	}
	if len(r.block) == 0 {
		return 0, r.err
	}
	n := copy(p, r.block)
	r.block = r.block[n:]
	return n, nil
}

// next reads a block. With the last block it returns io.EOF: then the whole content is
// verified.
func (r *Reader) next() ([]byte, error) {
	at := headerBytes + r.number*(blockBytes+sumBytes)
	left := r.length - r.number*blockBytes
	if left > 0 {
		n := min(left, blockBytes)
		sealed := r.buffer[:n+sumBytes]
		if _, err := r.f.ReadAt(sealed, at); err != nil {
			return nil, r.failed(err)
		}
		if le.Uint32(sealed[n:]) != seal(r.head, r.number, sealed[:n]) {
			return nil, r.damaged(at, "block %d has another checksum", r.number)
		}
		r.sum.Write(sealed[:n])
		r.number++
		if left > n {
			return sealed[:n], nil
		}
		r.block = sealed[:n]
	}
	if !bytes.Equal(r.sum.Sum(nil), r.want) {
		return nil, r.damaged(headerBytes, "all blocks together have another checksum")
	}
	return r.block, io.EOF
}

// damaged is an error about the file.
func (r *Reader) damaged(at int64, format string, args ...any) error {
	r.damage()
	return &Damage{Path: r.path, At: at, Text: fmt.Sprintf(format, args...)}
}

// failed makes the error to return of one of the file system. A file that became
// shorter is damaged.
func (r *Reader) failed(err error) error {
	if errors.Is(err, io.EOF) {
		return r.damaged(0, "it became shorter while it was read")
	}
	return err
}

// Close implements io.Closer.
func (r *Reader) Close() error { return r.f.Close() }
