package search

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/oracle"
)

// inBundles returns a space of bundles, even if they save little; nil if there are none.
func inBundles(t *testing.T, p *cover.Problem, charts bool) *Space {
	t.Helper()
	if charts {
		s, err := compile(t.Context(), p, 1, fewSeconds)
		if err != nil {
			t.Fatal(err)
		}
		if s.parts == nil {
			return nil
		}
		return s
	}
	p, parts, err := bundled(t.Context(), p, 1)
	if err != nil {
		t.Fatal(err)
	}
	if parts == nil {
		return nil
	}
	c, err := newCompiler(t.Context(), p, false)
	if err != nil {
		t.Fatal(err)
	}
	if c.parts = parts; !c.never {
		if _, err := c.matrices(); err != nil {
			t.Fatal(err)
		}
	}
	return c.Space
}

// bundles have pieces that a parity binds: some of 2x2 and 2x4 cells beside bars.
var bundles = []string{
	"{board: 4x4, cover: exact, pieces: [{name: b, box: 1x2, copies: any}, {name: c, box: 1x3, copies: 2}]}",
	"{board: 3x5, cover: exact, pieces: [{name: q, box: 2x2, copies: any}, {name: c, box: 1x3, copies: 3}, {name: d, box: 1x2, copies: any}]}",
	"{board: 5x5, cover: exact, pieces: [{name: q, box: 2x2, copies: any}, {name: c, box: 1x3, copies: 3}]}",
	"{board: 3x4, cover: exact, pieces: [{name: q, box: 2x2, copies: 2}, {name: d, box: 1x2, copies: 2}]}",
	"{board: 3x3x3, cover: exact, pieces: [{name: q, box: 1x2x2, copies: 6}, {name: d, box: 1x1x1, copies: 3}]}",
	"{board: 4x5, cover: exact, pieces: [{name: T4, copies: 4}, {name: d, box: 1x2, copies: 2}]}",
}

// TestBundles compares covers in bundles with the oracle: count and set of solutions.
func TestBundles(t *testing.T) {
	seen, solvable, symmetric, fewer := 0, 0, 0, 0
	for seed := range *covers / 2 {
		rng := rand.New(rand.NewPCG(seed, 17))
		var p *cover.Problem
		switch {
		case seed < uint64(len(bundles)):
			p = model(t, bundles[seed])
		case seed%3 == 0:
			p = model(t, randomPuzzle(rng))
		case seed%3 == 1:
			p = oracle.RandomGrid(rng)
		default:
			p = oracle.Random(rng)
		}
		s := inBundles(t, p, seed%2 == 0)
		if s == nil {
			continue
		}
		want, err := oracle.Solutions(p)
		if errors.Is(err, oracle.ErrTooBig) || len(want) > 5000 {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		seen++
		if len(want) > 0 {
			solvable++
		}
		if len(s.restrictions) > 0 {
			symmetric++
		}
		if len(s.parts) < len(p.Options) {
			fewer++
		}
		for _, threads := range []int{1, 3} {
			checkSpace(t, s, threads, want)
		}
		if t.Failed() {
			t.Fatalf("in seed %d: %v", seed, p)
		}
	}
	least := int(*covers / 2)
	if seen < least/20 || solvable < least/50 || symmetric < least/200 || fewer < least/40 {
		t.Errorf("%d in bundles, %d solvable, %d with symmetries, %d of fewer options", seen, solvable, symmetric, fewer)
	}
}

// conwaysBox is J. H. Conway's: eighteen blocks for a cube.
const conwaysBox = "{board: 5x5x5, pieces: [{name: plank, box: 1x2x4, copies: 13}, {name: cube, box: 2x2x2}, {name: tile, box: 1x2x2}, {name: bar, box: 1x1x3, copies: 3}]}"

// TestConwaysBars: the three bars lie in 88 ways, and with them the rest is quickly counted.
func TestConwaysBars(t *testing.T) {
	s, err := Compile(t.Context(), model(t, conwaysBox))
	if err != nil {
		t.Fatal(err)
	}
	bars := 0
	for _, options := range s.parts {
		if len(options) == 3 {
			bars++
		}
	}
	if r := mustCount(t, s, Options{Threads: 1}); bars != 88 || r.Count.Int64() != 27456 || r.Tries > 20_000 {
		t.Errorf("%d bundles, %v in %d tries", bars, r.Count, r.Tries)
	}
}
