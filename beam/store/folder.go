package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"syscall"

	"github.com/pavage/pavage/internal/kit/atomicfile"
)

type folder struct {
	path string

	mu   sync.Mutex
	made map[string]bool // folders that exist on the disk

	cleaned sync.Once // for the call of clean
}

func openFolder(where string) (*folder, error) {
	if where == "" {
		return nil, fmt.Errorf("%w: the name of the folder is empty, expected a folder", ErrPlace)
	}
	where, err := filepath.Abs(where)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrPlace, err)
	}
	info, err := os.Stat(where)
	switch {
	case err == nil && !info.IsDir():
		return nil, fmt.Errorf("%w: %s is not a folder", ErrPlace, where)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%w: %w", ErrPlace, err)
	}
	return &folder{path: where, made: map[string]bool{}}, nil
}

func (f *folder) at(name string) string { return filepath.Join(f.path, filepath.FromSlash(name)) }

func check(ctx context.Context, name string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return CheckName(name)
}

func said(name string, err error) error {
	if missing(err) {
		return fmt.Errorf("%w: %s", ErrMissing, name)
	}
	return err
}

func missing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// make syncs each new folder to the disk before the first file is written.
func (f *folder) make(folder string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.makeLocked(folder)
}

func (f *folder) makeLocked(folder string) error {
	if f.made[folder] {
		return nil
	}
	err := os.Mkdir(folder, 0o777)
	if errors.Is(err, fs.ErrNotExist) {
		if err = f.makeLocked(filepath.Dir(folder)); err == nil {
			err = os.Mkdir(folder, 0o777)
		}
	}
	switch {
	case err == nil:
		err = atomicfile.SyncFolder(filepath.Dir(folder))
	case errors.Is(err, fs.ErrExist):
		err = nil
	}
	f.made[folder] = err == nil
	return err
}

func (f *folder) open(ctx context.Context, name string) (*os.File, error) {
	if err := check(ctx, name); err != nil {
		return nil, err
	}
	file, err := os.Open(f.at(name))
	if err != nil {
		return nil, said(name, err)
	}
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, errors.Join(said(name, fs.ErrNotExist), err, file.Close())
	}
	return file, nil
}

func (f *folder) Read(ctx context.Context, name string, most int64) ([]byte, error) {
	file, err := f.open(ctx, name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return readMost(file, name, most)
}

func readMost(r io.Reader, name string, most int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, most+1))
	if err == nil && int64(len(data)) > most {
		return nil, fmt.Errorf("%w: %s has more than %d bytes", ErrLarge, name, most)
	}
	return data, err
}

func (f *folder) Range(ctx context.Context, name string, from, length int64) (io.ReadCloser, error) {
	if err := checkRange(from, length); err != nil {
		return nil, err
	}
	file, err := f.open(ctx, name)
	if err != nil {
		return nil, err
	}
	return &exact{io.NewSectionReader(file, from, length), file, length}, nil
}

type exact struct {
	io.Reader
	io.Closer
	left int64
}

func (e *exact) Read(p []byte) (int, error) {
	n, err := e.Reader.Read(p)
	if e.left -= int64(n); errors.Is(err, io.EOF) && e.left > 0 {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

func (f *folder) Size(ctx context.Context, name string) (int64, error) {
	if err := check(ctx, name); err != nil {
		return 0, err
	}
	info, err := os.Stat(f.at(name))
	switch {
	case err != nil:
		return 0, said(name, err)
	case !info.Mode().IsRegular():
		return 0, said(name, fs.ErrNotExist)
	}
	return info.Size(), nil
}

func (f *folder) List(ctx context.Context, folder string) ([]string, error) {
	if err := errors.Join(ctx.Err(), checkFolder(folder)); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(f.at(folder)) // in sorted order
	if err != nil && !missing(err) {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if e.Type().IsRegular() && !strings.HasPrefix(e.Name(), ".") {
			names = append(names, path.Join(folder, e.Name()))
		}
	}
	return names, nil
}

func (f *folder) Remove(ctx context.Context, name string) error {
	_, err := f.Size(ctx, name) // returns an error for a folder, so Remove removes only files
	if err == nil {
		err = os.Remove(f.at(name))
	}
	if errors.Is(err, ErrMissing) || missing(err) {
		return nil
	}
	return err
}
