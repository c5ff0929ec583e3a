package search

import (
	"errors"
	"slices"
	"testing"

	"github.com/pavage/pavage/cover"
)

func listed(t *testing.T, p *cover.Problem, l Listing, limit int) (solutions [][]int) {
	t.Helper()
	err := Each(t.Context(), p, l, func(options []int) bool {
		solutions = append(solutions, slices.Clone(options))
		return len(solutions) < limit
	})
	if err != nil {
		t.Fatal(err)
	}
	return solutions
}

// TestCursor resumes a list after each solution, whose options are given in any order. The list is
// the same in every run.
func TestCursor(t *testing.T) {
	for _, test := range []struct {
		puzzle string
		limit  int
		want   int
	}{
		{"{board: 3x20, pieces: [pentominoes]}", 100, 8},
		{"{board: 3x3x3, pieces: [soma]}", 50, 50},
	} {
		p := model(t, test.puzzle)
		group := p.Symmetries
		for _, l := range []Listing{{}, {Group: group}} {
			all := listed(t, p, l, test.limit)
			if again := listed(t, p, l, test.limit); !slices.EqualFunc(again, all, slices.Equal) {
				t.Errorf("%s: another order in another run", test.puzzle)
			}
			if want := test.want; l.Group == nil && len(all) != want || l.Group != nil && want == 8 && len(all) != 2 {
				t.Errorf("%s: %d solutions, want %d, or classes, of which 3x20 has 2", test.puzzle, len(all), want)
			}
			for k, after := range all {
				slices.Reverse(after)
				l.After = after
				if rest := listed(t, p, l, max(1, test.limit-k-1)); k+1 < test.limit && !slices.EqualFunc(rest, all[k+1:], slices.Equal) {
					t.Errorf("%s: behind solution %d come %v, want %v", test.puzzle, k, rest, all[k+1:])
				}
				if !slices.IsSortedFunc(after, func(a, b int) int { return b - a }) {
					t.Errorf("%s: the cursor was changed to %v", test.puzzle, after)
				}
			}
		}
	}
}

func TestCursorNoSolution(t *testing.T) {
	p := model(t, "{board: 3x20, pieces: [pentominoes]}")
	good := listed(t, p, Listing{}, 1)[0]
	for name, after := range map[string][]int{
		"none": {}, "part": good[1:], "twice": append(slices.Clone(good), good[0]),
		"beyond": append(slices.Clone(good[1:]), len(p.Options)), "negative": append(slices.Clone(good[1:]), -1),
	} {
		err := Each(t.Context(), p, Listing{After: after}, func([]int) bool { return true })
		if !errors.Is(err, cover.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
