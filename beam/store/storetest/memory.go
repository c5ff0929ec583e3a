// Package storetest has a store in memory, for tests of packages that use a store. On request, its
// calls fail and its files are damaged.
//
//	m := storetest.New()
//	m.Fail = storetest.Every(7)          // each seventh call fails with ErrPlanned
//	…
//	m.Flip("slabs/5f0c", 100)            // inverts one bit of byte 100
//	m.Calls(), m.BytesRead()
package storetest

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"sync"

	"github.com/pavage/pavage/beam/store"
)

// ErrPlanned is the error of a call that fails for a test.
var ErrPlanned = errors.New("this call fails for a test")

// Call is a call to a store. The first call has number 1. The kinds are "stage", "write", "commit",
// "read", "range", "size", "list", "remove", and "next", a read of bytes from an open range.
type Call struct {
	Number int
	Kind   string
	Name   string
}

// Memory is a [store.Store] in memory. Its fields must be set before several goroutines use it.
type Memory struct {
	Fail func(Call) error // returns the error of a call, or nil; if Fail is nil, no call fails
	// Answer is called at the end of each commit and removal, and determines the result.
	Answer func(Call) error

	mu    sync.Mutex
	files map[string][]byte // open ranges share these slices, so the method damage makes a new slice
	calls map[string]int
	read  int64
}

// New returns an empty store.
func New() *Memory {
	return &Memory{files: map[string][]byte{}, calls: map[string]int{}}
}

// Every returns a function for Memory.Fail, by which every nth call fails with [ErrPlanned].
func Every(n int) func(Call) error {
	return func(c Call) error {
		if c.Number%n == 0 {
			return fmt.Errorf("%w: call %d, %s %s", ErrPlanned, c.Number, c.Kind, c.Name)
		}
		return nil
	}
}

// Calls returns the number of calls of the given kinds. Without kinds it counts all calls.
func (m *Memory) Calls(kinds ...string) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(kinds) == 0 {
		kinds = slices.Collect(maps.Keys(m.calls))
	}
	n := 0
	for _, kind := range kinds {
		n += m.calls[kind]
	}
	return n
}

// BytesRead returns the number of bytes that were read.
func (m *Memory) BytesRead() int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.read
}

// Names returns the names of all files, sorted.
func (m *Memory) Names() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Sorted(maps.Keys(m.files))
}

// Lose removes a file.
func (m *Memory) Lose(name string) { m.damage(name, func([]byte) []byte { return nil }) }

// Flip inverts one bit of a byte of a file. The argument at is the offset of the byte.
func (m *Memory) Flip(name string, at int) {
	m.damage(name, func(data []byte) []byte { data[at] ^= 1 << (at % 8); return data })
}

// Truncate keeps only the first n bytes of a file.
func (m *Memory) Truncate(name string, n int) {
	m.damage(name, func(data []byte) []byte { return data[:n] })
}

// Exchange gives each of two files the name of the other.
func (m *Memory) Exchange(a, b string) {
	other := m.Bytes(b)
	m.damage(b, func([]byte) []byte { return m.files[a] })
	m.damage(a, func([]byte) []byte { return other })
}

// Put makes a file. It is not counted as a call.
func (m *Memory) Put(name string, data []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.files[name] = bytes.Clone(data)
}

// Bytes returns a copy of a file. Like Lose, Flip and Truncate, it panics if there is no such file.
func (m *Memory) Bytes(name string) (data []byte) {
	m.damage(name, func(was []byte) []byte { data = bytes.Clone(was); return was })
	return data
}

func (m *Memory) damage(name string, how func([]byte) []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	data, ok := m.files[name]
	if !ok {
		panic("storetest: there is no file " + name)
	}
	if m.files[name] = how(append([]byte{}, data...)); m.files[name] == nil {
		delete(m.files, name)
	}
}

func (m *Memory) call(ctx context.Context, kind, name string) error {
	m.mu.Lock()
	m.calls[kind]++
	c := Call{Kind: kind, Name: name}
	for _, n := range m.calls {
		c.Number += n
	}
	m.mu.Unlock()
	if err := ctx.Err(); err != nil || m.Fail == nil {
		return err
	}
	return m.Fail(c)
}

