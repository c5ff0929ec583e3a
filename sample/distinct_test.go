package sample_test

import (
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/internal/test/puzzletest"
	"github.com/pavage/pavage/sample"
)

// classes is a source of classes.
func classes(t testing.TB, board string, pieces ...string) *sample.Source {
	t.Helper()
	m := puzzletest.Inline(t, board, pieces...)
	s, err := sample.From(t.Context(), m.Problem, sample.Request{Group: m.Group(true).Symmetries()}, count.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// members draws n classes and tallies their canonical members.
func members(t *testing.T, d *sample.Source, seed uint64, n int) map[string]int {
	t.Helper()
	tally := map[string]int{}
	for m := range draws(t, d, seed, uint64(n)) {
		tally[fmt.Sprint(m.Rank, m.Options)]++
	}
	return tally
}

// TestDistinctMembers: draws meet every class and only canonical members, with
// the rank that all solutions give them.
func TestDistinctMembers(t *testing.T) {
	for _, test := range []struct {
		board  string
		pieces []string
		want   int
	}{
		{"2x3", []string{"domino=any"}, 2},
		{"4x4", []string{"domino=any"}, 9},
		{"6x6", []string{"L3=any"}, 25},
		{"1x2", []string{"domino"}, 1},
		{"2x2x2", []string{"domino=any"}, 2},
		{"2x2x4", []string{"domino=any"}, 25},
		{"##.\n.##", []string{"domino=any"}, 1},
	} {
		d := classes(t, test.board, test.pieces...)
		c := d.Classes
		if d.Count().Int64() != int64(test.want) || d.Check() != nil {
			t.Errorf("%q: %v classes, want %d", test.board, d.Count(), test.want)
		}
		want := map[string]bool{}
		for r := range d.Set.Count().Int64() {
			options, err := count.At(t.Context(), d.Set, big.NewInt(r))
			if err != nil {
				t.Fatal(err)
			}
			if slices.Sort(options); c.Canon.IsLeast(options) {
				want[fmt.Sprint(r, options)] = true
			}
		}
		got := members(t, d, 5, 100*test.want)
		if len(got) != test.want || len(want) != test.want {
			t.Errorf("%q: %d members drawn, %d there, want %d", test.board, len(got), len(want), test.want)
		}
		for m := range got {
			if !want[m] {
				t.Errorf("%q: %s is drawn, and is no canonical member", test.board, m)
			}
		}
	}
}

// TestDistinctFair: χ² over the classes, and over planted faults that it must find: uniform
// tilings, whose classes have 8, 4, 2 or 1 members; elements drawn uniformly, whatever they fix;
// classes of elements of one weight each.
func TestDistinctFair(t *testing.T) {
	s := classes(t, "4x4", "domino=any")
	c := s.Classes
	const times = 9 * 1000
	tallies := func(tally map[string]int) (x []float64) {
		for _, n := range tally {
			x = append(x, float64(n))
		}
		return x
	}
	if got := tallies(members(t, s, 6, times)); len(got) != 9 || !accepts(got) {
		t.Errorf("fair draws are rejected: %v", got)
	}
	fixed := func(k int) int64 { return c.Classes[k].Compiled.Count().Int64() }
	drawn := func(k int, rng *rand.Rand) string {
		orbits, err := count.At(t.Context(), c.Classes[k].Compiled, big.NewInt(rng.Int64N(fixed(k))))
		if err != nil {
			t.Fatal(err)
		}
		var options []int
		for _, o := range orbits {
			options = append(options, c.Classes[k].Orbits[o]...)
		}
		slices.Sort(options)
		return fmt.Sprint(c.Canon.Least(options))
	}
	for name, class := range map[string]func(rng *rand.Rand) int{
		"uniform tilings": func(*rand.Rand) int { return 0 },
		"elements alike": func(rng *rand.Rand) int {
			at := rng.IntN(8)
			k := 0
			for ; at >= len(c.Classes[k].Elements); k++ {
				at -= len(c.Classes[k].Elements)
			}
			return k
		},
		"one element of each class": func(rng *rand.Rand) int {
			total := int64(0)
			for k := range c.Classes {
				total += fixed(k)
			}
			at, k := rng.Int64N(total), 0
			for ; at >= fixed(k); k++ {
				at -= fixed(k)
			}
			return k
		},
	} {
		rng := rand.New(sample.Seeded(7))
		tally := map[string]int{}
		for range times {
			k := class(rng)
			for fixed(k) == 0 {
				k = class(rng)
			}
			tally[drawn(k, rng)]++
		}
		if got := tallies(tally); accepts(got) {
			t.Errorf("%s: the test accepts %v", name, got)
		}
	}
}

func TestDistinctSeeds(t *testing.T) {
	d := classes(t, "8x8", "domino=any")
	first := fmt.Sprint(members(t, d, 7, 20))
	if again := fmt.Sprint(members(t, d, 7, 20)); first != again {
		t.Error("seed 7 gave two streams")
	}
	if other := fmt.Sprint(members(t, d, 8, 20)); first == other {
		t.Error("seeds 7 and 8 gave one stream")
	}
	none := classes(t, "3x3", "domino=any")
	if err := none.Check(); !errors.Is(err, sample.ErrEmpty) || none.Count().Sign() != 0 {
		t.Errorf("check of an empty family: %v", err)
	}
	for m := range draws(t, none, 1, 1) {
		t.Fatalf("drew %v from an empty family", m)
	}
	empty := classes(t, "o", "domino=any")
	if got := fmt.Sprint(members(t, empty, 1, 3)); got != "map[0 []:3]" {
		t.Errorf("drew %s from the empty tiling", got)
	}
}
