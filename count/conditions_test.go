package count

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/oracle"
	"github.com/pavage/pavage/internal/test/puzzletest"
	"github.com/pavage/pavage/tiling"
	"github.com/pavage/pavage/verify"
)

// randomBounds are bounds on all options of an item, on some of them, or on any.
func randomBounds(rng *rand.Rand, p *cover.Problem) (bounds []cover.Bound) {
	for k := range 1 + rng.IntN(3) {
		b := cover.Bound{Name: fmt.Sprintf("bound=%d", k), Min: rng.IntN(3) % 2, Max: cover.Unbounded}
		item, way := rng.IntN(len(p.Items)+1), rng.IntN(4)
		for o, option := range p.Options {
			uses := slices.ContainsFunc(option, func(u cover.Use) bool { return u.Item == item })
			if way == 0 && uses || way == 1 && uses && rng.IntN(2) > 0 || way > 1 && rng.IntN(3) == 0 {
				b.Options = append(b.Options, o)
			}
		}
		if rng.IntN(2) == 0 {
			for range b.Options {
				b.Times = append(b.Times, 1+rng.IntN(4))
			}
			b.Min *= 1 + rng.IntN(5)
		}
		if rng.IntN(3) > 0 {
			b.Max = b.Min + rng.IntN(3)
		}
		bounds = append(bounds, b)
	}
	return bounds
}

// keeping are the solutions that keep the bounds.
func keeping(solutions [][]int, bounds []cover.Bound) [][]int {
	return slices.DeleteFunc(slices.Clone(solutions), func(s []int) bool {
		return slices.ContainsFunc(bounds, func(b cover.Bound) bool { return !b.IsKept(s) })
	})
}

// TestRandomBounds: each engine counts just the solutions that keep the bounds, and a diagram has
// them.
func TestRandomBounds(t *testing.T) {
	for seed := range uint64(600) {
		rng := rand.New(rand.NewPCG(seed, 17))
		p := []func(*rand.Rand) *cover.Problem{oracle.Random, oracle.RandomGrid, oracle.RandomColoured}[seed%3](rng)
		all, err := oracle.Within(p, 1<<12)
		if errors.Is(err, oracle.ErrTooBig) {
			continue
		}
		bounds := randomBounds(rng, p)
		q, err := p.WithBounds(t.Context(), bounds)
		if err != nil {
			t.Fatal(err)
		}
		want := keeping(all, bounds)
		for _, e := range Engines() {
			checkEngine(t, seed, q, e, int64(len(want)))
		}
		checkDiagram(t, seed, q, want)
		if t.Failed() {
			return
		}
	}
}

