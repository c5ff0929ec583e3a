package count

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/pavage/pavage/internal/facts"
	"github.com/pavage/pavage/tiling"
)

// beyond are the rows that no sweep does in two minutes and 4 GiB; they wait
// for other engines.
var beyond = map[string]bool{}

// TestFacts counts every published row by the sweep.
func TestFacts(t *testing.T) {
	for _, row := range facts.Counts() {
		if beyond[row.ID] || !row.HasPuzzle() {
			continue
		}
		t.Run(row.ID, func(t *testing.T) {
			p, err := tiling.Parse(row.ID, []byte(row.Puzzle))
			if err != nil {
				t.Fatal(err)
			}
			m, err := p.Model()
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(context.Background(), 100*time.Second)
			defer cancel()
			r, err := Count(ctx, m.Problem, Options{Engine: Sweep, Memory: 4 << 30})
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
		m, err := p.Model()
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
