package sectionfile

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var kind = Kind{Magic: "PAVAGE test\r\n\x1a\n\x00", Version: 3}

// parts are the sections of a test file, in their order.
type parts [][]byte

// randomParts returns sections with random bytes, of the given lengths.
func randomParts(seed uint64, lengths ...int) parts {
	rng := rand.New(rand.NewPCG(seed, 1))
	p := make(parts, len(lengths))
	for i, n := range lengths {
		p[i] = make([]byte, n)
		for k := range p[i] {
			p[i][k] = byte(rng.Uint32())
		}
	}
	return p
}

// write writes each section in pieces.
func (p parts) write(w *Writer) error {
	for i, b := range p {
		w.Section(fmt.Sprint("part ", i))
		for len(b) > 0 {
			n := min(len(b), 1+len(b)/2)
			if _, err := w.Write(b[:n]); err != nil {
				return err
			}
			b = b[n:]
		}
	}
	return nil
}

func (p parts) bytes(t testing.TB) []byte {
	var b bytes.Buffer
	if err := Write(&b, kind, p.write); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// same reads all sections of a file and compares them.
func (p parts) same(f *File) error {
	for i, want := range p {
		s, err := f.Section(fmt.Sprint("part ", i))
		if err != nil {
			return err
		}
		got, err := s.Bytes(int64(len(want)))
		if err != nil {
			return err
		}
		if !bytes.Equal(got, want) {
			return fmt.Errorf("section %d differs", i)
		}
	}
	return nil
}

// ways open a file in all ways; a short file is also opened as a long file is.
var ways = map[string]Options{
	"whole": {}, "mapped": {Whole: -1}, "paged": {Whole: -1, Unmapped: true},
}

// each opens the bytes in all ways, and calls see with each file or error.
func each(t *testing.T, path string, data []byte, see func(way string, f *File, err error)) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	for way, o := range ways {
		f, err := Open(path, kind, o)
		see(way, f, err)
		if err == nil {
			if err := f.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
	f, err := FromBytes(data, kind)
	see("bytes", f, err)
	f, err = Read(context.Background(), bytes.NewReader(data), kind, Options{})
	see("stream", f, err)
}

func TestRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	for _, lengths := range [][]int{{}, {0}, {7}, {0, 0, 3}, {100, 65412}, {100, 65413, 1}, {65536 - 24, 65536}, {3 * 65536, 5, 70000}} {
		p := randomParts(1, lengths...)
		digests := map[[32]byte]bool{}
		each(t, path, p.bytes(t), func(way string, f *File, err error) {
			if err == nil {
				digests[f.Digest] = true
				err = errors.Join(p.same(f), f.Check(context.Background()))
			}
			if err != nil {
				t.Errorf("%v, %s: %v", lengths, way, err)
			}
		})
		if len(digests) != 1 {
			t.Errorf("%v: %d digests, want one", lengths, len(digests))
		}
	}
}

// read returns the error of opening a file and reading all of it.
func read(f *File, err error, p parts) error {
	if err != nil {
		return err
	}
	return p.same(f)
}

// TestDamage flips a bit of each byte of the two ends, and of some bytes between; cuts the file
// at each of these places; and appends bytes.
func TestDamage(t *testing.T) {
	path, p := filepath.Join(t.TempDir(), "file"), randomParts(3, 30, 65536, 20, 0, 9)
	data := p.bytes(t)
	rng := rand.New(rand.NewPCG(5, 6))
	see := func(what string, changed []byte) {
		each(t, path, changed, func(way string, f *File, err error) {
			if err := read(f, err, p); !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrForeign) {
				t.Errorf("%s, %s: %v", what, way, err)
			}
		})
	}
	for at := 0; at < len(data); at++ {
		if at > 80 && at < len(data)-300 && rng.IntN(1500) > 0 {
			continue
		}
		changed := bytes.Clone(data)
		changed[at] ^= 1 << rng.IntN(8)
		see(fmt.Sprintf("byte %d changed", at), changed)
		see(fmt.Sprintf("%d bytes", at), data[:at])
	}
	for _, more := range [][]byte{{0}, {1, 2, 3}, data[len(data)-48:], data} {
		see("bytes behind", append(bytes.Clone(data), more...))
	}
}

// TestLazy: in a file with a damaged block, all other blocks can be read.
func TestLazy(t *testing.T) {
	path, p := filepath.Join(t.TempDir(), "file"), randomParts(4, 10*blockBytes)
	data := p.bytes(t)
	data[5*blockBytes+77] ^= 4
	each(t, path, data, func(way string, f *File, err error) {
		if way != "mapped" && way != "paged" {
			if !errors.Is(err, ErrDamaged) {
				t.Errorf("%s: %v", way, err)
			}
			return
		}
		if err != nil {
			t.Fatalf("%s: %v", way, err)
		}
		s, _ := f.Section("part 0")
		for block := range int64(10) {
			got, at := make([]byte, 9), block*blockBytes+5
			_, err := s.ReadAt(got, at)
			if bad := block == 5; bad != errors.Is(err, ErrDamaged) || !bad && !bytes.Equal(got, p[0][at:at+9]) {
				t.Errorf("%s: block %d: %v", way, block, err)
			}
		}
		across := make([]byte, 24) // the last bytes of block 4 and one of block 5
		if _, err := s.ReadAt(across, 5*blockBytes-24-23); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: bytes of two blocks: %v", way, err)
		}
		if err := f.Check(context.Background()); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: check: %v", way, err)
		}
	})
}

