package count

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pavage/pavage/bdd"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/oracle"
)

// given lists solutions in a random order, in one slice used again and again.
func given(solutions [][]int) lister {
	return func(_ context.Context, o Options, yield func([]int) bool) error {
		rng := rand.New(rand.NewPCG(uint64(len(solutions)), 6))
		var room []int
		for n, k := range rng.Perm(len(solutions)) {
			if o.Progress != nil {
				o.Progress(Progress{Fraction: float64(n) / float64(len(solutions))})
			}
			room = append(room[:0], solutions[k]...)
			if !yield(room) {
				return nil
			}
		}
		return nil
	}
}

// solutionsOf are all the sets of options of a diagram.
func solutionsOf(c *Compiled) (solutions [][]int) {
	for set := range c.Diagram.AllSets() {
		options := make([]int, len(set))
		for i, v := range set {
			options[i] = c.Options[v]
		}
		slices.Sort(options)
		solutions = append(solutions, options)
	}
	return solutions
}

func sameCompiled(t *testing.T, name any, got, want *Compiled) {
	t.Helper()
	if !slices.Equal(got.Options, want.Options) || !got.Diagram.Equal(want.Diagram) ||
		got.Result.Count.Cmp(want.Result.Count) != 0 || got.Result.Nodes != want.Result.Nodes || got.Result.Engine != Diagram {
		t.Errorf("%v: %d variables, %+v, the frontier's diagram has %d variables, %+v",
			name, len(got.Options), got.Result, len(want.Options), want.Result)
	}
}

// TestListedBoards: the diagram of listed tilings equals the frontier's diagram, to the last node.
func TestListedBoards(t *testing.T) {
	for _, c := range [][]string{
		{"3x20", "pentominoes"},
		{"4x15", "pentominoes"},
		{"6x6", "domino=any"},
		{"3x3x3", "soma"},
		{"3x4", "domino=any", "monomino=0..4"},
		{"3x5", "pentominoes"}, // none
	} {
		p := inline(t, c[0], c[1:]...)
		want, err := compileSwept(t.Context(), p, Options{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := compileListed(t.Context(), p, Options{}, given(solutionsOf(want)))
		if err != nil {
			t.Fatal(err)
		}
		sameCompiled(t, c, got, want)
	}
}

// TestListedCovers is the same for random covers, the oracle's solutions.
func TestListedCovers(t *testing.T) {
	for seed := range *covers {
		rng := rand.New(rand.NewPCG(seed, 7))
		p := oracle.Random(rng)
		if seed%2 == 1 {
			p = oracle.RandomGrid(rng)
		}
		solutions, err := oracle.Solutions(p)
		if err != nil {
			t.Fatal(err)
		}
		want, err := compileSwept(t.Context(), p, Options{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := compileListed(t.Context(), p, Options{}, given(solutions))
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text(p))
		}
		if sameCompiled(t, seed, got, want); t.Failed() {
			t.Fatal(text(p))
		}
	}
}

// TestListedErrors: errors of the lister, of the listed solutions, and of the limits.
func TestListedErrors(t *testing.T) {
	p := inline(t, "8x8", "domino=any")
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		ctx    context.Context
		memory int64
		list   [][]int
		want   error
	}{
		"memory":        {t.Context(), 1 << 16, [][]int{{1, 2}}, cover.ErrMemory},
		"listed twice":  {t.Context(), 0, [][]int{{1, 2}, {1, 2}}, bdd.ErrInvalid},
		"unlike a set":  {t.Context(), 0, [][]int{{2, 2}}, bdd.ErrInvalid},
		"the context's": {cancelled, 0, [][]int{{1}}, context.Canceled},
	} {
		if _, err := compileListed(c.ctx, p, Options{Limits: Limits{Memory: c.memory}}, given(c.list)); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	broken := errors.New("broken")
	list := func(context.Context, Options, func([]int) bool) error { return broken }
	if _, err := compileListed(t.Context(), p, Options{}, list); !errors.Is(err, broken) {
		t.Errorf("the lister's: %v", err)
	}
	// An option that uses an item more often than it may be.
	p = &cover.Problem{Items: []cover.Item{{Min: 0, Max: 1}}, Options: []cover.Option{{{Item: 0, Times: 2}}}}
	if c, err := compileListed(t.Context(), p, Options{}, given([][]int{{0}})); err == nil {
		t.Errorf("an option of no variable: %+v", c.Result)
	}
}

// TestListedProgress: the listing's and the diagram's are one rise to 1.
func TestListedProgress(t *testing.T) {
	p := inline(t, "6x6", "domino=any")
	c, err := compileSwept(t.Context(), p, Options{})
	if err != nil {
		t.Fatal(err)
	}
	last, calls := -1.0, 0
	report := func(p Progress) {
		if p.Fraction < last || p.Fraction > 1 || p.Step > p.Steps {
			t.Errorf("%+v after %v", p, last)
		}
		last = p.Fraction
		calls++
	}
	got, err := compileListed(t.Context(), p, Options{Watch: Watch{Progress: report}}, given(solutionsOf(c)))
	if err != nil {
		t.Fatal(err)
	}
	if last != 1 || calls < 6728 || got.Result.Bytes < got.Diagram.Bytes() {
		t.Errorf("ended at %v after %d calls, %d bytes", last, calls, got.Result.Bytes)
	}
}
