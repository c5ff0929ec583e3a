package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pavage/pavage/internal/kit/filelock"
	"github.com/pavage/pavage/internal/test/testkit"
)

const day = 24 * time.Hour

// TestOldestGo: the files that were not used for the longest time make room; a use is a Has, a
// Get or an Open.
func TestOldestGo(t *testing.T) {
	one := fileBytes(1000)
	s := open(t, Options{Quota: 10 * one})
	for i := range 10 {
		put(t, s, Diagram, key(i), content(1000))
		age(t, s, Diagram, key(i), time.Duration(100-i)*day)
	}
	if !s.Has(Diagram, key(0)) {
		t.Fatal("a file is missing")
	}
	if _, err := s.Get(Diagram, key(1)); err != nil {
		t.Fatal(err)
	}
	put(t, s, Diagram, key(10), content(1000))
	for i := range 11 {
		_, err := os.Stat(s.path(Diagram, key(i)))
		if gone := i == 2 || i == 3; gone != (err != nil) { // and a part more than was wanted
			t.Errorf("file %d: %v", i, err)
		}
	}
	if st := s.Stats(); st.Bytes > 10*one || st.Files != 9 {
		t.Errorf("%+v", st)
	}
}

// TestTouch: a use is marked, but not again within touchEvery.
func TestTouch(t *testing.T) {
	s := open(t, Options{})
	put(t, s, Answer, key(1), nil)
	used := func(ago time.Duration) bool {
		age(t, s, Answer, key(1), ago)
		before, err := os.Stat(s.path(Answer, key(1)))
		if err != nil || !s.Has(Answer, key(1)) {
			t.Fatal(err)
		}
		after, err := os.Stat(s.path(Answer, key(1)))
		if err != nil {
			t.Fatal(err)
		}
		return after.ModTime().After(before.ModTime())
	}
	if used(touchEvery/2) || !used(2*touchEvery) {
		t.Error("a use is marked too often, or not at all")
	}
}

// TestNotEvicted: files kept for jobs and foreign files stay, and the error has their bytes.
func TestNotEvicted(t *testing.T) {
	one := fileBytes(1000) // of a diagram: those of answers and outputs are a byte smaller
	s := open(t, Options{Quota: 3 * one, Keep: 7 * day})
	for i, k := range []Kind{Answer, Output, Diagram} {
		put(t, s, k, key(i), content(1000))
		age(t, s, k, key(i), 6*day)
	}
	foreign := filepath.Join(filepath.Dir(s.path(Diagram, key(2))), "mine")
	if err := os.WriteFile(foreign, make([]byte, 5*one), 0o666); err != nil {
		t.Fatal(err)
	}
	r, err := s.Open(Diagram, key(2))
	if err != nil {
		t.Fatal(err)
	}
	put(t, s, Output, key(3), content(1000)) // in the place of the only one that may go
	if s.Has(Diagram, key(2)) || !s.Has(Answer, key(0)) || !s.Has(Output, key(1)) {
		t.Error("the wrong file made room")
	}
	if got, err := io.ReadAll(r); err != nil || !bytes.Equal(got, content(1000)) || r.Close() != nil {
		t.Errorf("a file that was open when it was removed: %v", err)
	}
	err = s.Put(context.Background(), Answer, key(5), write(content(1000)))
	want := "3.5 kB are in use, of which 3.5 kB are kept for jobs; there is no room for 1.2 kB more"
	if !errors.Is(err, ErrFull) || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
	age(t, s, Answer, key(0), 8*day)
	put(t, s, Answer, key(5), content(1000))
	if s.Has(Answer, key(0)) || !s.Has(Output, key(1)) {
		t.Error("the wrong file made room")
	}
	if _, err := os.Stat(foreign); err != nil {
		t.Error(err)
	}
	checkRecord(t, s)
}

// checkRecord compares the record with the files.
func checkRecord(t *testing.T, s *Store) {
	t.Helper()
	want, err := s.counted(context.Background(), func(entry) {})
	if err != nil {
		t.Fatal(err)
	}
	if st := s.Stats(); st.Files != want.Files || st.Bytes != want.Bytes {
		t.Errorf("the record says %d files, %d bytes, and there are %+v", st.Files, st.Bytes, want)
	}
}

// TestRecordAfterFailure: whatever goes wrong while room is made, or while a file gets its name,
// the record is that of the files.
func TestRecordAfterFailure(t *testing.T) {
	s := open(t, Options{Quota: 5 * fileBytes(1000)})
	for i := range 4 {
		put(t, s, []Kind{Answer, Diagram}[i%2], key(i), content(1000))
	}
	if err := s.Put(t.Context(), Answer, key(9), write(content(9000))); !errors.Is(err, ErrFull) {
		t.Error(err)
	}
	checkRecord(t, s)
	err := s.Put(t.Context(), Answer, key(0), func(w io.Writer) error {
		files, err := filepath.Glob(s.path(Answer, key(0)) + ".*")
		if err != nil || len(files) != 1 {
			t.Fatal(files, err)
		}
		return os.Remove(files[0])
	})
	if err == nil {
		t.Error("a file that is gone got its name")
	}
	checkRecord(t, s)
}

