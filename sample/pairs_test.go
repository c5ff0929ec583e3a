package sample_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/internal/test/puzzletest"
	"github.com/pavage/pavage/internal/test/testkit"
	"github.com/pavage/pavage/sample"
	"github.com/pavage/pavage/tiling"
)

// ragged returns a drawing of a rectangle with holes and bays of one, two or four cells.
func ragged(rng *rand.Rand) string {
	rows, columns := 18+rng.IntN(8), 18+rng.IntN(8)
	all := make([][]byte, rows)
	for r := range all {
		all[r] = []byte(strings.Repeat("#", columns))
	}
	for range rng.IntN(12) {
		r, c := rng.IntN(rows-1), rng.IntN(columns-1)
		if rng.IntN(2) == 0 {
			r = 0
		}
		for i := range 1 + rng.IntN(2) {
			for k := range 1 + rng.IntN(2) {
				all[r+i][c+k] = '.'
			}
		}
	}
	lines := make([]string, rows)
	for r, line := range all {
		lines[r] = string(line)
	}
	return strings.Join(lines, "/")
}

// TestPairs compares the draws of FromPairs with the draws of From, for all methods.
func TestPairs(t *testing.T) {
	t.Parallel()
	models := []*tiling.Model{
		puzzletest.Inline(t, "4x4", "domino=any"), puzzletest.Inline(t, "12x30", "domino=any"), // too narrow for auto
		puzzletest.Inline(t, "17x20", "2x1=any"), puzzletest.Inline(t, "20x18", "domino=any"), puzzletest.Inline(t, "19x19", "domino=any"),
	}
	for _, n := range []int{1, 2, 5, 9, 10, 12, 15, 16, 17, 20, 30} {
		models = append(models, puzzletest.Inline(t, fmt.Sprintf("diamond:%d", n), "domino=any"))
	}
	for _, sides := range []string{"2", "9,9,9", "3,20,12"} {
		models = append(models, puzzletest.Inline(t, "hexagon:"+sides, "lozenge=any"))
	}
	rng := rand.New(rand.NewPCG(11, 29))
	for range testkit.Size(60, 600) {
		models = append(models, puzzletest.Inline(t, ragged(rng), "domino=any"))
	}
	compared := map[sample.Method]int{}
	for _, m := range models {
		pairs := tiling.NewPairs(m.Puzzle)
		for _, method := range []sample.Method{sample.Auto, sample.ByDimer, sample.ByShuffling, sample.ByTrees, sample.ByCoupling} {
			o := count.Options{Limits: count.Limits{Threads: 1}}
			s, err := sample.FromPairs(t.Context(), pairs.Places, pairs.Ends, method, o)
			if err != nil || s == nil {
				continue // From decides
			}
			want, err := sample.From(t.Context(), m.Problem, sample.Request{Method: method, Unranked: true}, o)
			if err != nil {
				t.Fatalf("%d cells, %s: %v", len(m.Puzzle.Board.Cells), method, err)
			}
			if s.Method != want.Method || s.Reason != want.Reason || s.Check() != want.Check() {
				t.Errorf("%d cells, %s: %s since %s, expected %s since %s", len(m.Puzzle.Board.Cells), method, s.Method, s.Reason, want.Method, want.Reason)
			}
			compared[method]++
			of := slices.Collect(draws(t, want, 7, 3))
			for d := range draws(t, s, 7, 3) {
				if !slices.Equal(d.Options, of[0].Options) {
					t.Fatalf("%d cells, %s: drew %v, expected %v", len(m.Puzzle.Board.Cells), method, d.Options, of[0].Options)
				}
				of = of[1:]
			}
			if len(of) > 0 {
				t.Errorf("%d cells, %s: %d draws are missing", len(m.Puzzle.Board.Cells), method, len(of))
			}
		}
	}
	for _, method := range []sample.Method{sample.Auto, sample.ByDimer, sample.ByShuffling, sample.ByCoupling} {
		if compared[method] < 10 {
			t.Errorf("%s: %d boards compared", method, compared[method])
		}
	}
	t.Log(compared)
}
