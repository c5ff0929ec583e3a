package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
)

var (
	// ErrMissing is wrapped if there is no such file.
	ErrMissing = errors.New("there is no such file in the store")
	// ErrLarge is wrapped if a file is larger than its reader allows.
	ErrLarge = errors.New("the file is too large")
	// ErrName is wrapped if a name is not allowed: see the package comment.
	ErrName = errors.New("not a name of a file in a store")
	// ErrPlace is wrapped if a store cannot be opened or written, or its storage breaks a promise.
	ErrPlace = errors.New("cannot use the store")
)

// Store is a place for files that many machines share. Its methods may be called at the same time.
type Store interface {
	// Stage begins a file that is invisible until it is committed.
	Stage(ctx context.Context) (Staged, error)
	// Read returns a whole file. Errors wrap ErrMissing or, above most bytes, ErrLarge.
	Read(ctx context.Context, name string, most int64) ([]byte, error)
	// Range reads some bytes of a file, or ends with io.ErrUnexpectedEOF. Errors wrap ErrMissing.
	Range(ctx context.Context, name string, from, length int64) (io.ReadCloser, error)
	// Size is in bytes. Errors wrap ErrMissing.
	Size(ctx context.Context, name string) (int64, error)
	// List returns the names of a folder's files, as Read accepts them, sorted; none if missing.
	List(ctx context.Context, folder string) ([]string, error)
	// Remove removes a file, if there is one.
	Remove(ctx context.Context, name string) error
}

// Staged is a file in the making. It belongs to one goroutine.
type Staged interface {
	io.Writer
	// Commit gives the whole file its name, and ends it. On failure an earlier file stays.
	Commit(ctx context.Context, name string) error
	// Discard drops the file. After Commit it does nothing.
	Discard()
}

// Open opens a folder, gs://bucket/folder, s3://bucket/folder, or an address of another scheme of
// Beam. A missing folder is made for the first file.
func Open(ctx context.Context, where string) (Store, error) {
	if strings.Contains(where, "://") {
		return openObjects(ctx, where)
	}
	return openFolder(where)
}

// Write makes a small file.
func Write(ctx context.Context, s Store, name string, data []byte) error {
	f, err := s.Stage(ctx)
	if err != nil {
		return err
	}
	defer f.Discard()
	if _, err := f.Write(data); err != nil {
		return err
	}
	return f.Commit(ctx, name)
}

// CheckName returns an error that wraps ErrName unless the name is one.
func CheckName(name string) error {
	if fs.ValidPath(name) && !strings.ContainsFunc(name, odd) && name[0] != '.' && !strings.Contains(name, "/.") {
		return nil
	}
	return fmt.Errorf("%w: %q", ErrName, name)
}

func checkFolder(folder string) error {
	if folder == "" {
		return nil
	}
	return CheckName(folder)
}

// odd: some systems give other characters a meaning of their own.
func odd(r rune) bool {
	return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("-_./", r))
}

func checkRange(from, length int64) error {
	if from < 0 || length < 0 || from+length < 0 {
		return fmt.Errorf("%d bytes from byte %d on are not a range of a file", length, from)
	}
	return nil
}