// locked makes a file of zeros that a writer has locked until the file is closed.
func locked(t *testing.T, path string, size int64) *os.File {
	t.Helper()
	f, err := os.Create(path)
	if err == nil {
		err = errors.Join(f.Truncate(size), filelock.Alone(f))
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// TestTooLarge: a Put without enough room ends as soon as the room is used up, and leaves no file.
func TestTooLarge(t *testing.T) {
	s := open(t, Options{Quota: 20 << 20})
	put(t, s, Diagram, key(1), content(1000))
	age(t, s, Diagram, key(1), day)
	data := content(21 << 20)
	if err := s.Put(context.Background(), Output, key(3), write(data)); !errors.Is(err, ErrFull) || !s.Has(Diagram, key(1)) {
		t.Errorf("a file went for one that has no room: %v", err)
	}
	put(t, s, Output, key(3), data[:18<<20]) // nearly all
	checkRecord(t, s)
	written := 0
	err := s.Put(context.Background(), Output, key(2), func(w io.Writer) error {
		for {
			n, err := w.Write(make([]byte, 1<<16))
			if written += n; err != nil {
				return err
			}
		}
	})
	if !errors.Is(err, ErrFull) || written > 25<<20 {
		t.Errorf("%d bytes: %v", written, err)
	}
	if files, _ := filepath.Glob(filepath.Join(s.dir, "*", "*", "*.tmp")); len(files) > 0 {
		t.Errorf("%q is left", files)
	}
	checkRecord(t, s)
}

// TestNoRecord: the store computes a lost or damaged record again.
func TestNoRecord(t *testing.T) {
	s := open(t, Options{})
	for i := range 5 {
		put(t, s, Kinds()[i%3], key(i), content(i))
	}
	for _, lost := range []string{"", "nonsense that is as long as a record is"} {
		if err := os.WriteFile(filepath.Join(s.dir, lockName), []byte(lost), 0o666); err != nil {
			t.Fatal(err)
		}
		put(t, s, Answer, key(7), nil)
		checkRecord(t, s)
	}
	if s.Stats().Files != 6 {
		t.Errorf("%+v", s.Stats())
	}
}

// TestManyAtOnce: goroutines of two stores put in, read and make room, and each Get is of what
// was put in, or finds nothing.
func TestManyAtOnce(t *testing.T) {
	quota := 40 * fileBytes(2000)
	s := open(t, Options{Quota: quota})
	stores := []*Store{s, reopen(t, s.dir, Options{Quota: quota})}
	var group sync.WaitGroup
	for g := range 8 {
		group.Add(1)
		go func() {
			defer group.Done()
			s := stores[g%2]
			for i := range testkit.Size(60, 500) {
				n := (i*7 + g*13) % 60
				data := content(2000 - n)
				if i%3 == 0 {
					if err := s.Put(context.Background(), Diagram, key(n), write(data)); err != nil {
						t.Error(err)
					}
					continue
				}
				if got, err := s.Get(Diagram, key(n)); err == nil && !bytes.Equal(got, data) {
					t.Error("other bytes")
				} else if err != nil && !errors.Is(err, ErrAbsent) {
					t.Error(err)
				}
			}
		}()
	}
	group.Wait()
	checkRecord(t, s)
	if st := s.Stats(); st.Bytes > quota {
		t.Errorf("%+v: more than the quota", st)
	}
}

// TestLeftovers: unfinished files of killed writers are removed; files of live writers and foreign files stay.
func TestLeftovers(t *testing.T) {
	s := open(t, Options{})
	put(t, s, Output, key(1), nil)
	path := s.path(Output, key(1))
	for i, name := range []string{path + ".00000001.tmp", path + ".00000002.tmp", filepath.Join(filepath.Dir(path), "mine.tmp")} {
		if f := locked(t, name, 2<<20); i != 1 {
			f.Close()
		}
	}
	again := reopen(t, s.dir, Options{})
	left, err := filepath.Glob(filepath.Join(s.dir, "*", "*", "*.tmp"))
	if err != nil || len(left) != 2 {
		t.Errorf("%q, %v", left, err)
	}
	checkRecord(t, again)
}

// TestOpenIsQuick: opening a store reads no file, however many there are.
func TestOpenIsQuick(t *testing.T) {
	s := open(t, Options{})
	put(t, s, Answer, key(0), content(100))
	whole, err := os.ReadFile(s.path(Answer, key(0)))
	if err != nil {
		t.Fatal(err)
	}
	n := testkit.Size(2000, 100_000)
	for i := range n {
		k := Key{byte(i), byte(i >> 8), byte(i >> 16), 1}
		path := s.path(Answer, k)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, whole, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	// What looks at a file takes some 300 bytes for its FileInfo besides its name.
	taken := testkit.Allocated(func() { reopen(t, s.dir, Options{}) })
	if perFile := taken / int64(n); perFile > 400 {
		t.Errorf("%d bytes for each of %d files", perFile, n)
	}
	t.Log(taken, n)
}

func BenchmarkGet(b *testing.B) {
	for _, n := range []int{500, 1 << 20} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := open(b, Options{})
			put(b, s, Answer, key(1), content(n))
			b.SetBytes(int64(n))
			for b.Loop() {
				if _, err := s.Get(Answer, key(1)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkPut(b *testing.B) {
	s := open(b, Options{Quota: 1 << 30})
	i := 0
	for b.Loop() {
		i++
		put(b, s, Answer, key(i), content(500))
	}
}
