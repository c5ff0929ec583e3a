package count

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/pavage/pavage/internal/test/facts"
	"github.com/pavage/pavage/internal/test/puzzletest"
	"github.com/pavage/pavage/internal/test/testkit"
	"github.com/pavage/pavage/tiling"
	"github.com/pavage/pavage/tiling/puzzlefile"
)

// Rows that are not counted in every run.
var (
	// slow run for seconds: left out of -short.
	slow = leaveOut("right-trominoes-18x18")
	// long run for ten seconds by all engines, or some up to symmetry: left to the long run.
	long = leaveOut("solid-3x4x5", "bedlam", "tetris-cube", "tetrominoes-10x10", "tetrominoes-12x12", "integer-squares-16x16", "nonominoes-6x6")
	// once are counted by TestDistinctFacts alone, which has their count as well.
	once = leaveOut("bedlam", "tetris-cube", "pent-8x8-O4")
)

// skipped reports whether this run leaves the row out.
func skipped(row facts.Row) bool {
	return long[row.ID] && !testkit.IsLong() || slow[row.ID] && testing.Short()
}

func leaveOut(rows ...string) map[string]bool {
	out := map[string]bool{}
	for _, id := range rows {
		out[id] = true
	}
	return out
}

// TestFacts counts every published row by auto, and by sweep and search where they run for no more
// than a few seconds.
func TestFacts(t *testing.T) {
	// Those of ten seconds or more.
	sweep := leaveOut("pent-8x8-O4", "solid-2x5x6", "solid-3x4x5")
	search := leaveOut("squares-0..7-10x10", "squares-0..7-11x11", "triangles-0..7-9x7", "mdt-8x8",
		"dominoes-14x14", "dominoes-16x16", "dominoes-18x18", "dominoes-20x20", "monomer-dimer-16x16", "tetrominoes-8x8", "tetrominoes-10x10",
		"tetrominoes-12x12", "right-trominoes-12x12", "right-trominoes-18x18", "integer-squares-16x16")
	for _, row := range facts.Counts() {
		if once[row.ID] || skipped(row) {
			continue
		}
		t.Run(row.ID, func(t *testing.T) {
			m := puzzletest.Parse(t, row.Puzzle)
			auto := countFact(t, row, m, Auto)
			if auto.Engine != Sweep && !sweep[row.ID] {
				countFact(t, row, m, Sweep)
			}
			if auto.Engine != Search && !search[row.ID] {
				countFact(t, row, m, Search)
			}
		})
	}
}

func countFact(t *testing.T, row facts.Row, m *tiling.Model, e Engine) *Result {
	t.Helper()
	r, err := Count(context.Background(), m.Problem, e, Options{Limits: Limits{Memory: 4 << 30}})
	if err != nil {
		t.Fatalf("%s: %v", e, err)
	}
	if r.Count.Cmp(row.Count) != 0 {
		t.Errorf("%s counts %v, published %v", e, r.Count, row.Count)
	}
	return r
}

// TestGrids counts the published rectangles of few rows.
func TestGrids(t *testing.T) {
	testkit.Serial(t)
	rows := testkit.Size(7, 8)
	for _, g := range facts.Grids() {
		if g.Rows > rows {
			continue
		}
		var pieces []string
		for _, name := range g.Pieces {
			pieces = append(pieces, name+"=any")
		}
		p, err := puzzlefile.Inline(fmt.Sprintf("%dx%d", g.Rows, g.Columns), pieces, "", "")
		if err != nil {
			t.Fatal(err)
		}
		m, err := p.Model(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		r, err := Count(context.Background(), m.Problem, Sweep, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if r.Count.Cmp(g.Count) != 0 {
			t.Errorf("%dx%d %s: counted %v, published %v", g.Rows, g.Columns, strings.Join(g.Pieces, " "), r.Count, g.Count)
		}
	}
}
