package slab

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"math/big"
	"runtime"
	"testing"

	"github.com/pavage/pavage/internal/engine/key"
)

// file is a source of one file.
type file struct{ *bytes.Reader }

func (f file) Range(_ context.Context, _ string, from, length int64) (io.ReadCloser, error) {
	return io.NopCloser(io.NewSectionReader(f.Reader, from, length)), nil
}

// honest returns a slab of two pages.
func honest(t testing.TB, h Head) ([]byte, *Ref) {
	var b bytes.Buffer
	w := NewWriter[[1]uint64](&b, h)
	for i := range uint64((maxLeaves + 2) * leafStates) {
		if err := w.Add([][1]uint64{{3 * i}}, []uint64{i, i % h.Prime}); err != nil {
			t.Fatal(err)
		}
	}
	ref, err := w.Close()
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), ref
}

// signed is a part of a slab, and the position of its digest.
type signed struct{ from, to, digest int64 }

// signatures returns the digests in the pages and then those in the root.
func signatures(b []byte, pages []child[[1]uint64]) (all []signed) {
	size, at := childBytes[[1]uint64](), int64(0)
	digests := int64(len(b)) - int64(len(pages))*size
	for i, c := range pages {
		page := pageBytes[[1]uint64](c.states)
		leaves, _ := cutChildren[[1]uint64](b[at:at+page], 1<<63)
		from := at + page
		for k, leaf := range leaves {
			all = append(all, signed{from, from + leaf.length, at + int64(k+1)*size - sha256.Size})
			from += leaf.length
		}
		all = append(all, signed{at, at + page, digests + int64(i+1)*size - sha256.Size})
		at += c.length
	}
	return all
}

// sign computes digests again.
func sign(b []byte, all []signed) {
	for _, s := range all {
		sum := sha256.Sum256(b[s.from:s.to])
		copy(b[s.digest:], sum[:])
	}
}

// TestOtherCounts: counts with another sum than the page are damage, even if all digests are right.
func TestOtherCounts(t *testing.T) {
	h := Head{Limbs: 1, Prime: 1000003, Level: 7}
	b, ref := honest(t, h)
	_, pages, _ := cutRoot[[1]uint64](b[ref.Root:], &h)
	begin := pageBytes[[1]uint64](pages[0].states)
	leaves, _ := cutChildren[[1]uint64](b[:begin], h.Prime)
	b[begin+leaves[0].length-2] ^= 1 // the low byte of the last count of the first leaf
	sign(b, signatures(b, pages))
	ref.Name = nameOf(b[ref.Root:])
	read, err := readAll(t, b, ref, h, Bounds[[1]uint64]{Hi: [1]uint64{^uint64(0)}, HasHi: true})
	if !errors.Is(err, ErrDamaged) || read > ref.Bytes/2 {
		t.Errorf("%v, after %d bytes", err, read)
	}
}

