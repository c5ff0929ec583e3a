package compiled_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pavage/pavage/compiled"
	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/sectionfile"
	"github.com/pavage/pavage/internal/test/puzzletest"
	"github.com/pavage/pavage/internal/test/testkit"
	"github.com/pavage/pavage/sample"
)

// use asks a file all that can be asked, and returns the first error.
func use(ctx context.Context, f *compiled.File) error {
	defer f.Close()
	s := sample.Of(f, "")
	for d, err := range s.Draws(ctx, sample.Seeded(3), 20) {
		if err != nil {
			return err
		}
		if _, err := f.Rank(ctx, d.Options); err != nil {
			return err
		}
	}
	_, err := f.Load(ctx, &cover.Problem{}, 0)
	return err
}

// smallFile are the bytes of a file of a 2x3 board, and its path with these bytes.
func smallFile(t testing.TB) (path string, data []byte) {
	t.Helper()
	about, c := compile(t, puzzletest.Inline(t, "2x3", "domino=any").Problem)
	return filepath.Join(t.TempDir(), "a.pavage"), written(t, about, c)
}

// TestEveryByte changes each byte of a small file, by each bit in the long run, cuts it at each
// place and appends to it: all of these are errors, in all ways of reading, and no content of the
// file is returned.
func TestEveryByte(t *testing.T) {
	path, data := smallFile(t)
	see := func(what string, changed []byte) {
		if err := os.WriteFile(path, changed, 0o666); err != nil {
			t.Fatal(err)
		}
		for way, open := range ways {
			f, err := open(t.Context(), path, changed)
			if err == nil {
				err = use(t.Context(), f)
			}
			if !errors.Is(err, compiled.ErrFile) {
				t.Errorf("%s, %s: %v", what, way, err)
			}
		}
	}
	rng := rand.New(rand.NewPCG(1, 9))
	for at := range data {
		bits := []int{rng.IntN(8)}
		if testkit.IsLong() {
			bits = []int{0, 1, 2, 3, 4, 5, 6, 7}
		}
		for _, bit := range bits {
			changed := bytes.Clone(data)
			changed[at] ^= 1 << bit
			see(fmt.Sprintf("byte %d, bit %d", at, bit), changed)
		}
		see(fmt.Sprintf("the first %d bytes", at), data[:at])
	}
	see("a byte more", append(bytes.Clone(data), 0))
	see("the file twice", append(bytes.Clone(data), data...))
}

// TestLazyDamage changes a byte in the middle of a file that is read in place: each draw is an
// error or the right one, and both happen.
func TestLazyDamage(t *testing.T) {
	about, c := compile(t, puzzletest.Inline(t, "8x8", "monomino=any", "domino=any", "trominoes=any").Problem)
	data := written(t, about, c)
	path := filepath.Join(t.TempDir(), "a.pavage")
	for way, bad := range map[string]int{"mapped": len(data) / 3, "kept": len(data) * 3 / 4} {
		changed := bytes.Clone(data)
		changed[bad] ^= 16
		if err := os.WriteFile(path, changed, 0o666); err != nil {
			t.Fatal(err)
		}
		f, err := ways[way](t.Context(), path, nil)
		if err != nil {
			t.Fatal(err)
		}
		good, met := 0, 0
		rng := rand.New(rand.NewPCG(4, 4))
		for range 400 {
			rank := new(big.Int).Rsh(new(big.Int).Mul(c.Count(), new(big.Int).SetUint64(rng.Uint64())), 64)
			want, _ := count.At(t.Context(), c, rank)
			got, err := count.At(t.Context(), f, rank)
			switch {
			case errors.Is(err, compiled.ErrFile):
				met++
			case err != nil || fmt.Sprint(got) != fmt.Sprint(want):
				t.Fatalf("%s: rank %v: %v, %v, want %v", way, rank, got, err, want)
			default:
				good++
			}
		}
		if good == 0 || met == 0 {
			t.Errorf("%s: %d draws are good, %d met the damage, want some of both", way, good, met)
		}
		if _, err := f.Load(t.Context(), &cover.Problem{}, 0); !errors.Is(err, compiled.ErrFile) {
			t.Errorf("%s: load: %v", way, err)
		}
		f.Close()
	}
}

// TestNewerVersion: the error names both versions, whatever bytes follow.
func TestNewerVersion(t *testing.T) {
	path, data := smallFile(t)
	binary.LittleEndian.PutUint32(data[16:], 7)
	binary.LittleEndian.PutUint32(data[20:], crc32.Checksum(data[:20], crc32.MakeTable(crc32.Castagnoli)))
	if err := os.WriteFile(path, data[:30], 0o666); err != nil {
		t.Fatal(err)
	}
	for way, open := range ways {
		_, err := open(t.Context(), path, data[:30])
		if !errors.Is(err, compiled.ErrFile) || !errors.Is(err, compiled.ErrVersion) || !strings.Contains(err.Error(), "version 7: this program reads only version 1") {
			t.Errorf("%s: %v", way, err)
		}
	}
}

// TestOtherProblem: a file is of one problem.
func TestOtherProblem(t *testing.T) {
	_, data := smallFile(t)
	f, err := compiled.FromBytes(t.Context(), data)
	if err != nil {
		t.Fatal(err)
	}
	err = f.Of(puzzletest.Inline(t, "3x2", "domino=any").Problem)
	if !errors.Is(err, compiled.ErrOtherProblem) || !errors.Is(err, compiled.ErrFile) {
		t.Error(err)
	}
}

