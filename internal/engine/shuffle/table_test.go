package shuffle

import (
	"context"
	"errors"
	"math/big"
	"runtime"
	"slices"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/testkit"
)

// live returns the bytes on the heap that are in use.
func live() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// looking is a context that calls a function at each call of Err.
type looking struct {
	context.Context
	look func()
}

func (l *looking) Err() error {
	l.look()
	return nil
}

// TestBytes compares the memory of levels with tableBytes, while pairs are made and in each block
// of a draw.
func TestBytes(t *testing.T) {
	testkit.Serial(t)
	for _, n := range []int{34} {
		for depth := 1; depth <= 3; depth++ {
			entries := make([]int32, 4*n*n)
			for at := range entries {
				entries[at] = fixed
			}
			table := &table{n: n, threads: 1, depth: depth, double: true}
			before := live() - 16*int64(n)*int64(n)
			table.entries = entries
			bound, most := tableBytes(n, depth), int64(0)
			look := func() {
				most = max(most, live()-before)
			}
			if err := table.prepare(&looking{t.Context(), look}); err != nil {
				t.Fatal(err)
			}
			k := 0
			err := table.blocks(&looking{t.Context(), look}, func(b block) error {
				for i := range b.levels {
					if k++; b.levels[i].k != k {
						t.Fatalf("level %d instead of %d", b.levels[i].k, k)
					}
				}
				look()
				return nil
			})
			if err != nil || k != n {
				t.Fatalf("%d levels of %d, %v", k, n, err)
			}
			t.Logf("order %d, depth %d: %d bytes, the bound is %d", n, depth, most, bound)
			if most > bound || most < bound/3 {
				t.Errorf("order %d, depth %d: %d bytes, the bound is %d", n, depth, most, bound)
			}
			runtime.KeepAlive(table)
		}
	}
	need := tableBytes(29, 2)
	if _, err := New(t.Context(), rectangle(29, 30), Config{Memory: need / 3}); !errors.Is(err, cover.ErrMemory) {
		t.Errorf("a third of the memory: %v", err)
	}
	looks := 0
	never := &looking{t.Context(), func() { looks++ }}
	if _, err := New(never, rectangle(29, 30), Config{Memory: 1000}); !errors.Is(err, cover.ErrMemory) || looks > 0 {
		t.Errorf("no memory: %v after %d looks at the context", err, looks)
	}
	if _, err := New(never, aztec(30), Config{Memory: FairBytes(30) - 1}); !errors.Is(err, cover.ErrMemory) || looks > 0 {
		t.Errorf("no memory for a diamond: %v after %d looks at the context", err, looks)
	}
	if s, err := New(never, aztec(30), Config{Memory: FairBytes(30)}); err != nil || s.Bytes() != FairBytes(30) {
		t.Errorf("a whole diamond needs no levels: %v", err)
	}
	s, err := New(t.Context(), rectangle(29, 30), Config{Memory: tableBytes(40, 2)})
	if err != nil || s.Bytes() > tableBytes(40, 2) {
		t.Errorf("enough memory: %v, %v", s, err)
	}
}

// TestFarWeights refuses weights whose scale is out of range, also where its low bits are a scale.
func TestFarWeights(t *testing.T) {
	for factors, fine := range map[uint]bool{8000: true, 8200: false, 1 << 16: false} {
		b := *small["2x2"]
		for range b.ends() {
			b.Weights = append(b.Weights, big.NewInt(1))
		}
		b.Weights[0] = new(big.Int).Lsh(b.Weights[0], 256*factors)
		s, err := New(t.Context(), &b, Config{})
		if fine != (err == nil) || !fine && !errors.Is(err, ErrUnembedded) {
			t.Errorf("a weight of 2^(256*%d): %v", factors, err)
		}
		if !fine {
			continue
		}
		if drawn, err := s.Draw(t.Context(), [][32]byte{key(3)}, nil); err != nil || !slices.Contains(drawn[0], 0) {
			t.Errorf("a weight of 2^(256*%d): %v, %v", factors, drawn, err)
		}
	}
}
