package browser

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"sync"

	"github.com/pavage/pavage/server/store"
)

// Files keeps answers and outputs in memory, as [store.Store] does in a folder.
type Files struct {
	journal Journal
	mu      sync.Mutex
	files   map[name][]byte // their bytes never change
}

type name struct {
	kind store.Kind
	key  store.Key
}

// MostKept is the largest file, in bytes, that is written to the journal.
const MostKept = 32 << 20

// Has reports whether there is a file.
func (f *Files) Has(k store.Kind, key store.Key) bool {
	_, err := f.Get(k, key)
	return err == nil
}

// Get returns the content of a file. The error wraps [store.ErrAbsent] if there is none.
func (f *Files) Get(k store.Kind, key store.Key) ([]byte, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	content, ok := f.files[name{k, key}]
	if !ok {
		return nil, fmt.Errorf("%s %s: %w", k, key, store.ErrAbsent)
	}
	return content, nil
}

// Open opens a file.
func (f *Files) Open(k store.Kind, key store.Key) (store.Reader, error) {
	content, err := f.Get(k, key)
	if err != nil {
		return nil, err
	}
	return reader{bytes.NewReader(content)}, nil
}

type reader struct{ *bytes.Reader }

func (reader) Close() error { return nil }

// Put keeps a file, and a small one in the journal too. Diagrams are made again when they are needed.
func (f *Files) Put(_ context.Context, k store.Kind, key store.Key, write func(io.Writer) error) error {
	if k == store.Diagram {
		return nil
	}
	var content bytes.Buffer
	if err := write(&content); err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.files[name{k, key}] = content.Bytes()
	if content.Len() <= MostKept {
		f.journal.Keep(string(k), key.String(), content.Bytes())
	}
	return nil
}
