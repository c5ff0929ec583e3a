package count

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/oracle"
	"github.com/pavage/pavage/internal/test/puzzletest"
)

// TestCertifyCounts compares the counts of certified sweeps, which drop no
// state, with the oracle. That the files are right is package verify's to see: the
// tests of verify/evidence have the two meet.
func TestCertifyCounts(t *testing.T) {
	for seed := range uint64(500) {
		p := oracle.Random(rand.New(rand.NewPCG(seed, 4)))
		want, err := oracle.Count(p)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range []Engine{Auto, Diagram} {
			r, err := Certify(context.Background(), p, io.Discard, e, Options{})
			switch {
			case err != nil:
				t.Fatalf("seed %d: %v", seed, err)
			case !r.Count.IsInt64() || r.Count.Int64() != int64(want):
				t.Errorf("seed %d: %s certifies %v, oracle %d\n%s", seed, e, r.Count, want, text(p))
			}
		}
	}
}

// TestCertifyBytes: a certificate does not depend on threads and runs.
func TestCertifyBytes(t *testing.T) {
	p := puzzletest.Inline(t, "8x8", "domino=any", "trominoes=0..3").Problem
	var first []byte
	for threads := 1; threads <= 4; threads++ {
		var b bytes.Buffer
		if _, err := Certify(context.Background(), p, &b, Auto, Options{Limits: Limits{Threads: threads}}); err != nil {
			t.Fatal(err)
		}
		if threads == 1 {
			first = b.Bytes()
		} else if !bytes.Equal(first, b.Bytes()) {
			t.Errorf("%d threads write another certificate than one", threads)
		}
	}
}

func TestCertifyDisagrees(t *testing.T) {
	for _, wrong := range []int64{2, 4} {
		if err := sameCount(big.NewInt(3), big.NewInt(wrong)); !errors.Is(err, ErrDisagrees) {
			t.Errorf("3 and %d: %v", wrong, err)
		}
	}
}

func TestCertifyErrors(t *testing.T) {
	p := puzzletest.Inline(t, "6x6", "domino=any").Problem
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	broken := errors.New("no space")
	for _, c := range []struct {
		name string
		ctx  context.Context
		to   io.Writer
		e    Engine
		o    Options
		want error
	}{
		{"search", context.Background(), io.Discard, Search, Options{}, ErrNoCertificate},
		{"unknown", context.Background(), io.Discard, "x", Options{}, errEngine},
		{"memory", context.Background(), io.Discard, Auto, Options{Limits: Limits{Memory: 1000}}, cover.ErrMemory},
		{"cancelled", ctx, io.Discard, Auto, Options{}, context.Canceled},
		{"full disk at once", context.Background(), &full{0, broken}, Auto, Options{}, broken},
		{"full disk later", context.Background(), &full{40, broken}, Auto, Options{}, broken},
	} {
		if _, err := Certify(c.ctx, p, c.to, c.e, c.o); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
}

// full accepts a number of bytes, and then fails.
type full struct {
	left int
	err  error
}

func (f *full) Write(b []byte) (int, error) {
	if f.left -= len(b); f.left < 0 {
		return 0, f.err
	}
	return len(b), nil
}

// TestCertifyOnDisk: a certificate whose levels do not fit in memory is the same, and
// without a disk it is an error.
func TestCertifyOnDisk(t *testing.T) {
	p := puzzletest.Inline(t, "8x9", "tetrominoes=any").Problem
	write := func(l Limits) ([]byte, *Result, error) {
		var b bytes.Buffer
		r, err := Certify(context.Background(), p, &b, Auto, Options{Limits: l})
		return b.Bytes(), r, err
	}
	want, _, err := write(Limits{})
	if err != nil {
		t.Fatal(err)
	}
	const memory = 3 << 20
	got, r, err := write(Limits{Threads: 1, Memory: memory, Disk: t.TempDir()})
	if err != nil || !bytes.Equal(got, want) {
		t.Fatalf("another certificate with levels on disk: %v", err)
	}
	if r.Disk == 0 || r.Bytes > memory {
		t.Errorf("%d bytes on disk, %d in memory, want some and at most %d", r.Disk, r.Bytes, memory)
	}
	if _, _, err := write(Limits{Memory: memory}); !errors.Is(err, cover.ErrMemory) {
		t.Errorf("without a disk: %v, want %v", err, cover.ErrMemory)
	}
}
