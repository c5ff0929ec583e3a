package verify

import (
	"slices"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/puzzletest"
)

// TestExcludeFromParts: variables are not options. In the formula of a part, variable 1
// stands for its first open option. Whatever solutions are excluded, the others stay.
func TestExcludeFromParts(t *testing.T) {
	for _, p := range []*cover.Problem{
		puzzletest.Inline(t, "2x4", "domino=any").Problem,
		puzzletest.Inline(t, "2x3", "domino=any", "monomino=any").Problem,
		painted(t),
	} {
		for o := range p.Options {
			w := wholePart(p)
			w = w.only(w.fits).with(o, noItem)
			all := solutionsOf(t, w)
			for k := range all {
				c := must(w.encode(t.Context(), 0, 0, 0))
				if err := c.Exclude(t.Context(), p, slices.Values(all[:k])); err != nil {
					t.Fatal(err)
				}
				if got := named(w, projected(t, c)); !equalLists(got, all[k:]) {
					t.Errorf("option %d chosen, without %v: %v is left, want %v", o, all[:k], got, all[k:])
				}
			}
		}
	}
}

// painted is the running example with dominoes of one colour: ab is blue, the others are red.
func painted(t *testing.T) *cover.Problem {
	p := *dominoes(t)
	p.Colours, p.Options = []string{"red", "blue"}, slices.Clone(p.Options)
	x := len(p.Items)
	p.Items = append(slices.Clone(p.Items), cover.Item{Name: "x", Max: 1})
	for o, option := range p.Options {
		p.Options[o] = append(slices.Clone(option), cover.Use{Item: x, Times: 1, Colour: 1})
	}
	p.Options[0][len(p.Options[0])-1].Colour = 2
	return &p
}

// solutionsOf are the solutions of a part, sorted.
func solutionsOf(t *testing.T, w *part) [][]int {
	t.Helper()
	return named(w, projected(t, must(w.encode(t.Context(), 0, 0, 0))))
}

// named are the models of a part's formula with the chosen options of the part.
func named(w *part, models [][]int) (solutions [][]int) {
	for _, m := range models {
		solution := slices.Concat(w.taken, m)
		slices.Sort(solution)
		solutions = append(solutions, solution)
	}
	slices.SortFunc(solutions, slices.Compare)
	return solutions
}

func equalLists(a, b [][]int) bool {
	return slices.EqualFunc(a, b, slices.Equal[[]int])
}
