package differential

import (
	"context"
	"errors"
	"math/big"
	"testing"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/tiling"
)

// TestDominoTilings: values that others computed.
func TestDominoTilings(t *testing.T) {
	for _, known := range []struct {
		m, n  int
		count string
	}{
		{1, 1, "0"},
		{1, 2, "1"},
		{2, 2, "2"},
		{2, 3, "3"},
		{3, 3, "0"},
		{3, 4, "11"},
		{4, 4, "36"},
		{7, 10, "0"},
		{8, 8, "12988816"},
		{20, 20, "1269984011256235834242602753102293934298576249856"},
	} {
		if known.m == 7 { // odd by even, either way round
			if a, b := DominoTilings(7, 10), DominoTilings(10, 7); a.Cmp(b) != 0 || a.Sign() <= 0 {
				t.Errorf("7x10 %v, 10x7 %v", a, b)
			}
			continue
		}
		if got := DominoTilings(known.m, known.n); got.String() != known.count {
			t.Errorf("%dx%d: %v, want %s", known.m, known.n, got, known.count)
		}
	}
}

// TestMacMahon: OEIS A008793.
func TestMacMahon(t *testing.T) {
	for n, want := range []int64{1, 2, 20, 980, 232848, 267227532} {
		if got := macMahon(n, n, n); got.Cmp(big.NewInt(want)) != 0 {
			t.Errorf("%d: %v, want %d", n, got, want)
		}
	}
}

// TestLaws holds the sweep to all laws, diagrams and residues to those that
// are small enough.
func TestLaws(t *testing.T) {
	var sizes [3]int // counts below 2^64, below 2^128, beyond
	onDisk := 0
	for _, law := range Laws() {
		p := lawProblem(t, law)
		bits := law.Count.BitLen()
		sizes[min(bits/64, 2)]++
		r := lawCount(t, law, p, count.Sweep, count.Options{})
		checkLawResidues(t, law, p)
		if r.States < 20_000 {
			lawCount(t, law, p, count.Diagram, count.Options{})
		}
		if bits < 20 {
			lawCount(t, law, p, count.Search, count.Options{})
		}
		if r.States > 4_000_000 && lawOnDisk(t, law, p) {
			onDisk++
		}
	}
	t.Logf("counts below 2^64, 2^128, and beyond: %v; %d on disk", sizes, onDisk)
	if sizes[1] < 20 || sizes[2] < 20 || onDisk == 0 {
		t.Error("too few of a sort")
	}
}

func lawProblem(t *testing.T, law Law) *cover.Problem {
	t.Helper()
	p, err := tiling.Parse("law", []byte(law.Puzzle))
	if err != nil {
		t.Fatalf("%s: %v", law.Name, err)
	}
	m, err := p.Model(t.Context())
	if err != nil {
		t.Fatalf("%s: %v", law.Name, err)
	}
	return m.Problem
}

func lawCount(t *testing.T, law Law, p *cover.Problem, e count.Engine, o count.Options) *count.Result {
	t.Helper()
	r, err := count.Count(context.Background(), p, e, o)
	if err != nil {
		t.Fatalf("%s, %s: %v", law.Name, e, err)
	}
	if r.Count.Cmp(law.Count) != 0 {
		t.Errorf("%s, %s: %v, want %v (%s)", law.Name, e, r.Count, law.Count, law.Source)
	}
	return r
}

// checkLawResidues: modulo a prime of 61 bits and one of 20.
func checkLawResidues(t *testing.T, law Law, p *cover.Problem) {
	t.Helper()
	moduli := []uint64{1<<61 - 1, 1_000_003}
	got, _, err := count.Residues(context.Background(), p, moduli, nil, count.Options{})
	if err != nil {
		t.Fatalf("%s: %v", law.Name, err)
	}
	for i, m := range moduli {
		if want := new(big.Int).Mod(law.Count, new(big.Int).SetUint64(m)); want.Uint64() != got[i] {
			t.Errorf("%s modulo %d: %d, want %v", law.Name, m, got[i], want)
		}
	}
}

// lawOnDisk counts with some of the memory, and reports whether levels went to
// disk. How much is too little is not told, so it tries.
func lawOnDisk(t *testing.T, law Law, p *cover.Problem) bool {
	t.Helper()
	r := lawCount(t, law, p, count.Sweep, count.Options{Limits: count.Limits{Threads: 1}})
	for percent := int64(60); percent >= 42; percent -= 2 {
		o := count.Options{Limits: count.Limits{Threads: 1, Memory: r.Bytes * percent / 100, Disk: t.TempDir()}}
		r, err := count.Count(context.Background(), p, count.Sweep, o)
		if errors.Is(err, count.ErrMemory) {
			break
		}
		if err != nil || r.Count.Cmp(law.Count) != 0 {
			t.Fatalf("%s on disk: %v, want %v", law.Name, err, law.Count)
		}
		if r.Disk > 0 {
			return true
		}
	}
	return false
}
