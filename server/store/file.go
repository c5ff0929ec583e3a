package store

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/pavage/pavage/internal/kit/filelock"
	"github.com/pavage/pavage/internal/kit/sectionfile"
)

// format is how files of a store begin.
var format = sectionfile.Kind{Magic: "\x89PAVAGE storage\n", Version: 1}

const (
	keySection     = "key" // kind and key, so that a file in the wrong place is detected
	contentSection = "content"

	// oldMagic begins the files of earlier versions of the program. They count as absent: a Put
	// replaces them, and they make room like other files.
	oldMagic = "pavstore"
	// maxWhole is the largest file that Get reads into memory.
	maxWhole = 64 << 20
)

// Reader reads the content of a file. It returns only bytes that it has verified, or else
// an error that wraps [ErrDamaged]. While it is open, nobody removes its file. Only one
// goroutine may use it at a time.
type Reader struct {
	path    string
	info    fs.FileInfo
	file    *sectionfile.File
	content *io.SectionReader
}

// Open opens a file, and marks it as used. The error wraps [ErrAbsent] if there is none.
func (s *Store) Open(k Kind, key Key) (*Reader, error) {
	if err := knows(k); err != nil {
		return nil, err
	}
	path := s.path(k, key)
	r, err := openReader(path, k, key)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("store: %s %s: %w", k, key, ErrAbsent)
	}
	if err == nil {
		s.touch(path, r.info)
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
	if _, err := io.ReadFull(r, all); err != nil {
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
		r, err := newReader(f, path, k, key)
		if err == nil {
			return r, nil
		}
		_ = f.Close()
		if !errors.Is(err, errReplaced) {
			return nil, damaged(path, err)
		}
	}
}

var errReplaced = errors.New("replaced by a new file")

// newReader locks a file against removal, if the system has locks, and reads what stands around its
// content. If another process has the exclusive lock, newReader waits: that process soon removes the
// file, or releases the lock.
func newReader(f *os.File, path string, k Kind, key Key) (*Reader, error) {
	_ = filelock.Shared(f)
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if now, err := os.Stat(path); err != nil {
		return nil, err
	} else if !os.SameFile(info, now) {
		return nil, errReplaced
	}
	if begins(f, oldMagic) {
		return nil, fmt.Errorf("%s: of an older version: %w", path, fs.ErrNotExist)
	}
	file, err := sectionfile.OpenFile(f, format, sectionfile.Options{Whole: -1, Unmapped: true})
	if err != nil {
		return nil, err
	}
	name, err := file.Section(keySection)
	if err != nil {
		return nil, err
	}
	content, err := file.Section(contentSection)
	if err != nil {
		return nil, err
	}
	want := nameOf(k, key)
	if got, err := name.Bytes(int64(len(want))); err != nil {
		return nil, err
	} else if string(got) != want {
		return nil, fmt.Errorf("%w: it is the file of another kind or another key",
			sectionfile.ErrDamaged)
	}
	return &Reader{path, info, file, io.NewSectionReader(content, 0, content.Size())}, nil
}

// nameOf is the content of the section for the key.
func nameOf(k Kind, key Key) string { return string(k) + " " + key.String() }

// begins reports whether a file begins with a magic.
func begins(f *os.File, magic string) bool {
	got := make([]byte, len(magic))
	_, err := f.ReadAt(got, 0)
	return err == nil && string(got) == magic
}

// damaged adds to an error about the content of a file its path and ErrDamaged. Other errors stay as
// they are.
func damaged(path string, err error) error {
	for _, of := range []error{sectionfile.ErrDamaged, sectionfile.ErrForeign, sectionfile.ErrVersion} {
		if errors.Is(err, of) {
			return fmt.Errorf("%s: %w: %w", path, ErrDamaged, err)
		}
	}
	return err
}

// Size is the length of the content in bytes.
func (r *Reader) Size() int64 { return r.content.Size() }

// Read implements io.Reader.
func (r *Reader) Read(p []byte) (int, error) {
	n, err := r.content.Read(p)
	return n, damaged(r.path, err)
}

// Close implements io.Closer.
func (r *Reader) Close() error { return r.file.Close() }