// TestSums: each engine counts the same dominoes with pips and sums of regions, as the oracle
// does, and up to symmetry as the list of solutions has classes.
func TestSums(t *testing.T) {
	some, several := 0, 0
	for seed := range uint64(250) {
		rng := rand.New(rand.NewPCG(seed, 19))
		pieces := make([]string, 4)
		for k := range pieces {
			pieces[k] = fmt.Sprintf(`{name: p%d, shape: "%d%d", copies: %s}`, k, rng.IntN(3), rng.IntN(3), []string{"0..1", "any", "0..2"}[rng.IntN(3)])
		}
		rows := [][]string{{"aab", "baa"}, {"abba", "cddc"}, {"a.b", "c.c", "b.a"}, {"aa", "bb"}}[rng.IntN(4)]
		wall := []string{"", "walls: [[[0, 0], [0, 1]]]\n", "joined: [[[0, 0], [1, 0]]]\n"}[rng.IntN(3)]
		m := puzzletest.Parse(t, fmt.Sprintf("board: %dx%d\ncover: %s\npieces: [%s]\nregions: |\n  %s\nsums: {a: %d..%d, b: %d..}\n%s", len(rows), len(rows[0]),
			[]string{"exact", "at-most"}[rng.IntN(2)], strings.Join(pieces, ", "), strings.Join(rows, "\n  "), rng.IntN(4), 4+rng.IntN(3), rng.IntN(3), wall))
		p := m.Problem
		all, err := oracle.Within(p, 1<<12)
		if err != nil {
			continue
		}
		for _, e := range Engines() {
			checkEngine(t, seed, p, e, int64(len(all)))
		}
		checkDiagram(t, seed, p, all)
		listed, err := verify.Count(t.Context(), p, verify.Options{})
		if err != nil || listed.Solutions != int64(len(all)) {
			t.Errorf("seed %d: a SAT solver lists %v, %v, want %d", seed, listed.Solutions, err, len(all))
		}
		r, g := distinct(t, m, true)
		canon, err := p.Canon(t.Context(), g.Symmetries())
		if err != nil {
			t.Fatal(err)
		}
		least := 0
		for _, s := range all {
			if canon.IsLeast(s) {
				least++
			}
		}
		if r.Count.Int64() != int64(least) {
			t.Errorf("seed %d: %v classes, want %d of %d", seed, r.Count, least, len(all))
		}
		if len(all) > 0 {
			some++
		}
		if len(g.Elements) > 1 && least < len(all) {
			several++
		}
		if t.Failed() {
			t.Fatal(text(p))
		}
	}
	if some < 20 || several < 10 {
		t.Errorf("%d puzzles with solutions, %d with symmetric ones, want more", some, several)
	}
}

// TestDistinctWithBounds: up to the symmetries that keep the bounds, the number of classes is the
// same as in the list of solutions.
func TestDistinctWithBounds(t *testing.T) {
	orders := map[int]int{}
	for seed := range uint64(120) {
		rng := rand.New(rand.NewPCG(seed, 18))
		m := puzzletest.Inline(t, []string{"3x4", "4x4", "2x2x2"}[seed%3], "domino=any", "L3=0..2", "monomino=0..2")
		bounds := randomBounds(rng, m.Problem)[:1]
		images, err := m.Problem.AllImages(t.Context(), m.Problem.Symmetries)
		if err != nil {
			t.Fatal(err)
		}
		image := images[rng.IntN(len(images))]
		for b := bounds[0]; ; bounds = append(bounds, b) { // and its images under powers of an element
			options := make([]int, len(b.Options))
			for i, o := range b.Options {
				options[i] = image[o]
			}
			slices.Sort(options)
			if b.Options = options; slices.Equal(options, bounds[0].Options) {
				break
			}
		}
		all, err := oracle.Within(m.Problem, 1<<16)
		if errors.Is(err, oracle.ErrTooBig) {
			continue
		}
		bounded, err := m.WithBounds(t.Context(), bounds)
		if err != nil {
			t.Fatal(err)
		}
		r, g := distinct(t, bounded, seed%2 == 0)
		if want := classes(t, m, g, keeping(all, bounds)); r.Count.Int64() != int64(want) {
			t.Errorf("seed %d: %v classes up to %s of order %d, want %d", seed, r.Count, g.Name, len(g.Elements), want)
		}
		orders[len(g.Elements)]++
	}
	t.Log(orders)
	if len(orders) < 4 {
		t.Errorf("groups of the orders %v, want more orders", orders)
	}
}

// classes is the number of classes of a list of solutions under a group of a model with bounds.
func classes(t *testing.T, m *tiling.Model, g *tiling.Group, solutions [][]int) int {
	t.Helper()
	group := g.Symmetries()
	for i, s := range group {
		group[i] = s[:len(m.Problem.Items)]
	}
	images, err := m.Problem.AllImages(t.Context(), group)
	if err != nil {
		t.Fatal(err)
	}
	met, n := map[string]bool{}, 0
	for _, s := range solutions {
		if !met[fmt.Sprint(s)] {
			n++
		}
		for _, image := range images {
			moved := make([]int, len(s))
			for i, o := range s {
				moved[i] = image[o]
			}
			slices.Sort(moved)
			met[fmt.Sprint(moved)] = true
		}
	}
	return n
}
