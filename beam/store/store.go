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
	// ErrMissing is wrapped by errors for a file that does not exist.
	ErrMissing = errors.New("there is no such file in the store")
	// ErrLarge is wrapped by errors for a file that is larger than its reader allows.
	ErrLarge = errors.New("the file is too large")
	// ErrName is wrapped by errors for a name that is not allowed: see the package comment.
	ErrName = errors.New("not a name of a file in a store")
	// ErrPlace is wrapped by errors for a store that cannot be opened or written, or breaks a promise.
	ErrPlace = errors.New("cannot use the store")
)

// Store holds files that many machines share. Several goroutines may call its methods at once.
type Store interface {
	// Stage begins a file. The file is invisible until it is committed.
	Stage(ctx context.Context) (Staged, error)
	// Read returns a whole file. The error wraps ErrMissing if there is no such file, and ErrLarge
	// if the file has more bytes than the argument most.
	Read(ctx context.Context, name string, most int64) ([]byte, error)
	// Range reads length bytes, or ends with io.ErrUnexpectedEOF. See Size for a missing file.
	Range(ctx context.Context, name string, from, length int64) (io.ReadCloser, error)
	// Size returns the size of a file in bytes. The error wraps ErrMissing if there is no such file.
	Size(ctx context.Context, name string) (int64, error)
	// List returns the sorted full names of the files in a folder. A missing folder has no files.
	List(ctx context.Context, folder string) ([]string, error)
	// Remove removes a file if it exists.
	Remove(ctx context.Context, name string) error
}

// Staged is an unfinished file. It must not be used by several goroutines at once.
type Staged interface {
	io.Writer
	// Commit names and closes the complete file. After an error, an older file of this name stays.
	Commit(ctx context.Context, name string) error
	// Discard removes the file. After Commit it does nothing.
	Discard()
}

// Open opens a store in a folder, at gs://bucket/folder or s3://bucket/folder, or at an address of
// another scheme of Beam. A missing folder is made for the first file.
func Open(ctx context.Context, where string) (Store, error) {
	if strings.Contains(where, "://") {
		return openObjects(ctx, where)
	}
	return openFolder(where)
}

// Write writes a small file.
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

// CheckName returns an error that wraps ErrName unless name is a valid name.
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

// odd reports whether a character is forbidden in names, since some systems treat it specially.
func odd(r rune) bool {
	return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("-_./", r))
}

func checkRange(from, length int64) error {
	if from < 0 || length < 0 || from+length < 0 {
		return fmt.Errorf("the range begins at byte %d and has %d bytes, expected two numbers of at least 0 whose sum is below 2^63", from, length)
	}
	return nil
}