// TestPaged reads blocks in turn, so that each block replaces another block in memory.
func TestPaged(t *testing.T) {
	path, p := filepath.Join(t.TempDir(), "file"), randomParts(4, 10*blockBytes)
	if err := os.WriteFile(path, p.bytes(t), 0o666); err != nil {
		t.Fatal(err)
	}
	f, err := Open(path, kind, ways["paged"])
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s, _ := f.Section("part 0")
	for _, block := range []int64{1, 7, 1, 2, 2, 9, 0, 9} {
		got, at := make([]byte, 8), block*blockBytes
		if _, err := s.ReadAt(got, at); err != nil || !bytes.Equal(got, p[0][at:at+8]) {
			t.Errorf("block %d: %x, %v, want %x", block, got, err, p[0][at:at+8])
		}
	}
}

// TestShortened makes a mapped file shorter while it is read.
func TestShortened(t *testing.T) {
	path, p := filepath.Join(t.TempDir(), "file"), randomParts(4, 10*blockBytes)
	for _, way := range []string{"mapped", "paged"} {
		if err := os.WriteFile(path, p.bytes(t), 0o666); err != nil {
			t.Fatal(err)
		}
		f, err := Open(path, kind, ways[way])
		if err != nil {
			t.Fatal(err)
		}
		if err := p.same(f); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, blockBytes); err != nil {
			t.Skip(err) // some systems do not let a mapped file become shorter
		}
		if err := p.same(f); way == "mapped" && !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", way, err)
		}
		_ = f.Close()
	}
}

// withVersion returns a file with another version in its header.
func withVersion(data []byte, version uint32) []byte {
	data = bytes.Clone(data)
	binary.LittleEndian.PutUint32(data[16:], version)
	binary.LittleEndian.PutUint32(data[20:], crc32.Checksum(data[:20], crc32.MakeTable(crc32.Castagnoli)))
	return data
}

func TestVersion(t *testing.T) {
	path, data := filepath.Join(t.TempDir(), "file"), randomParts(4, 10).bytes(t)
	for version, want := range map[uint32]string{
		4: "unknown version 4: this program reads only version 3, so a newer program is needed",
		2: "unknown version 2: this program reads only version 3, not older versions",
	} {
		for _, length := range []int{len(data), 24} { // the bytes after the header do not matter
			each(t, path, withVersion(data, version)[:length], func(way string, f *File, err error) {
				if !errors.Is(err, ErrVersion) || !strings.HasSuffix(err.Error(), want) {
					t.Errorf("%s: %v", way, err)
				}
			})
		}
	}
}

func TestForeign(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	for _, text := range []string{"", "PAVAGE", "board: 8x8\npieces: [domino]\n"} {
		each(t, path, []byte(text), func(way string, f *File, err error) {
			if !errors.Is(err, ErrForeign) {
				t.Errorf("%q, %s: %v", text, way, err)
			}
		})
	}
}

// TestNames: names and tables that a reader would refuse are not written.
func TestNames(t *testing.T) {
	many := func(n, length int) func(*Writer) error {
		return func(w *Writer) error {
			for i := range n {
				w.Section(fmt.Sprintf("%0*d", length, i))
			}
			return nil
		}
	}
	for what, write := range map[string]func(*Writer) error{
		"there is one twice": func(w *Writer) error { w.Section("a"); w.Section("b"); w.Section("a"); return nil },
		"a long one":         many(1, 256),
		"many":               many(300, 255),
	} {
		if err := Write(io.Discard, kind, write); err == nil {
			t.Errorf("names of sections are taken: %s", what)
		}
	}
	if err := Write(io.Discard, kind, many(200, 255)); err != nil {
		t.Error(err)
	}
}

// TestMemory: Read stops at the memory limit, even in an endless stream.
func TestMemory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, randomParts(1, 1000).bytes(t), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path, kind, Options{Memory: 1000}); !errors.Is(err, ErrMemory) {
		t.Error(err)
	}
	endless := io.MultiReader(bytes.NewReader(randomParts(1, 10).bytes(t)), zeros{})
	_, err := Read(context.Background(), endless, kind, Options{Memory: 5 << 20})
	if !errors.Is(err, ErrMemory) {
		t.Error(err)
	}
}

// TestMadeEnds: a file with the right digest, but without checksums.
func TestMadeEnds(t *testing.T) {
	data := randomParts(1, 10).bytes(t)
	body := data[:34]
	rest := append(bytes.Clone(data[34:34+15]), 1, 'x', 0, 0, 0, 0, 0, 0, 0, 0) // the table, and a section more
	lengths := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, 34), uint64(len(rest)))
	digest := sha256.Sum256(slices.Concat(body[:24], rest, lengths))
	each(t, filepath.Join(t.TempDir(), "file"), slices.Concat(body, rest, lengths, digest[:]), func(way string, f *File, err error) {
		if !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", way, err)
		}
	})
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

func FuzzOpen(f *testing.F) {
	f.Add(randomParts(1, 10, 0, 3).bytes(f))
	f.Add(randomParts(1).bytes(f))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := FromBytes(data, kind)
		if err != nil {
			return
		}
		if err := file.Check(context.Background()); err != nil || file.Length() != int64(len(data)) {
			t.Errorf("%d bytes of %d: %v", file.Length(), len(data), err)
		}
	})
}