// TestMade: files whose checksums are right and whose options are not.
func TestMade(t *testing.T) {
	about, c := compile(t, puzzletest.Inline(t, "3x4", "monomino=any", "domino=any").Problem)
	tests := map[string]func() (*compiled.About, *count.Compiled){
		"an option twice": func() (*compiled.About, *count.Compiled) {
			made := *c
			made.Family = count.NewFamily(c.Diagram.With(c.Counts), append([]int{c.Options[1]}, c.Options[1:]...))
			return about, &made
		},
		"an option that is none": func() (*compiled.About, *count.Compiled) {
			a := *about
			a.Options--
			return &a, c
		},
		"too few options": func() (*compiled.About, *count.Compiled) {
			made := *c
			made.Family = count.NewFamily(c.Diagram.With(c.Counts), c.Options[1:])
			return about, &made
		},
	}
	for name, make := range tests {
		a, made := make()
		f, err := compiled.FromBytes(t.Context(), written(t, a, made))
		if err == nil {
			err = use(t.Context(), f)
		}
		if !errors.Is(err, compiled.ErrFile) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestMadeCounts: counts that do not match the nodes, in a file whose checksums are right, are
// refused by Load.
func TestMadeCounts(t *testing.T) {
	about, c := compile(t, puzzletest.Inline(t, "3x4", "monomino=any", "domino=any").Problem)
	made, err := *c, error(nil) // variable 0 counts twice: only the root's count is another, with the same number of bytes
	if made.Counts, err = c.Diagram.Weigh(t.Context(), []*big.Int{big.NewInt(2)}, 0); err != nil {
		t.Fatal(err)
	}
	f, err := compiled.FromBytes(t.Context(), written(t, about, &made))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Load(t.Context(), &cover.Problem{}, 0); !errors.Is(err, compiled.ErrFile) {
		t.Errorf("loaded: %v", err)
	}
}

// TestMemory: limits are errors of memory.
func TestMemory(t *testing.T) {
	about, c := compile(t, puzzletest.Inline(t, "6x6", "monomino=any", "domino=any").Problem)
	data := written(t, about, c)
	if _, err := compiled.Read(t.Context(), bytes.NewReader(data), 20); !errors.Is(err, cover.ErrMemory) {
		t.Errorf("read: %v", err)
	}
	f, err := compiled.FromBytes(t.Context(), data)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Load(t.Context(), &cover.Problem{}, 100); !errors.Is(err, cover.ErrMemory) {
		t.Errorf("load: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := f.Load(ctx, &cover.Problem{}, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("load: %v", err)
	}
}

// FuzzRead: whatever the bytes, there is no panic, no walk without an end, and Load
// returns a diagram or an error.
func FuzzRead(f *testing.F) {
	_, data := smallFile(f)
	f.Add(data)
	f.Add(data[:40])
	f.Fuzz(func(t *testing.T, data []byte) {
		checkForeign(t, data)
	})
}

// FuzzSections puts any bytes behind right checksums.
func FuzzSections(f *testing.F) {
	_, data := smallFile(f)
	names := []string{"about", "puzzle", "notes", "options", "diagram", "counts"}
	file, err := sectionfile.FromBytes(data, kind)
	if err != nil {
		f.Fatal(err)
	}
	var parts [][]byte
	for _, name := range names {
		s, err := file.Section(name)
		if err != nil {
			f.Fatal(err)
		}
		b, err := s.Bytes(1 << 20)
		if err != nil {
			f.Fatal(err)
		}
		parts = append(parts, b)
	}
	f.Add(parts[0], parts[3], parts[4], parts[5])
	f.Add([]byte("{}"), []byte{}, parts[4], parts[5])
	f.Fuzz(func(t *testing.T, about, options, diagram, counts []byte) {
		var b bytes.Buffer
		if err := sectionfile.Write(&b, kind, func(w *sectionfile.Writer) error {
			for i, part := range [][]byte{about, parts[1], parts[2], options, diagram, counts} {
				w.Section(names[i])
				if _, err := w.Write(part); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		checkForeign(t, b.Bytes())
	})
}

// kind is how compiled files begin.
var kind = sectionfile.Kind{Magic: "\x89PAVAGE diagram\n", Version: compiled.Version}

// checkForeign uses a file of a stranger: there may be errors, no panic, and a diagram that is
// loaded has the count in the file.
func checkForeign(t *testing.T, data []byte) {
	t.Helper()
	f, err := compiled.Read(t.Context(), bytes.NewReader(data), 1<<24)
	if err != nil {
		return
	}
	_ = use(t.Context(), f)
	c, err := f.Load(t.Context(), &cover.Problem{}, 1<<24)
	if err == nil && c.Result.Count.Cmp(f.Count()) != 0 {
		t.Errorf("%v sets in memory, %v in the file", c.Result.Count, f.Count())
	}
}

// TestTogether draws from one file in several goroutines: each draws the same as alone.
func TestTogether(t *testing.T) {
	about, c := compile(t, puzzletest.Inline(t, "6x6", "monomino=any", "domino=any").Problem)
	path, want := filepath.Join(t.TempDir(), "a.pavage"), draws(t, sample.Of(c, ""), 100)
	if err := os.WriteFile(path, written(t, about, c), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, way := range []string{"whole", "mapped", "kept"} {
		f, err := ways[way](t.Context(), path, nil)
		if err != nil {
			t.Fatal(err)
		}
		s, got := sample.Of(f, ""), make(chan string)
		for range 4 {
			go func() { got <- draws(t, s, 100) }()
		}
		for range 4 {
			if <-got != want {
				t.Errorf("%s: other draws together than alone", way)
			}
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}