func (m *Memory) answer(kind, name string) error {
	if m.Answer == nil {
		return nil
	}
	return m.Answer(Call{m.Calls(), kind, name})
}

func (m *Memory) find(ctx context.Context, kind, name string) ([]byte, error) {
	if err := errors.Join(store.CheckName(name), m.call(ctx, kind, name)); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if data, ok := m.files[name]; ok {
		return data, nil
	}
	return nil, fmt.Errorf("%w: %s", store.ErrMissing, name)
}

// Read implements store.Store.
func (m *Memory) Read(ctx context.Context, name string, most int64) ([]byte, error) {
	data, err := m.find(ctx, "read", name)
	switch {
	case err != nil:
		return nil, err
	case int64(len(data)) > most:
		return nil, fmt.Errorf("%w: %s has %d bytes", store.ErrLarge, name, len(data))
	}
	m.add(len(data))
	return bytes.Clone(data), nil
}

func (m *Memory) add(read int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.read += int64(read)
}

// Range implements store.Store.
func (m *Memory) Range(ctx context.Context, name string, from, length int64) (io.ReadCloser, error) {
	if from < 0 || length < 0 || from+length < 0 {
		return nil, fmt.Errorf("range of %d bytes from byte %d on", length, from)
	}
	data, err := m.find(ctx, "range", name)
	if err != nil {
		return nil, err
	}
	data = data[min(from, int64(len(data))):]
	r := &reader{m: m, ctx: ctx, name: name, end: io.EOF}
	if int64(len(data)) < length {
		r.end = io.ErrUnexpectedEOF
	}
	r.data = data[:min(length, int64(len(data)))]
	return r, nil
}

// reader is an open range. Each call of Read counts as a call of the kind "next".
type reader struct {
	m    *Memory
	ctx  context.Context
	name string
	data []byte
	end  error
}

func (r *reader) Read(p []byte) (int, error) {
	if err := r.m.call(r.ctx, "next", r.name); err != nil {
		return 0, err
	}
	n := copy(p, r.data)
	r.m.add(n)
	if r.data = r.data[n:]; len(r.data) == 0 && n < len(p) {
		return n, r.end
	}
	return n, nil
}

func (r *reader) Close() error { return nil }

// Size implements store.Store.
func (m *Memory) Size(ctx context.Context, name string) (int64, error) {
	data, err := m.find(ctx, "size", name)
	return int64(len(data)), err
}

// List implements store.Store.
func (m *Memory) List(ctx context.Context, folder string) ([]string, error) {
	var err error
	if folder != "" {
		err = store.CheckName(folder)
	}
	if err := errors.Join(err, m.call(ctx, "list", folder)); err != nil {
		return nil, err
	}
	in := cmp.Or(folder, ".")
	return slices.DeleteFunc(m.Names(), func(name string) bool { return path.Dir(name) != in }), nil
}

// Remove implements store.Store.
func (m *Memory) Remove(ctx context.Context, name string) error {
	if _, err := m.find(ctx, "remove", name); err != nil && !errors.Is(err, store.ErrMissing) {
		return err
	}
	m.mu.Lock()
	delete(m.files, name)
	m.mu.Unlock()
	return m.answer("remove", name)
}

// Stage implements store.Store.
func (m *Memory) Stage(ctx context.Context) (store.Staged, error) {
	if err := m.call(ctx, "stage", ""); err != nil {
		return nil, err
	}
	return &staged{m: m, ctx: ctx}, nil
}

type staged struct {
	m    *Memory
	ctx  context.Context
	data []byte
	over bool // whether the file was committed or discarded
}

func (s *staged) Write(p []byte) (int, error) {
	if s.over {
		return 0, errors.New("a file was written to after Commit or Discard")
	}
	if err := s.m.call(s.ctx, "write", ""); err != nil {
		return 0, err
	}
	s.data = append(s.data, p...)
	return len(p), nil
}

func (s *staged) Commit(ctx context.Context, name string) error {
	if s.over {
		return errors.New("a file was committed after Commit or Discard")
	}
	if err := errors.Join(store.CheckName(name), s.m.call(ctx, "commit", name)); err != nil {
		return err
	}
	s.over = true
	s.m.mu.Lock()
	s.m.files[name] = s.data
	s.m.mu.Unlock()
	return s.m.answer("commit", name)
}

func (s *staged) Discard() { s.over = true }
