package count

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/pavage/pavage/internal/facts"
	"github.com/pavage/pavage/tiling"
)

// beyond are the rows that the sweep does not do in two minutes and 4 GiB on
// two cores; they wait for other engines.
var beyond = map[string]bool{
	"bedlam":            true,
	"tetris-cube":       true,
	"solid-3x4x5":       true, // 4 GiB
	"tetrominoes-12x12": true, // 3.7 minutes
}

// long are the rows of over ten seconds, left out of -short.
var long = map[string]bool{"pent-8x8-O4": true, "solid-2x5x6": true}

// TestFacts counts every published row by the sweep.
func TestFacts(t *testing.T) {
	for _, row := range facts.Counts() {
		if beyond[row.ID] || !row.HasPuzzle() || testing.Short() && long[row.ID] {
			continue
		}
		t.Run(row.ID, func(t *testing.T) {
			p, err := tiling.Parse(row.ID, []byte(row.Puzzle))
			if err != nil {
				t.Fatal(err)
			}
			m, err := p.Model(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			r, err := Count(context.Background(), m.Problem, Options{Engine: Sweep, Memory: 4 << 30})
			if err != nil {
				t.Fatal(err)
			}
			if r.Count.Cmp(row.Count) != 0 {
				t.Errorf("counted %v, published %v", r.Count, row.Count)
			}
		})
	}
}

// TestGrids counts the published rectangles of at most eight rows.
func TestGrids(t *testing.T) {
	for _, g := range facts.Grids() {
		if g.Rows > 8 {
			continue
		}
		var pieces []string
		for _, name := range g.Pieces {
			pieces = append(pieces, name+"=any")
		}
		p, err := tiling.Inline(fmt.Sprintf("%dx%d", g.Rows, g.Columns), pieces, "", "")
		if err != nil {
			t.Fatal(err)
		}
		m, err := p.Model(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		r, err := Count(context.Background(), m.Problem, Options{Engine: Sweep})
		if err != nil {
			t.Fatal(err)
		}
		if r.Count.Cmp(g.Count) != 0 {
			t.Errorf("%dx%d %s: counted %v, published %v", g.Rows, g.Columns, strings.Join(g.Pieces, " "), r.Count, g.Count)
		}
	}
}
