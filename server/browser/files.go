package browser

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"sync"

	"github.com/pavage/pavage/internal/kit/human"
	"github.com/pavage/pavage/server/store"
)

// Files replaces a [store.Store]. It keeps all files in memory, and writes answers and outputs to
// the journal.
type Files struct {
	journal Journal
	most    int64 // greatest number of bytes of all files
	mu      sync.Mutex
	files   map[Name]*file
	bytes   int64 // bytes of all files, and of files that are being written
	uses    int64 // number of uses so far, of all files together
}

type file struct {
	content []byte
	used    int64 // value of Files.uses at the last use of this file
}

// A single file may have at most 1/ofMost of the bytes that Files.most allows for all files.
const ofMost = 4

func nameOf(k store.Kind, key store.Key) Name { return Name{string(k), key.String()} }

// Has reports whether there is a file.
func (f *Files) Has(k store.Kind, key store.Key) bool {
	_, err := f.Get(k, key)
	return err == nil
}

// Get returns the content of a file. The error wraps [store.ErrAbsent] if there is no such file.
func (f *Files) Get(k store.Kind, key store.Key) ([]byte, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	of := f.files[nameOf(k, key)]
	if of == nil {
		return nil, fmt.Errorf("%s %s: %w", k, key, store.ErrAbsent)
	}
	f.uses++
	of.used = f.uses
	return of.content, nil
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

// Put keeps a file. To make room, it removes the least recently used files, diagrams first. It also
// writes the file to the journal, unless the file is a diagram: diagrams are made again at the next
// visit. If there is no room, Put and the io.Writer return an error that wraps [store.ErrFull].
func (f *Files) Put(_ context.Context, k store.Kind, key store.Key, write func(io.Writer) error) error {
	w := &writing{files: f}
	defer func() { // if write fails or panics, the reserved bytes are given back
		f.mu.Lock()
		defer f.mu.Unlock()
		f.bytes -= w.reserved
	}()
	if err := write(w); err != nil {
		return err
	}
	content := bytes.Clone(w.content.Bytes()) // half of the buffer may be unused
	f.mu.Lock()
	defer f.mu.Unlock()
	f.set(nameOf(k, key), content)
	w.reserved = 0
	if k != store.Diagram {
		f.journal.Keep(nameOf(k, key), content)
	}
	return nil
}

type writing struct {
	files    *Files
	content  bytes.Buffer
	reserved int64 // bytes of this file that Files.bytes includes
}

func (w *writing) Write(b []byte) (int, error) {
	f, n := w.files, int64(len(b))
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.reserve(w.reserved, n); err != nil {
		return 0, err
	}
	w.reserved += n
	return w.content.Write(b)
}

// reserve makes room for n more bytes of a file. The parameter has is the number of bytes that
// were reserved for the file before. The caller holds the lock.
func (f *Files) reserve(has, n int64) error {
	if has+n > f.most/ofMost {
		bytes := func(n int64) string { return human.Bytes(float64(n)) }
		return fmt.Errorf("%w: this page keeps at most %s of files for one job, and at most %s for all jobs together", store.ErrFull, bytes(f.most/ofMost), bytes(f.most))
	}
	for f.bytes+n > f.most && len(f.files) > 0 {
		f.removeOldest()
	}
	if f.bytes+n > f.most {
		return fmt.Errorf("%w: the unfinished files of other jobs of this page have %s", store.ErrFull, human.Bytes(float64(f.bytes)))
	}
	f.bytes += n
	return nil
}

// removeOldest removes the least recently used diagram, or the least recently used file if there is
// no diagram. The caller holds the lock.
func (f *Files) removeOldest() {
	var oldest Name
	var last *file
	for n, of := range f.files {
		before := last == nil || of.used < last.used
		if isDiagram := n.Kind == string(store.Diagram); last != nil && isDiagram != (oldest.Kind == string(store.Diagram)) {
			before = isDiagram
		}
		if before {
			oldest, last = n, of
		}
	}
	delete(f.files, oldest)
	f.bytes -= int64(len(last.content))
	f.journal.Drop(oldest)
}

// set adds or replaces a file. Its bytes must be reserved. The caller holds the lock.
func (f *Files) set(n Name, content []byte) {
	if old := f.files[n]; old != nil {
		f.bytes -= int64(len(old.content))
	}
	f.uses++
	f.files[n] = &file{content, f.uses}
}

// restore reads a file of the journal. It reports whether there is room for the file.
func (f *Files) restore(n Name) bool {
	content := f.journal.Read(n)
	f.mu.Lock()
	defer f.mu.Unlock()
	if content == nil || f.reserve(0, int64(len(content))) != nil {
		return false
	}
	f.set(n, content)
	return true
}
