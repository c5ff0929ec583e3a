package facts

import (
	"fmt"
	"math/big"
	"reflect"
	"strings"
	"testing"
)

func TestCounts(t *testing.T) {
	rows := Counts()
	if len(rows) != 68 {
		t.Errorf("%d rows, want 68", len(rows))
	}
	ids := map[string]bool{}
	for _, r := range rows {
		if r.ID == "" || ids[r.ID] || r.Puzzle == "" || r.Source == "" || r.Count == nil && r.Distinct == nil {
			t.Errorf("row %+v: want a new id, a puzzle, a source and a number", r)
		}
		ids[r.ID] = true
		if (r.Distinct == nil) != (r.Group == "") {
			t.Errorf("%s: distinct %v under group %q, want both or neither", r.ID, r.Distinct, r.Group)
		}
		if r.Count != nil && r.Distinct != nil && r.Count.Cmp(r.Distinct) < 0 {
			t.Errorf("%s: %v tilings, but %v distinct ones", r.ID, r.Count, r.Distinct)
		}
	}
}

func TestRunningExample(t *testing.T) {
	want := Row{
		ID: "dominoes-4x4", Puzzle: "{board: 4x4, pieces: [{name: domino, copies: any}]}",
		Count: big.NewInt(36), Distinct: big.NewInt(9), Group: "D4", Source: "OEIS A004003",
	}
	for _, r := range Counts() {
		if r.ID == want.ID {
			if !reflect.DeepEqual(r, want) {
				t.Errorf("got %+v, want %+v", r, want)
			}
			return
		}
	}
	t.Errorf("no row %s", want.ID)
}

func TestGrids(t *testing.T) {
	grids := Grids()
	if len(grids) != 637 {
		t.Errorf("%d rows, want 637", len(grids))
	}
	seen := map[string]bool{}
	for _, g := range grids {
		if len(g.Pieces) == 0 || g.Rows < 1 || g.Columns < 1 || g.Count == nil {
			t.Errorf("row %+v: want pieces, a size and a count", g)
		}
		key := fmt.Sprint(g.Pieces, g.Rows, g.Columns)
		if seen[key] {
			t.Errorf("%s occurs twice", key)
		}
		seen[key] = true
	}
	want := Grid{Pieces: []string{"L3", "O4"}, Rows: 2, Columns: 5, Count: big.NewInt(4)}
	if !reflect.DeepEqual(grids[3], want) {
		t.Errorf("row 3 is %+v, want %+v", grids[3], want)
	}
}

func TestMalformed(t *testing.T) {
	const counts, grids = "id\tpuzzle\tcount\tdistinct\tgroup\tsource\n", "pieces_any_copies\trows\tcolumns\tcount\n"
	for table, want := range map[string]string{
		"":                          "counts.tsv:1: 1 columns",
		"a\tb\tc\td\te\tf":          "counts.tsv:1: 6 columns",
		counts + "a\tb\t1":          "counts.tsv:2: 3 columns",
		counts + counts:             "counts.tsv:2: 6 columns",
		counts + "a\tb\tx\t\t\ts":   `counts.tsv:2: count "x" is not a number, expected decimal digits`,
		counts + "a\tb\t1\t-1\t\ts": `counts.tsv:2: count "-1" is not a number, expected decimal digits`,
	} {
		if _, err := parseCounts(table); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", table, err, want)
		}
	}
	for table, want := range map[string]string{
		grids + "L3\tx\t2\t1":  "grid-tilings.tsv:2: ",
		grids + "L3\t2\tx\t1":  "grid-tilings.tsv:2: ",
		grids + "L3\t2\t2\t":   "grid-tilings.tsv:2: no count",
		grids + "L3\t2\t2\t1.": "grid-tilings.tsv:2: count",
	} {
		if _, err := parseGrids(table); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", table, err, want)
		}
	}
}
