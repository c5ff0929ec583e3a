package store_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"sync"
	"testing"

	"github.com/pavage/pavage/beam/store"
)

// conform tests that a kind of store keeps the promises of [store.Store]. Each call of open opens the
// same store, as another process would.
func conform(t *testing.T, open func() store.Store) {
	s, other := open(), open()
	for _, part := range []struct {
		name string
		test func(*testing.T, store.Store, store.Store)
	}{
		{"nothing there", nothingThere},
		{"staged", stagedUnseen},
		{"written and read", writtenAndRead},
		{"ranges", ranges},
		{"replaced", replaced},
		{"lists", lists},
		{"removed", removed},
		{"names", names},
		{"contexts", contexts},
		{"many at once", manyAtOnce},
	} {
		t.Run(part.name, func(t *testing.T) { part.test(t, s, other) })
	}
}

// some returns n bytes that do not repeat.
func some(n int) []byte {
	data := make([]byte, n)
	x := uint32(n)
	for i := range data {
		x = x*1664525 + 1013904223
		data[i] = byte(x >> 24)
	}
	return data
}

func put(t *testing.T, s store.Store, name string, data []byte) {
	t.Helper()
	f, err := s.Stage(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer f.Discard()
	for part := range slices.Chunk(data, 100_000) {
		if n, err := f.Write(part); err != nil || n != len(part) {
			t.Fatal(n, err)
		}
	}
	if err := f.Commit(t.Context(), name); err != nil {
		t.Fatal(err)
	}
}

// want checks that a store has these bytes under a name.
func want(t *testing.T, s store.Store, name string, data []byte) {
	t.Helper()
	if got, err := s.Read(t.Context(), name, int64(len(data))); err != nil || !bytes.Equal(got, data) {
		t.Errorf("%s: %d bytes, error %v, want %d", name, len(got), err, len(data))
	}
	if n, err := s.Size(t.Context(), name); err != nil || n != int64(len(data)) {
		t.Errorf("%s has size %d, error %v, want %d", name, n, err, len(data))
	}
}

// missing checks that a store has no such file.
func missing(t *testing.T, s store.Store, name string) {
	t.Helper()
	_, read := s.Read(t.Context(), name, 10)
	_, size := s.Size(t.Context(), name)
	_, ranged := s.Range(t.Context(), name, 0, 1)
	for call, err := range map[string]error{"Read": read, "Size": size, "Range": ranged} {
		if !errors.Is(err, store.ErrMissing) {
			t.Errorf("%s of %s: %v, want ErrMissing", call, name, err)
		}
	}
}

func listed(t *testing.T, s store.Store, folder string, want ...string) {
	t.Helper()
	if got, err := s.List(t.Context(), folder); err != nil || !slices.Equal(got, want) {
		t.Errorf("list of %q: %q, %v, want %q", folder, got, err, want)
	}
}

func nothingThere(t *testing.T, s, other store.Store) {
	missing(t, s, "a")
	missing(t, other, "folder/a")
	listed(t, s, "")
	listed(t, s, "folder")
	if err := s.Remove(t.Context(), "folder/a"); err != nil {
		t.Error(err)
	}
}

func stagedUnseen(t *testing.T, s, other store.Store) {
	for _, end := range []string{"discard", "commit"} {
		f, err := s.Stage(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write(some(100)); err != nil {
			t.Fatal(err)
		}
		missing(t, other, "staged/a")
		listed(t, other, "")
		listed(t, other, "staged")
		if end == "commit" {
			if err := f.Commit(t.Context(), "staged/a"); err != nil {
				t.Error(err)
			}
			want(t, other, "staged/a", some(100))
		}
		f.Discard()
		f.Discard()
		if err := f.Commit(t.Context(), "staged/b"); err == nil {
			t.Error("a file was committed after its end")
		}
		missing(t, other, "staged/b")
	}
	want(t, other, "staged/a", some(100))
}

func writtenAndRead(t *testing.T, s, other store.Store) {
	for _, n := range []int{0, 1, 100, 1_000_000} {
		put(t, s, "written", some(n))
		want(t, s, "written", some(n))
		want(t, other, "written", some(n))
	}
	if err := store.Write(t.Context(), other, "deep/er/still", some(10)); err != nil {
		t.Fatal(err)
	}
	want(t, s, "deep/er/still", some(10))
	missing(t, s, "deep")
	missing(t, s, "deep/er")
	if _, err := s.Read(t.Context(), "written", 999_999); !errors.Is(err, store.ErrLarge) {
		t.Errorf("%v, want ErrLarge", err)
	}
	if _, err := s.Read(t.Context(), "deep/er/still", 0); !errors.Is(err, store.ErrLarge) {
		t.Errorf("%v, want ErrLarge", err)
	}
}

func ranges(t *testing.T, s, other store.Store) {
	data := some(300_000)
	put(t, s, "ranges", data)
	put(t, s, "empty", nil)
	for _, r := range [][2]int64{{0, 300_000}, {0, 1}, {299_999, 1}, {100_000, 150_000}, {7, 0}, {300_000, 0}} {
		got, err := ranged(t, other, "ranges", r[0], r[1])
		if err != nil || !bytes.Equal(got, data[r[0]:r[0]+r[1]]) {
			t.Errorf("range %v: %d bytes, %v", r, len(got), err)
		}
	}
	for _, r := range [][2]int64{{299_999, 2}, {300_000, 1}, {400_000, 10}, {0, 300_001}} {
		got, err := ranged(t, s, "ranges", r[0], r[1])
		if !errors.Is(err, io.ErrUnexpectedEOF) || !bytes.Equal(got, data[min(r[0], 300_000):]) {
			t.Errorf("range %v: %d bytes, %v, want io.ErrUnexpectedEOF", r, len(got), err)
		}
	}
	for _, r := range [][2]int64{{-1, 2}, {1, -1}, {1<<63 - 1, 2}} {
		if _, err := s.Range(t.Context(), "ranges", r[0], r[1]); err == nil {
			t.Errorf("range %v was read", r)
		}
	}
	if got, err := ranged(t, s, "empty", 0, 0); err != nil || len(got) > 0 {
		t.Errorf("%q, %v", got, err)
	}
}

func ranged(t *testing.T, s store.Store, name string, from, length int64) ([]byte, error) {
	r, err := s.Range(t.Context(), name, from, length)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(r)
}

// replaced: a file is replaced by another of its name. A reader that has begun to read the old one reads it to
// its end, or gets an error, but never a mixture.
func replaced(t *testing.T, s, other store.Store) {
	old, young := some(2_000_000), some(2_000_001)[1:]
	put(t, s, "replaced", old)
	r, err := other.Range(t.Context(), "replaced", 0, int64(len(old)))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	begun := make([]byte, 10)
	if _, err := io.ReadFull(r, begun); err != nil {
		t.Fatal(err)
	}
	put(t, s, "replaced", young)
	rest, err := io.ReadAll(r)
	if got := append(begun, rest...); err == nil && !bytes.Equal(got, old) {
		t.Errorf("%d bytes of neither file", len(got))
	}
	want(t, other, "replaced", young)
}

func lists(t *testing.T, s, other store.Store) {
	for _, name := range []string{"list/b", "list/a", "list/a.b-c_D", "list/folder/c", "listed", "list/a0"} {
		put(t, s, name, some(3))
	}
	listed(t, other, "list", "list/a", "list/a.b-c_D", "list/a0", "list/b")
	listed(t, other, "list/folder", "list/folder/c")
	listed(t, other, "lis")
	listed(t, other, "list/a")
	got, err := other.List(t.Context(), "")
	if err != nil || !slices.Contains(got, "listed") || slices.Contains(got, "list/a") || slices.Contains(got, "list") || !slices.IsSorted(got) {
		t.Errorf("%q, %v", got, err)
	}
}

func removed(t *testing.T, s, other store.Store) {
	put(t, s, "removed/a", some(10))
	for range 2 {
		if err := other.Remove(t.Context(), "removed/a"); err != nil {
			t.Error(err)
		}
		missing(t, s, "removed/a")
		listed(t, s, "removed")
	}
	put(t, s, "removed/b/c", some(10))
	if err := s.Remove(t.Context(), "removed/b"); err != nil {
		t.Error(err)
	}
	want(t, other, "removed/b/c", some(10))
}

func names(t *testing.T, s, _ store.Store) {
	for _, name := range []string{"", "/", "/a", "a/", "a//b", ".", "..", "../a", "a/../b", "a/./b", ".a", "a/.b", "a*", "a?", "[a]", `a\b`, "a b", "a:b", "gs://a", "ä", "a\x00"} {
		_, read := s.Read(t.Context(), name, 10)
		_, size := s.Size(t.Context(), name)
		_, ranged := s.Range(t.Context(), name, 0, 1)
		_, list := s.List(t.Context(), name)
		if name == "" {
			list = store.ErrName // the store itself
		}
		calls := map[string]error{"read": read, "size": size, "range": ranged, "list": list, "remove": s.Remove(t.Context(), name), "write": store.Write(t.Context(), s, name, nil)}
		for call, err := range calls {
			if !errors.Is(err, store.ErrName) {
				t.Errorf("%s of %q: %v, want ErrName", call, name, err)
			}
		}
	}
}

// contexts: no call has an effect if its context has ended.
func contexts(t *testing.T, s, other store.Store) {
	put(t, s, "contexts", some(10))
	f, err := s.Stage(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer f.Discard()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, stage := s.Stage(ctx)
	_, read := s.Read(ctx, "contexts", 10)
	_, size := s.Size(ctx, "contexts")
	_, ranged := s.Range(ctx, "contexts", 0, 1)
	_, list := s.List(ctx, "")
	calls := map[string]error{"stage": stage, "read": read, "size": size, "range": ranged, "list": list, "remove": s.Remove(ctx, "contexts"), "commit": f.Commit(ctx, "contexts2")}
	for call, err := range calls {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v, want context.Canceled", call, err)
		}
	}
	want(t, other, "contexts", some(10))
	missing(t, other, "contexts2")
}

// manyAtOnce: several goroutines write the same file and other files, and read them.
func manyAtOnce(t *testing.T, s, other store.Store) {
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for _, name := range []string{"many/same", "many/own" + string(rune('a'+i))} {
				if err := store.Write(t.Context(), s, name, some(1000)); err != nil {
					t.Error(err)
				}
				want(t, other, name, some(1000))
			}
		})
	}
	all.Wait()
	if got, err := s.List(t.Context(), "many"); err != nil || len(got) != 9 {
		t.Errorf("%q, %v", got, err)
	}
}
