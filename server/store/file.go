package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/pavage/pavage/internal/kit/sectionfile"
)

var format = sectionfile.Kind{Magic: "\x89PAVAGE storage\n", Version: 1}

const (
	keySection     = "key" // section with kind and key, by which a reader detects a file with a wrong name
	contentSection = "content"

	oldMagic = "pavstore" // begins a file of an earlier version, which is treated as absent
	maxWhole = 64 << 20   // greatest number of bytes that Get returns
)

// Reader reads and checks content. If a block is damaged, the error of Read wraps [ErrDamaged]. A
// Reader must not be used by several goroutines at once.
type Reader interface {
	io.ReadCloser
	Size() int64 // returns the length of the content in bytes
}

type reader struct {
	path    string
	file    *sectionfile.File
	content *io.SectionReader
}

// Open opens a file, and marks it as used. The error wraps [ErrAbsent] or [ErrDamaged].
func (s *Store) Open(k Kind, key Key) (Reader, error) {
	r, err := openReader(s.path(k, key), k, key)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("store: %s %s: %w", k, key, ErrAbsent)
	}
	if err != nil {
		return nil, err
	}
	s.Has(k, key)
	return r, nil
}

// Get returns the content of a file of at most 64 MiB. Its errors are errors of Open and [Reader].
func (s *Store) Get(k Kind, key Key) ([]byte, error) {
	r, err := s.Open(k, key)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if r.Size() > maxWhole {
		return nil, fmt.Errorf("store: %s has %d bytes, expected at most %d for a file that is read as a whole", s.path(k, key), r.Size(), int64(maxWhole))
	}
	all := make([]byte, r.Size())
	if _, err := io.ReadFull(r, all); err != nil {
		return nil, err
	}
	return all, nil
}

func openReader(path string, k Kind, key Key) (_ *reader, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = f.Close() // the file was only read
		}
	}()
	old := make([]byte, len(oldMagic))
	if _, err := f.ReadAt(old, 0); err == nil && string(old) == oldMagic {
		return nil, fmt.Errorf("%s: the file is of an older version: %w", path, fs.ErrNotExist)
	}
	file, err := sectionfile.OpenFile(f, format, sectionfile.Options{Whole: -1, Unmapped: true})
	if err != nil {
		return nil, damaged(path, err)
	}
	name, err := file.Section(keySection)
	if err != nil {
		return nil, damaged(path, err)
	}
	content, err := file.Section(contentSection)
	if err != nil {
		return nil, damaged(path, err)
	}
	want := nameOf(k, key)
	if got, err := name.Bytes(int64(len(want))); err != nil {
		return nil, damaged(path, err)
	} else if string(got) != want {
		return nil, fmt.Errorf("%s: %w: the file contains another kind or key than its name", path, ErrDamaged)
	}
	return &reader{path, file, io.NewSectionReader(content, 0, content.Size())}, nil
}

func verify(ctx context.Context, path string, k Kind, key Key) error {
	r, err := openReader(path, k, key)
	if err != nil {
		return err
	}
	defer r.Close()
	return damaged(path, r.file.Check(ctx))
}

func nameOf(k Kind, key Key) string { return string(k) + " " + key.String() }

// damaged adds ErrDamaged and the path to an error of package sectionfile about wrong bytes. It
// returns other errors unchanged.
func damaged(path string, err error) error {
	for _, of := range []error{sectionfile.ErrDamaged, sectionfile.ErrForeign, sectionfile.ErrVersion} {
		if errors.Is(err, of) {
			return fmt.Errorf("%s: %w: %w", path, ErrDamaged, err)
		}
	}
	return err
}

func (r *reader) Size() int64 { return r.content.Size() }

func (r *reader) Read(p []byte) (int, error) {
	n, err := r.content.Read(p)
	return n, damaged(r.path, err)
}

func (r *reader) Close() error { return r.file.Close() }