// FuzzHostile changes bytes of a slab and computes its digests again, so that digests agree.
// Reading it then returns ErrDamaged, or keys that rise and lie in the range; and it allocates
// memory only for bytes that were read.
func FuzzHostile(f *testing.F) {
	h := Head{Limbs: 1, Prime: 1000003, Level: 7}
	whole, ref := honest(f, h)
	_, pages, wrong := cutRoot[[1]uint64](whole[ref.Root:], &h)
	if wrong != "" || len(pages) != 2 {
		f.Fatalf("%s, %d pages", wrong, len(pages))
	}
	all := signatures(whole, pages)
	first := pageBytes[[1]uint64](pages[0].states) // where the first leaf begins
	f.Add(uint32(0), []byte{}, true, uint64(0), ^uint64(0))
	f.Add(uint32(first), []byte{255, 255, 255}, true, uint64(0), uint64(1000))
	f.Add(uint32(first+3), []byte{255, 255, 255}, true, uint64(0), uint64(1000))
	f.Add(uint32(0), []byte{1}, true, uint64(0), uint64(100_000))                    // key of the first leaf
	f.Add(uint32(8), []byte{255, 255, 255, 127}, true, uint64(0), uint64(1000))      // length of the first leaf
	f.Add(uint32(16), []byte{0, 0, 0, 1}, true, uint64(0), uint64(1000))             // states of the first leaf
	f.Add(uint32(ref.Root+48), []byte{1}, true, uint64(0), uint64(1000))             // the prime
	f.Add(uint32(ref.Root+60), []byte{200}, true, uint64(5), uint64(1000))           // the length of the sum
	f.Add(uint32(ref.Bytes-130), []byte{255, 255}, true, uint64(5), uint64(100_000)) // the first page
	f.Fuzz(func(t *testing.T, at uint32, data []byte, again bool, lo, hi uint64) {
		b := bytes.Clone(whole)
		copy(b[int(at)%len(b):], data)
		if again {
			sign(b, all)
		}
		other := *ref
		other.Name = nameOf(b[ref.Root:])
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		read, err := readAll(t, b, &other, h, Bounds[[1]uint64]{Lo: [1]uint64{lo}, Hi: [1]uint64{hi}, HasLo: true, HasHi: true})
		runtime.ReadMemStats(&after)
		if err != nil && !errors.Is(err, ErrDamaged) {
			t.Error(err)
		}
		if took, most := after.TotalAlloc-before.TotalAlloc, uint64(1<<19+8*read); took > most {
			t.Errorf("%d bytes of memory for %d that were read", took, read)
		}
	})
}

// readAll reads a range, and checks its states.
func readAll(t *testing.T, b []byte, ref *Ref, h Head, within Bounds[[1]uint64]) (read int64, err error) {
	s, err := Open[[1]uint64](t.Context(), file{bytes.NewReader(b)}, "file", ref, h)
	if err != nil {
		return 0, err
	}
	var last [1]uint64
	for r, n := s.Range(t.Context(), within), 0; ; {
		keys, counts, err := r.Next()
		if err != nil || len(keys) == 0 {
			return s.BytesRead(), err
		}
		if len(counts) != len(keys)*r.Limbs || len(keys) > leafStates {
			t.Fatalf("%d keys, %d counts", len(keys), len(counts))
		}
		for _, k := range keys {
			if n > 0 && !key.Less(last, k) || key.Less(k, within.Lo) || !key.Less(k, within.Hi) {
				t.Fatalf("%v follows %v", k, last)
			}
			last, n = k, n+1
		}
	}
}

// endless is a source with a root at a position, and with zeros before it.
type endless struct {
	root []byte
	at   int64
}

func (e endless) Range(_ context.Context, _ string, from, length int64) (io.ReadCloser, error) {
	if from == e.at {
		return io.NopCloser(bytes.NewReader(e.root)), nil
	}
	return io.NopCloser(io.LimitReader(zeros{}, length)), nil
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// TestLongPage: a page with an impossible length is not read.
func TestLongPage(t *testing.T) {
	h := Head{Limbs: 1, Prime: 7}
	const length = 1 << 24
	for _, states := range []int64{1 << 20, 1 << 40} {
		for _, bounds := range []Bounds[[1]uint64]{{}, {Hi: [1]uint64{1}, HasHi: true}} {
			pages := []child[[1]uint64]{
				{length: length, bits: 1, states: states, residue: 1},
				{first: [1]uint64{9}, length: length, bits: 1, states: states, residue: 1},
			}
			b := appendRoot(nil, &h, big.NewInt(2), pages)
			from := endless{b, 2 * length}
			ref := &Ref{Name: nameOf(b), Bytes: from.at + int64(len(b)), Root: from.at, States: 2 * states, Bits: 1, Sum: "2", Residue: 2}
			s, err := Open[[1]uint64](t.Context(), from, "file", ref, h)
			if err == nil {
				_, _, err = s.Range(t.Context(), bounds).Next()
			}
			if !errors.Is(err, ErrDamaged) || s != nil && s.BytesRead() > int64(len(b)) {
				t.Errorf("%v, of a page of %d states", err, states)
			}
		}
	}
}
