package job

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// TestMarginalsOf: with selectors, the answer has only their placements, with the same numbers.
func TestMarginalsOf(t *testing.T) {
	ask := func(q *Query) *Queried {
		t.Helper()
		q.Puzzle = Puzzle{Board: "4x4", Pieces: []string{"L3=any", "monomino=any"}}
		if err := Validate(q); err != nil {
			t.Fatal(err)
		}
		answer, err := Do(t.Context(), q, Limits{}, Watch{})
		if err != nil {
			t.Fatal(err)
		}
		return answer
	}
	for _, by := range []string{byPieces, byOrientations, byKinds} {
		for _, correlate := range []string{"", "0,0=monomino"} {
			all := ask(&Query{Marginals: by, Correlate: correlate})
			some := ask(&Query{Marginals: by, Correlate: correlate, Of: []string{"L3:2", "L3:3"}})
			if len(some.Groups) == 0 || len(some.Groups) >= len(all.Groups) {
				t.Errorf("%s: groups %q of %q", by, some.Groups, all.Groups)
			}
			for c, cell := range some.Cells {
				if keys := slices.Collect(maps.Keys(cell.By)); len(keys) != len(some.Groups) {
					t.Errorf("%s: cell %v has %q", by, cell.Cell, keys)
				}
				for _, name := range some.Groups {
					if by != byPieces && cell.By[name] != all.Cells[c].By[name] || correlate != "" && by != byPieces && cell.Excess[name] != all.Cells[c].Excess[name] {
						t.Errorf("%s: cell %v, %s: %s, want %s", by, cell.Cell, name, cell.By[name], all.Cells[c].By[name])
					}
				}
			}
		}
	}
	all, some := ask(&Query{Marginals: byPlacements}), ask(&Query{Marginals: byPlacements, Of: []string{"#3"}})
	if len(some.Placements) != 1 || some.Placements[0].Count != all.Placements[3].Count || len(some.Cells[0].By) > 1 {
		t.Errorf("%v", some.Placements)
	}
	for want, q := range map[string]*Query{
		"of is given": {Unrank: []string{"0"}, Of: []string{"L3"}},
		"no piece":    {Marginals: byPieces, Of: []string{"X5"}},
	} {
		q.Puzzle = Puzzle{Board: "4x4", Pieces: []string{"L3=any", "monomino=any"}}
		err := Validate(q)
		if err == nil {
			_, err = Do(t.Context(), q, Limits{}, Watch{})
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// TestCorrelateOnePiece: if a puzzle has one piece, correlate has the orientations, since the piece
// covers every cell; but marginals are by pieces.
func TestCorrelateOnePiece(t *testing.T) {
	for _, c := range []struct {
		pieces []string
		of     string
		want   []string
	}{
		{[]string{"domino=any"}, "0,0=domino:1", []string{"domino:1", "domino:2"}},
		{[]string{"O4=any"}, "0,0", []string{"O4"}},
		{[]string{"domino=any", "O4=any"}, "0,0=domino:1", []string{"domino", "O4"}},
	} {
		p := Puzzle{Board: "4x4", Pieces: c.pieces}
		a, err := Do(t.Context(), &Query{Puzzle: p, Correlate: c.of}, Limits{}, Watch{})
		if err != nil || !slices.Equal(a.Groups, c.want) {
			t.Errorf("%v: %v, %v, want %v", c.pieces, a.Groups, err, c.want)
		}
		b, err := Do(t.Context(), &Query{Puzzle: p, Marginals: byPieces}, Limits{}, Watch{})
		if err != nil || len(b.Groups) != len(c.pieces) {
			t.Errorf("%v: %v, %v", c.pieces, b.Groups, err)
		}
	}
}
