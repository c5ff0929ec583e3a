package store_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/memfs"

	"github.com/pavage/pavage/beam/store"
)

func init() {
	memory := func(ctx context.Context) filesystem.Interface { return memfs.New(ctx) }
	filesystem.Register("seekable", func(ctx context.Context) filesystem.Interface { return seekable{memory(ctx)} })
	filesystem.Register("short", func(ctx context.Context) filesystem.Interface { return short{memory(ctx)} })
	filesystem.Register("panics", func(context.Context) filesystem.Interface { panic("no settings,\nno system") })
	filesystem.Register("lasting", func(ctx context.Context) filesystem.Interface { return struct{ filesystem.Interface }{memory(ctx)} })
}

// seekable is a file system whose files can be read from any position. It is a folder of memfs.
type seekable struct{ filesystem.Interface }

func inMemory(name string) string {
	return strings.Replace(name, "seekable://", "memfs://seekable/", 1)
}

func (s seekable) OpenWrite(ctx context.Context, name string) (io.WriteCloser, error) {
	return s.Interface.OpenWrite(ctx, inMemory(name))
}

func (s seekable) Size(ctx context.Context, name string) (int64, error) {
	return s.Interface.Size(ctx, inMemory(name))
}

func (s seekable) List(ctx context.Context, glob string) ([]string, error) {
	names, err := s.Interface.List(ctx, inMemory(glob))
	for i, name := range names {
		names[i] = strings.Replace(name, "memfs://seekable/", "seekable://", 1)
	}
	return names, err
}

type seekableFile struct{ *bytes.Reader }

func (seekableFile) Close() error { return nil }

func (s seekable) OpenRead(ctx context.Context, name string) (io.ReadCloser, error) {
	r, err := s.Interface.OpenRead(ctx, inMemory(name))
	if err != nil {
		return nil, err
	}
	defer r.Close()
	data, err := io.ReadAll(r)
	return seekableFile{bytes.NewReader(data)}, err
}

func (s seekable) Remove(ctx context.Context, name string) error {
	return s.Interface.(filesystem.Remover).Remove(ctx, inMemory(name))
}

// short is a file system whose writers accept 1000 bytes, and commit the bytes they have when they
// are closed.
type short struct{ filesystem.Interface }

type shortFile struct {
	io.WriteCloser
	left int
}

func (s short) OpenWrite(ctx context.Context, name string) (io.WriteCloser, error) {
	w, err := s.Interface.OpenWrite(ctx, name)
	return &shortFile{w, 1000}, err
}

func (w *shortFile) Write(p []byte) (int, error) {
	n, _ := w.WriteCloser.Write(p[:min(w.left, len(p))])
	if w.left -= n; n < len(p) {
		return n, errors.New("the disk is full")
	}
	return n, nil
}

// TestWriteFails: an incomplete file is not committed, even if Close of the file system would commit it.
func TestWriteFails(t *testing.T) {
	s := open(t, "short://folder")
	waits := store.CountWaits(s)
	if err := store.Write(t.Context(), s, "small", make([]byte, 1000)); err != nil {
		t.Fatal(err)
	}
	if err := store.Write(t.Context(), s, "large", make([]byte, 1001)); err == nil || waits.Load() != store.Attempts-1 {
		t.Errorf("error %v after %d waits", err, waits.Load())
	}
	if _, err := s.Size(t.Context(), "large"); !errors.Is(err, store.ErrMissing) {
		t.Errorf("half a file is there: %v", err)
	}
}

// TestNotRemovable: a file system that cannot remove is asked in vain.
func TestNotRemovable(t *testing.T) {
	s := open(t, "lasting://folder")
	if err := s.Remove(t.Context(), "a"); !errors.Is(err, store.ErrPlace) {
		t.Errorf("%v, want ErrPlace", err)
	}
}
