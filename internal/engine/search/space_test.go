package search

import (
	"context"
	"errors"
	"testing"

	"github.com/pavage/pavage/cover"
)

// TestTooLarge: rows are numbered in two bytes. With one item less, the numbers suffice.
func TestTooLarge(t *testing.T) {
	p := &cover.Problem{}
	for i := range maxRows + 1 {
		p.Items = append(p.Items, cover.Item{Min: 1, Max: 1})
		p.Options = append(p.Options, cover.Option{{Item: i, Times: 1}})
	}
	if _, err := Compile(context.Background(), p); !errors.Is(err, errTooLarge) {
		t.Errorf("%d items that bind: %v, want ErrTooLarge", len(p.Items), err)
	}
	p.Items[0].Min, p.Options = 0, p.Options[1:]
	if s := compiled(t, p); inMatrices(s).rows != maxRows || s.Bytes(1) < 500<<20 {
		t.Errorf("%d rows in %d bytes, want %d in half a gigabyte", inMatrices(s).rows, s.Bytes(1), maxRows)
	}
}

// TestDeep goes as deep as there are cells, with all choices open at all depths, and stops when
// ctx ends.
func TestDeep(t *testing.T) {
	p := model(t, "{board: 60x60, cover: at-most, pieces: [{name: monomino, copies: any}, {name: other, box: 1x1, copies: any}]}")
	p.Symmetries = nil
	for _, threads := range []int{1, 2} {
		ctx, cancel := context.WithCancel(t.Context())
		enough := func(_ float64, nodes, _ int64) {
			if nodes >= 10_000 {
				cancel()
			}
		}
		r, err := hunt(ctx, compiled(t, p), Options{Threads: threads, forgetful: true, Progress: enough}, 0, nil)
		if !errors.Is(err, context.Canceled) || r.Nodes < 10_000 {
			t.Errorf("%d threads: %v after %d nodes", threads, err, r.Nodes)
		}
	}
}

// TestBytes checks the bound for 3600 depths of 7200 choices, 121 MB as measured, and for an exact
// cover, where choices are few.
func TestBytes(t *testing.T) {
	deep := compiled(t, model(t, "{board: 60x60, cover: at-most, pieces: [{name: monomino, copies: any}, {name: other, box: 1x1, copies: any}]}"))
	if b := inMatrices(deep).walkerBytes(2); b < 200<<20 || b > 400<<20 {
		t.Errorf("60x60: %d bytes for two walkers, measured 220 MB", b)
	}
	if b := inMatrices(compiled(t, model(t, sixByTen))).walkerBytes(1); b > 1<<20 {
		t.Errorf("6x10: %d bytes for a walker", b)
	}
}

// TestFree: options that nothing binds are not searched.
func TestFree(t *testing.T) {
	p := model(t, "{board: 60x60, cover: at-most, pieces: [{name: monomino, copies: any}]}")
	r := mustCount(t, compiled(t, p), Options{Threads: 1})
	if r.Count.BitLen() != 3601 || r.Nodes > 0 {
		t.Errorf("%d bits in %d nodes, want 2^3600 in none", r.Count.BitLen(), r.Nodes)
	}
}
