package store

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// change replaces the bytes of a file by the result of change.
func change(t *testing.T, path string, change func([]byte) []byte) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	b = change(slices.Clone(b))
	if err := os.WriteFile(path, b, 0o666); err != nil {
		t.Fatal(err)
	}
	return b
}

// damages are ways to damage the file of so many bytes of content.
func damages(t *testing.T, n int) map[string]func([]byte) []byte {
	moved := func(k Kind, key Key) func([]byte) []byte {
		s := open(t, Options{})
		put(t, s, k, key, content(n))
		return func([]byte) []byte {
			b, err := os.ReadFile(s.path(k, key))
			if err != nil {
				t.Fatal(err)
			}
			return b
		}
	}
	all := map[string]func([]byte) []byte{
		"empty":   func(b []byte) []byte { return nil },
		"longer":  func(b []byte) []byte { return append(b, 0) },
		"doubled": func(b []byte) []byte { return append(b, b...) },
		"foreign": func(b []byte) []byte {
			return []byte("not a file of a store, but long enough to be taken for one, " + strings.Repeat("x", 99))
		},
		"version":    func(b []byte) []byte { b[16]++; return b },
		"other key":  moved(Answer, key(99)),
		"other kind": moved(Output, key(1)),
	}
	const begin = 24 + len("answer ") + 64
	for _, at := range []int{0, 10, 16, 20, 23, 24, 30, 59, begin, begin + n/2, begin + n - 1} {
		all[fmt.Sprint("bit at ", at)] = func(b []byte) []byte { b[at] ^= 4; return b }
	}
	for _, at := range []int{1, 4, 32, 33, 44, 48, 49, 52, 55, 70} {
		all[fmt.Sprint("bit at the end, ", at)] = func(b []byte) []byte { b[len(b)-at] ^= 1; return b }
	}
	for _, cut := range []int{1, 44, 48, 60} {
		all[fmt.Sprint("cut by ", cut)] = func(b []byte) []byte { return b[:len(b)-cut] }
	}
	if n > 2*blockBytes {
		all["blocks swapped"] = func(b []byte) []byte {
			return slices.Concat(b[:blockBytes], b[2*blockBytes:3*blockBytes], b[blockBytes:2*blockBytes], b[3*blockBytes:])
		}
		all["block lost"] = func(b []byte) []byte { return slices.Delete(b, blockBytes, 2*blockBytes) }
	}
	return all
}

// TestDamage: nothing is read from a damaged file that was not put in, the error names it,
// it stays as it is, and other files are read. A Put of its key moves it aside.
func TestDamage(t *testing.T) {
	for _, n := range []int{100, 3*blockBytes + 17} {
		for name, damage := range damages(t, n) {
			s := open(t, Options{})
			data := content(n)
			put(t, s, Answer, key(1), data)
			put(t, s, Answer, key(2), data)
			path := s.path(Answer, key(1))
			damaged := change(t, path, damage)
			checkDamaged(t, s, name, path, data)
			if b, err := os.ReadFile(path); err != nil || !bytes.Equal(b, damaged) {
				t.Errorf("%s: the file was changed: %v", name, err)
			}
			if got, err := s.Get(Answer, key(2)); err != nil || !bytes.Equal(got, data) {
				t.Errorf("%s: another file: %v", name, err)
			}
			put(t, s, Answer, key(1), data)
			if got, err := s.Get(Answer, key(1)); err != nil || !bytes.Equal(got, data) {
				t.Errorf("%s: after another Put: %v", name, err)
			}
			aside := filepath.Join(s.dir, damagedName, "answer-"+key(1).String()+"-1")
			if b, err := os.ReadFile(aside); err != nil || !bytes.Equal(b, damaged) {
				t.Errorf("%s: the damaged file is not kept: %v", name, err)
			}
		}
	}
}

