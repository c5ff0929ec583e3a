package differential

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/pavage/pavage/cover"
)

func TestParts(t *testing.T) {
	for _, test := range []struct {
		n    int
		want []pair
	}{
		{0, nil},
		{1, nil},
		{2, []pair{{0, 1}, {1, 2}}},
		{5, []pair{{0, 2}, {2, 4}, {4, 5}, {0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}}},
	} {
		if got := parts(test.n); !slices.Equal(got, test.want) {
			t.Errorf("parts of %d: %v, want %v", test.n, got, test.want)
		}
	}
}

// TestShrink has a check that any option of three items upsets: one is left,
// of a cover or of a puzzle.
func TestShrink(t *testing.T) {
	three := Check{Name: "three", Every: 1, run: func(_ context.Context, s *subject) error {
		for _, o := range s.Problem.Options {
			if len(o) >= 3 {
				return errors.New("an option of three items")
			}
		}
		return nil
	}}
	boards := three
	boards.Scope = Puzzles
	done := map[Kind]int{}
	for seed := range uint64(100) {
		c, err := FromSeed(seed)
		if err != nil {
			t.Fatal(err)
		}
		h := &Harness{Engines: Pavage(), Checks: []Check{three}}
		if c.puzzle != nil && seed%2 == 0 {
			h.Checks[0] = boards
		}
		for _, d := range h.Case(t.Context(), c, nil, Tally{}) {
			done[c.Kind]++
			p := d.Shrunk.Problem
			hints := len(p.Orders)+len(p.Symmetries) > 0 && d.Shrunk.puzzle == nil
			if len(p.Items) != 3 || len(p.Options) != 1 || hints {
				t.Errorf("seed %d was shrunk to\n%v", seed, d)
			}
		}
	}
	if len(done) < 4 {
		t.Errorf("only %v came up", done)
	}
}

// TestCutsAreSmaller or the shrinker would not end.
func TestCutsAreSmaller(t *testing.T) {
	for seed := range uint64(100) {
		c, err := FromSeed(seed)
		if err != nil {
			t.Fatal(err)
		}
		for _, cut := range c.cuts() {
			if size(cut) >= size(c) {
				t.Fatalf("%v\nwas cut to\n%v", c, cut)
			}
		}
	}
}

// size is a number that every cut makes smaller.
func size(c *Case) (n int) {
	if p := c.puzzle; p != nil {
		for _, b := range p.cells {
			n += map[byte]int{'.': 1, '#': 2, 'o': 3}[b]
		}
		for _, s := range p.shapes {
			n += 5*len(s.cells) + min(1, len(s.motions))
			if s.least > 0 || s.most != unlimited {
				n++
			}
		}
		if p.atMost {
			n++
		}
		return n + min(1, len(p.motions))
	}
	p := c.Problem
	if c.padding != nil {
		p, n = c.padding.inner, 3*len(c.padding.pads)
	}
	n += len(p.Items) + len(p.Orders) + min(1, len(p.Symmetries))
	for _, i := range p.Items {
		n += i.Min
		if i.Max != cover.Unbounded {
			n += i.Max
		}
	}
	for _, o := range p.Options {
		n++
		for _, u := range o {
			n += int(u.Times)
		}
	}
	return n
}
