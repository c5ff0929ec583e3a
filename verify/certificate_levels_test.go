package verify

import (
	"bytes"
	"errors"
	"math/big"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/puzzletest"
	"github.com/pavage/pavage/internal/test/testkit"
)

// TestColumns compares columns whose pages come and go with plain slices.
func TestColumns(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	p := &pool{limit: 12 * pageWords * wordBytes, dir: t.TempDir(), least: 3}
	defer p.close()
	columns, want := make([]column, 3), make([][]*big.Int, 3)
	random := func(k int) *big.Int {
		n := new(big.Int)
		for range rng.IntN(columns[k].width + 1) {
			n.Lsh(n, 64).Add(n, new(big.Int).SetUint64(rng.Uint64()>>rng.IntN(64)))
		}
		return n
	}
	var got big.Int
	for round := range testkit.Size(15, 40) {
		k := rng.IntN(len(columns))
		columns[k].reset(p, 1+round%7)
		want[k] = nil
		for i := range rng.IntN(20_000) {
			want[k] = append(want[k], random(k))
			columns[k].put(i, want[k][i])
		}
		if n := len(want[k]); n > 0 && round%3 == 0 {
			columns[k].widen(n, columns[k].width+1)
		}
		for range 2000 {
			k := rng.IntN(len(columns))
			if len(want[k]) == 0 {
				continue
			}
			i := rng.IntN(len(want[k]))
			more := random(k)
			sum := new(big.Int).Add(want[k][i], more)
			if fits := columns[k].add(i, more); fits != (len(sum.Bits()) <= columns[k].width) {
				t.Fatalf("%v and %v in %d words: %t", want[k][i], more, columns[k].width, fits)
			}
			if len(sum.Bits()) > columns[k].width {
				columns[k].put(i, new(big.Int))
				sum = new(big.Int)
			}
			want[k][i] = sum
			if columns[k].get(i, &got); got.Cmp(sum) != 0 || !columns[k].is(i, sum) || columns[k].is(i, more) != (more.Cmp(sum) == 0) {
				t.Fatalf("number %d is %v, want %v", i, &got, sum)
			}
		}
		for i, n := range want[k] {
			if columns[k].get(i, &got); got.Cmp(n) != 0 {
				t.Fatalf("round %d: number %d is %v, want %v", round, i, &got, n)
			}
		}
		if p.taken > p.limit {
			t.Fatalf("%d bytes allocated, %d allowed", p.taken, p.limit)
		}
	}
	if p.file == nil {
		t.Error("nothing was on disk")
	}
}

// TestCertificateOnDisk: a certificate whose levels do not fit in memory is checked with
// them on disk, a wrong one is rejected there too, and nothing is left.
func TestCertificateOnDisk(t *testing.T) {
	testkit.Long(t) // the tests' own writer runs for half a minute
	p := puzzletest.Inline(t, "5x9", "monomino=any", "domino=any", "I3=any").Problem
	doc := byRows(p).write(p)
	file := doc.file(t)
	o := CertificateOptions{Memory: 1 << 20, Disk: t.TempDir()}
	if _, err := CheckCertificate(t.Context(), p, bytes.NewReader(file), CertificateOptions{Memory: o.Memory}); !errors.Is(err, cover.ErrMemory) {
		t.Errorf("without a disk: %v", err)
	}
	got, err := CheckCertificate(t.Context(), p, bytes.NewReader(file), o)
	if err != nil || got.Count.Cmp(doc.count) != 0 {
		t.Fatalf("%v, %v, want %v", got, err, doc.count)
	}
	counts := doc.levels[30].counts
	counts[len(counts)-1].Add(counts[len(counts)-1], big.NewInt(1))
	if _, err := CheckCertificate(t.Context(), p, bytes.NewReader(doc.file(t)), o); !errors.Is(err, ErrCertificate) {
		t.Errorf("a wrong count: %v", err)
	}
	if left, err := os.ReadDir(o.Disk); err != nil || len(left) > 0 {
		t.Errorf("left on disk: %v, %v", left, err)
	}
	o.Disk += "/none"
	if _, err := CheckCertificate(t.Context(), p, bytes.NewReader(file), o); err == nil || errors.Is(err, ErrCertificate) {
		t.Errorf("no directory: %v", err)
	}
}
