package sample_test

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/puzzletest"
	"github.com/pavage/pavage/internal/test/testkit"
	"github.com/pavage/pavage/sample"
	"github.com/pavage/pavage/tiling"
)

// coupledSource is what draws a model's tilings by coupling.
func coupledSource(t testing.TB, m *tiling.Model, threads int) *sample.Source {
	t.Helper()
	s, err := sample.From(t.Context(), m.Problem, sample.Request{Method: sample.ByCoupling}, count.Options{Limits: count.Limits{Threads: threads}})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestCoupledMarginals: each placement of 16x16 dominoes is drawn as often as the levels of a
// sweep say that it should be.
func TestCoupledMarginals(t *testing.T) {
	m := puzzletest.Inline(t, "16x16", "domino=any")
	r, err := count.Remember(t.Context(), m.Problem, count.Options{})
	if err != nil {
		t.Fatal(err)
	}
	of, err := r.Marginals(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	tallies, n := make([]float64, len(m.Problem.Options)), testkit.Size(2000, 20_000)
	for d := range draws(t, coupledSource(t, m, 2), 11, uint64(n)) {
		for _, o := range d.Options {
			tallies[o]++
		}
	}
	for o, tally := range tallies {
		p, _ := new(big.Rat).Quo(of.Of[o], of.Total).Float64()
		if sigma := math.Sqrt(float64(n) * p * (1 - p)); math.Abs(tally-float64(n)*p) > 5*sigma {
			t.Errorf("placement %d: drawn %v times, expected %.1f ± %.1f", o, tally, float64(n)*p, sigma)
		}
	}
}

// TestCoupledUnderConditions: draws of lozenges, of dominoes on a cylinder, and of what conditions
// leave are fair.
func TestCoupledUnderConditions(t *testing.T) {
	hexagon := puzzletest.Parse(t, "{lattice: triangle, board: {hexagon: [2, 2, 3]}, pieces: [{name: lozenge, shape: '^v', copies: any}]}")
	cylinder := puzzletest.Parse(t, "{board: 4x4, wrap: columns, pieces: [{name: domino, copies: any}]}")
	grid := puzzletest.Inline(t, "4x5", "domino=any")
	// one placement is to be there, one is not, and one of two others is
	bounded, err := grid.WithBounds(t.Context(), []cover.Bound{{Options: []int{0}, Min: 1, Max: 1}, {Options: []int{9}, Max: 0}})
	if err != nil {
		t.Fatal(err)
	}
	for name, m := range map[string]*tiling.Model{"hexagon": hexagon, "cylinder": cylinder, "bounded": bounded} {
		c, err := count.Compile(t.Context(), m.Problem, count.Options{})
		if err != nil {
			t.Fatal(err)
		}
		n := int(c.Result.Count.Int64())
		index, tallies := map[string]int{}, make([]float64, n)
		for d := range draws(t, coupledSource(t, m, 1), 5, uint64(100*n)) {
			if !m.Problem.IsSolution(d.Options) || d.Rank != nil {
				t.Fatalf("%s: drew %+v", name, d)
			}
			k, met := index[fmt.Sprint(d.Options)]
			if !met {
				k = len(index)
				index[fmt.Sprint(d.Options)] = k
			}
			tallies[k]++
		}
		if !accepts(tallies) || n < 10 {
			t.Errorf("%s: draws are not fair: %v", name, tallies)
		}
	}
}

// TestAutoCouples: auto draws by coupling only what needs no rank and is beyond a walk, and what it drew
// otherwise before it draws as before.
func TestAutoCouples(t *testing.T) {
	large := "{lattice: triangle, board: {hexagon: 30}, pieces: [{name: lozenge, shape: '^v', copies: any}]}"
	for _, c := range []struct {
		puzzle *tiling.Model
		method sample.Method
		reason string
	}{
		{puzzletest.Inline(t, "8x8", "domino=any"), sample.ByDiagram, "there are only"},
		{puzzletest.Inline(t, "45x46", "domino=any"), sample.ByCoupling, "a sweep would remember about 45 cells at once"},
		{puzzletest.Inline(t, "28x28", "domino=any"), sample.ByCoupling, "a diagram would begin with"},
		{puzzletest.Parse(t, large), sample.ByCoupling, "a sweep would remember about"},
		{puzzletest.Inline(t, "45x47", "domino=any"), sample.ByCoupling, "a sweep would remember about 45 cells at once"}, // no tiling
		{puzzletest.Inline(t, "12x12", "domino=any", "monomino=0..1"), sample.ByDiagram, "there are only"},
	} {
		s, err := sample.From(t.Context(), c.puzzle.Problem, sample.Request{Unranked: true}, count.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if s.Method != c.method || !strings.HasPrefix(s.Reason, c.reason) {
			t.Errorf("%s, since %s, expected %s", s.Method, s.Reason, c.method)
		}
	}
}

// TestRanksAreWalked: where draws need ranks, auto begins a walk, however long.
func TestRanksAreWalked(t *testing.T) {
	ctx := testkit.AfterLooks(t, 200)
	s, err := sample.From(ctx, puzzletest.Inline(t, "45x46", "domino=any").Problem, sample.Request{}, count.Options{})
	if s != nil || !ctx.Ended() {
		t.Errorf("%+v, %v", s, err)
	}
}

// TestCoupledDraws: draws are the same by any number of threads, and fewer are the first of more.
func TestCoupledDraws(t *testing.T) {
	m := puzzletest.Inline(t, "10x10", "domino=any")
	some := func(threads int, n uint64) (all []string) {
		for d := range draws(t, coupledSource(t, m, threads), 3, n) {
			if !m.Problem.IsSolution(d.Options) {
				t.Fatalf("%v is no tiling", d.Options)
			}
			all = append(all, fmt.Sprint(d.Options))
		}
		return all
	}
	one := some(1, 10)
	if !slices.Equal(one, some(4, 10)) || !slices.Equal(one[:3], some(4, 3)) {
		t.Error("draws depend on threads or on how many are wanted")
	}
	s := coupledSource(t, m, 1)
	if _, err := count.At(t.Context(), s.Set, new(big.Int)); !errors.Is(err, count.ErrUnanswered) {
		t.Errorf("a rank: %v", err)
	}
	runs := 0
	for range draws(t, s.Telling(func(sweeps int64, _ string) { runs++ }), 3, 2) {
	}
	if runs < 5 || s.Bytes() <= 0 {
		t.Errorf("%d runs, %d bytes", runs, s.Bytes())
	}
}

func TestCoupledUnique(t *testing.T) {
	s := coupledSource(t, puzzletest.Inline(t, "4x4", "domino=any"), 1)
	seen := map[string]bool{}
	for d, err := range s.Unique(t.Context(), sample.Seeded(1), 36, 0) {
		if err != nil {
			t.Fatal(err)
		}
		seen[fmt.Sprint(d.Options)] = true
	}
	if len(seen) != 36 {
		t.Errorf("%d different tilings", len(seen))
	}
}

// TestCoupledRefuses: the error says what is in the way.
func TestCoupledRefuses(t *testing.T) {
	for want, m := range map[string]*tiling.Model{
		"covers 3 cells": puzzletest.Inline(t, "3x3", "I3=any"),
		"may bind":       puzzletest.Inline(t, "4x4", "domino=3..7"),
		"need not be":    puzzletest.Parse(t, "{board: 4x4, cover: at-most, pieces: [{name: domino, copies: any}]}"),
		"not planar":     puzzletest.Parse(t, "{board: 4x4, wrap: both, pieces: [{name: domino, copies: any}]}"),
		"no two colours": puzzletest.Parse(t, "{board: 4x5, wrap: columns, pieces: [{name: domino, copies: any}]}"),
	} {
		_, err := sample.From(t.Context(), m.Problem, sample.Request{Method: sample.ByCoupling}, count.Options{})
		if !errors.Is(err, count.ErrNotDimers) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v, expected %q", err, want)
		}
	}
	m := puzzletest.Inline(t, "4x4", "domino=any")
	for _, r := range []sample.Request{{Group: m.Group(true).Symmetries()}, {Weights: make([]*big.Rat, len(m.Problem.Options))}} {
		r.Method = sample.ByCoupling
		if _, err := sample.From(t.Context(), m.Problem, r, count.Options{}); !errors.Is(err, sample.ErrMethod) {
			t.Errorf("%+v: %v", r, err)
		}
	}
	if _, err := sample.From(t.Context(), m.Problem, sample.Request{Method: sample.ByCoupling}, count.Options{Limits: count.Limits{Memory: 1 << 10}}); !errors.Is(err, cover.ErrMemory) {
		t.Errorf("a KiB: %v", err)
	}
}

// TestCombined draws from a board of two rooms: one is drawn by coupling, the other by rank.
func TestCombined(t *testing.T) {
	room := strings.Repeat("#", 50)
	board := strings.Repeat("    "+room+".##\n", 3) + strings.Repeat("    "+room+"...\n", 47)
	m := puzzletest.Parse(t, "board: |\n"+board+"pieces: [{name: domino, copies: any}]\n")
	s, err := sample.From(t.Context(), m.Problem, sample.Request{Unranked: true}, count.Options{})
	if err != nil || s.Method != sample.ByCoupling {
		t.Fatalf("%v, %v, want draws by coupling", s.Method, err)
	}
	rooms := map[bool]int{}
	for d, err := range s.Draws(t.Context(), sample.Seeded(3), 20) {
		if err != nil || d.Rank != nil || !m.Problem.IsSolution(d.Options) {
			t.Fatalf("%v, %v is no solution", d, err)
		}
		rooms[slices.Contains(d.Options, len(m.Problem.Options)-1)]++
	}
	if len(rooms) != 2 {
		t.Errorf("the last placement is in %d of 20 draws, want some", rooms[true])
	}
}