// checkDamaged reads a damaged file, whole and in a stream.
func checkDamaged(t *testing.T, s *Store, name, path string, data []byte) {
	t.Helper()
	_, err := s.Get(Answer, key(1))
	if !errors.Is(err, ErrDamaged) || !strings.HasPrefix(err.Error(), path+": ") || strings.Contains(err.Error(), "\n") {
		t.Errorf("%s: %v", name, err)
	}
	r, err := s.Open(Answer, key(1))
	if err == nil {
		var got []byte
		got, err = io.ReadAll(r)
		if !bytes.HasPrefix(data, got) {
			t.Errorf("%s: bytes were read that were not put in", name)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
	if !errors.Is(err, ErrDamaged) {
		t.Errorf("%s: read to its end: %v", name, err)
	}
}

// TestDamagedTwice: the store keeps a second damaged file beside the first damaged file.
func TestDamagedTwice(t *testing.T) {
	s := open(t, Options{})
	for range 3 {
		put(t, s, Output, key(1), content(10))
		change(t, s.path(Output, key(1)), func(b []byte) []byte { b[100]++; return b })
	}
	if aside, err := os.ReadDir(filepath.Join(s.dir, damagedName)); err != nil || len(aside) != 2 {
		t.Errorf("%v, %v", aside, err)
	}
	if st := s.Stats(); st.Files != 1 || st.Bytes != fileBytes(10)-1 {
		t.Errorf("%+v: what was moved aside is counted", st)
	}
}

// TestShortened: a file that becomes shorter while it is read.
func TestShortened(t *testing.T) {
	s := open(t, Options{})
	put(t, s, Output, key(1), content(3*blockBytes))
	r, err := s.Open(Output, key(1))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := os.Truncate(s.path(Output, key(1)), 1000); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(r); !errors.Is(err, ErrDamaged) {
		t.Error(err)
	}
}

// FuzzReader: whatever a file has in it, what is read is what was put in, or an error says that
// it is damaged.
func FuzzReader(f *testing.F) {
	s := open(f, Options{})
	data := content(200)
	put(f, s, Diagram, key(1), data)
	path := s.path(Diagram, key(1))
	whole, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add(whole[:100])
	f.Add(append(slices.Clone(whole[:100]), whole[len(whole)-48:]...))
	f.Fuzz(func(t *testing.T, b []byte) {
		if err := os.WriteFile(path, b, 0o666); err != nil {
			t.Fatal(err)
		}
		got, err := s.Get(Diagram, key(1))
		if err == nil && !bytes.Equal(got, data) || err != nil && !errors.Is(err, ErrDamaged) {
			t.Errorf("%q: %v", got, err)
		}
	})
}

// TestOldFiles: a file of an older version counts as absent. It is replaced, or makes room.
func TestOldFiles(t *testing.T) {
	s := open(t, Options{Quota: 3000})
	old := []byte(oldMagic + strings.Repeat("x", 992))
	for i := range 2 {
		put(t, s, Diagram, key(i), nil)
		change(t, s.path(Diagram, key(i)), func([]byte) []byte { return old })
		age(t, s, Diagram, key(i), day)
	}
	if err := os.Truncate(filepath.Join(s.dir, lockName), 0); err != nil { // the record is made anew
		t.Fatal(err)
	}
	if _, err := s.Get(Diagram, key(0)); !errors.Is(err, ErrAbsent) {
		t.Error(err)
	}
	put(t, s, Diagram, key(0), content(100))
	put(t, s, Diagram, key(2), content(2000))
	if s.Has(Diagram, key(1)) || !s.Has(Diagram, key(0)) {
		t.Error("the old file did not make room")
	}
	if aside, err := os.ReadDir(filepath.Join(s.dir, damagedName)); err == nil {
		t.Errorf("moved aside as damaged: %v", aside)
	}
	if err := Check(t.Context(), s.dir, func(f Finding) {
		if f.State != Sound {
			t.Errorf("%+v", f)
		}
	}); err != nil {
		t.Error(err)
	}
}

// TestCheck: Check reports every file with its state, and does not change or touch a file.
func TestCheck(t *testing.T) {
	s := open(t, Options{})
	for i, k := range []Kind{Answer, Output, Diagram, Diagram, Diagram} {
		put(t, s, k, key(i), content(100*i))
	}
	change(t, s.path(Output, key(1)), func(b []byte) []byte { b[100]++; return b })
	put(t, s, Output, key(1), nil)
	change(t, s.path(Answer, key(0)), func(b []byte) []byte { return b[:10] })
	age(t, s, Diagram, key(3), 100*touchEvery)
	for _, name := range []string{"README", "zz", key(7).String()[1:], key(8).String()} {
		if err := os.WriteFile(filepath.Join(filepath.Dir(s.path(Diagram, key(3))), name), []byte("mine"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(s.path(Diagram, key(3))+".0123abcd.tmp", []byte("half"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(s.dir, "answer", "file"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	found := map[State]int{}
	err := Check(t.Context(), s.dir, func(f Finding) {
		found[f.State]++
		if (f.Err != nil) != (f.State == Damaged) || f.State == Damaged && !errors.Is(f.Err, ErrDamaged) {
			t.Errorf("%+v", f)
		}
		if info, err := os.Stat(f.Path); err != nil || !info.IsDir() && info.Size() != f.Bytes {
			t.Errorf("%+v: %v", f, err)
		}
	})
	// key(8) lies in the folder of key(3): both begin with 00.
	if err != nil || found[Sound] != 4 || found[Damaged] != 2 || found[Aside] != 1 || found[Leftover] != 1 || found[Foreign] != 4 {
		t.Errorf("%v, %v", found, err)
	}
	info, err := os.Stat(s.path(Diagram, key(3)))
	if err != nil || s.now().Sub(info.ModTime()) < 99*touchEvery {
		t.Error("a file is marked as used by a check")
	}
	if err := Check(t.Context(), filepath.Join(s.dir, "missing"), func(Finding) {}); err == nil {
		t.Error("a store that is missing is sound")
	}
}
