package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func open(t testing.TB, o Options) *Store {
	t.Helper()
	return reopen(t, t.TempDir(), o)
}

func reopen(t testing.TB, dir string, o Options) *Store {
	t.Helper()
	s, err := Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// key returns a key for a number.
func key(i int) (k Key) {
	k[0], k[1], k[31] = byte(i>>8), byte(i), byte(i)
	return k
}

// content is so many bytes that look like nothing.
func content(n int) []byte {
	b := make([]byte, n)
	r := rand.New(rand.NewPCG(uint64(n), 1))
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func put(t testing.TB, s *Store, k Kind, key Key, data []byte) {
	t.Helper()
	if err := s.Put(context.Background(), k, key, write(data)); err != nil {
		t.Fatal(err)
	}
}

func write(data []byte) func(io.Writer) error {
	return func(w io.Writer) error { _, err := w.Write(data); return err }
}

// age makes a file look as if it was last used so long ago.
func age(t testing.TB, s *Store, k Kind, key Key, d time.Duration) {
	t.Helper()
	at := s.now().Add(-d)
	if err := os.Chtimes(s.path(k, key), at, at); err != nil {
		t.Fatal(err)
	}
}

// blockBytes is the length of a block of a file.
const blockBytes = 1 << 16

// around is the size of what stands around the content, but for checksums: header, key, table, trailer.
const around = 24 + len("diagram ") + 64 + len("\x03key\x07content") + 2*8 + 48

// fileBytes is the size of the file of a diagram with a content of this length.
func fileBytes(length int) int64 {
	body := 24 + len("diagram ") + 64 + length
	return int64(around + length + 4*((body+blockBytes-1)/blockBytes))
}

// sizes are those around what a block holds.
var sizes = []int{0, 1, 100, blockBytes - 1, blockBytes, blockBytes + 1, 3*blockBytes + 17}

// TestRoundTrip: what was put in comes out, whole and in pieces, also from another store of
// the same folder.
func TestRoundTrip(t *testing.T) {
	s := open(t, Options{})
	other := reopen(t, s.dir, Options{})
	for i, n := range sizes {
		data := content(n)
		put(t, s, Diagram, key(i), data)
		if got, err := other.Get(Diagram, key(i)); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%d bytes of %d: %v", len(got), n, err)
		}
		r, err := s.Open(Diagram, key(i))
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(io.MultiReader(io.LimitReader(r, 5), r))
		if err != nil || !bytes.Equal(got, data) || r.Size() != int64(n) || r.Close() != nil {
			t.Errorf("%d bytes of %d: %v", len(got), n, err)
		}
		info, err := os.Stat(s.path(Diagram, key(i)))
		if err != nil || info.Size() != fileBytes(n) {
			t.Errorf("%d bytes take %v, want %d: %v", n, info.Size(), fileBytes(n), err)
		}
		if s.Has(Answer, key(i)) || !s.Has(Diagram, key(i)) {
			t.Error("the kind does not matter")
		}
	}
	held := int64(0)
	for _, n := range sizes {
		held += fileBytes(n)
	}
	if st := other.Stats(); st.Files != int64(len(sizes)) || st.Bytes != held {
		t.Errorf("%+v, want %d files of %d bytes", st, len(sizes), held)
	}
	if _, err := s.Get(Output, key(0)); !errors.Is(err, ErrAbsent) {
		t.Error(err)
	}
}

// TestReplace: a second Put of a key counts once.
func TestReplace(t *testing.T) {
	s := open(t, Options{})
	for _, n := range []int{10, 100_000, 5} {
		put(t, s, Diagram, key(1), content(n))
		if st := s.Stats(); st.Files != 1 || st.Bytes != fileBytes(n) {
			t.Errorf("%+v after %d bytes", st, n)
		}
	}
}

// TestFailingPut: a Put that fails leaves no file, small or large.
func TestFailingPut(t *testing.T) {
	s := open(t, Options{})
	broken := errors.New("broken")
	for _, n := range []int{10, 5 << 20} {
		err := s.Put(context.Background(), Output, key(1), func(w io.Writer) error {
			if err := write(content(n))(w); err != nil {
				return err
			}
			return broken
		})
		if !errors.Is(err, broken) || s.Has(Output, key(1)) {
			t.Error(err)
		}
		if st := s.Stats(); st.Bytes != 0 || st.Files != 0 {
			t.Errorf("%+v", st)
		}
	}
	if files, err := filepath.Glob(filepath.Join(s.dir, "*", "*", "*")); err != nil || len(files) > 0 {
		t.Errorf("%q, %v", files, err)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(broken)
	if err := s.Put(ctx, Answer, key(1), write(nil)); !errors.Is(err, broken) {
		t.Error(err)
	}
	if err := os.RemoveAll(s.dir); err != nil {
		t.Fatal(err)
	}
	if err := s.Put(t.Context(), Answer, key(1), write(nil)); !errors.Is(err, ErrGone) {
		t.Error(err)
	}
}

func TestKeys(t *testing.T) {
	k := key(12345)
	if got, err := ParseKey(k.String()); err != nil || got != k {
		t.Error(got, err)
	}
	text := k.String()
	for _, bad := range []string{"", text[1:], text + "0", "../" + text[3:], "G" + text[1:], "A" + text[1:]} {
		if _, err := ParseKey(bad); err == nil {
			t.Errorf("%q is taken for a key", bad)
		}
	}
}

func ExampleStore() {
	dir, _ := os.MkdirTemp("", "")
	defer os.RemoveAll(dir)
	s, err := Open(dir, Options{Quota: 1 << 30, Keep: 7 * 24 * time.Hour})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	err = s.Put(context.Background(), Answer, Key{1}, func(w io.Writer) error {
		_, err := io.WriteString(w, `{"count":"3"}`)
		return err
	})
	if err != nil {
		fmt.Println(err)
	}
	answer, err := s.Get(Answer, Key{1})
	fmt.Println(string(answer), err)
	_, err = s.Get(Answer, Key{2})
	fmt.Println(errors.Is(err, ErrAbsent))
	// Output:
	// {"count":"3"} <nil>
	// true
}
