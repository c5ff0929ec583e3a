package query

import (
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/oracle"
	"github.com/pavage/pavage/internal/test/puzzletest"
	"github.com/pavage/pavage/tiling"
)

// TestSelectors: each selector names the placements that a scan of all placements finds.
func TestSelectors(t *testing.T) {
	m := puzzletest.Parse(t, "{board: 3x4, pieces: [{name: L+1, cells: [[0,0],[1,0],[1,1]], copies: any}, {name: a@b, shape: \"##\", copies: any}, {name: \"7\", shape: \"###\", copies: any}]}")
	x := Of(m)
	at := func(c int) func(tiling.Placement, int) bool {
		return func(p tiling.Placement, _ int) bool { return slices.Contains(p.Cells, c) }
	}
	piece := func(k int) func(tiling.Placement, int) bool {
		return func(p tiling.Placement, _ int) bool { return p.Piece == k }
	}
	both := func(a, b func(tiling.Placement, int) bool) func(tiling.Placement, int) bool {
		return func(p tiling.Placement, i int) bool { return a(p, i) && b(p, i) }
	}
	either := func(a, b func(tiling.Placement, int) bool) func(tiling.Placement, int) bool {
		return func(p tiling.Placement, i int) bool { return a(p, i) || b(p, i) }
	}
	row := func(r int) func(tiling.Placement, int) bool {
		return either(either(at(4*r), at(4*r+1)), either(at(4*r+2), at(4*r+3)))
	}
	column := func(c int) func(tiling.Placement, int) bool { return either(either(at(c), at(4+c)), at(8+c)) }
	first := func(cells ...int) func(tiling.Placement, int) bool {
		return func(p tiling.Placement, _ int) bool { return slices.Contains(cells, slices.Min(p.Cells)) }
	}
	standing := func(p tiling.Placement, _ int) bool { return p.Piece == 1 && p.Cells[1] == p.Cells[0]+4 }
	for selector, want := range map[string]func(tiling.Placement, int) bool{
		"L+1": piece(0), "a@b": piece(1), "7": piece(2), "1,2": at(6), "L+1@1,2": both(piece(0), at(6)), "1,2=a@b": both(piece(1), at(6)),
		"a@b@0,0": both(piece(1), at(0)), "#7": func(_ tiling.Placement, i int) bool { return i == 7 }, "12": nil,
		"a@b:2": standing, "a@b:2@0,1": both(standing, at(1)), "0,1=a@b:2": both(standing, at(1)),
		"1,*": row(1), "*,3": column(3), "7@1,0..1": both(piece(2), either(at(4), at(5))), "0..1,1=a@b": both(piece(1), either(at(1), at(5))), "1..2,2..3": either(either(at(6), at(7)), either(at(10), at(11))),
		"a@b@0,0/0,1": both(piece(1), both(at(0), at(1))), "L+1@1,0/0,0/1,1": both(both(piece(0), at(4)), both(at(0), at(5))), "a@b:2@0,1/1,1": both(standing, both(at(1), at(5))),
		"0,1/1,1=a@b": both(piece(1), both(at(1), at(5))), "7@0,1/0,*": both(piece(2), at(1)), "L+1@0,0/0,0": both(piece(0), at(0)),
		"a@b@0,0/": nil, "a@b@/0,0": nil, "a@b@0,0//0,1": nil, "a@b@0,0/9,9": nil, "0,0/0,1": nil, "a@b@0,0/0,1/0,0/0,1": nil, "c@0,0/0,1": nil,
		"1mod2,*": row(1), "*,1 mod 2": either(column(1), column(3)), "0mod2,3mod4": either(at(3), at(11)), "L+1@1mod3,1..2": both(piece(0), either(at(5), at(6))),
		"a@b@@0,1": both(piece(1), first(1)), "7@@*,0mod2": both(piece(2), first(0, 2, 4, 6, 8, 10)), "a@b:2@@1mod2,*": both(standing, first(4, 5, 6, 7)), "@1,0..1=L+1": both(piece(0), first(4, 5)),
		"0mod0,*": nil, "2mod2,*": nil, "-1mod2,*": nil, "1mod,*": nil, "mod2,*": nil, "5mod7,0": nil, "0mod99999999999999999999,*": nil, "a@b@@": nil, "a@b@@@0,0": nil, "c@@0,0": nil, "@@0,0": nil, "@0,0": nil, "a@b@@0,0/0,1": nil, "a@b@@9,9": nil, "1mod2mod3,*": nil,
		"a@b:2@*,0": both(standing, column(0)), "3,*": nil, "1..0,0": nil, "*": nil, "7@*": nil, "0,x..y": nil, "0,0..": nil, "*,*,*": nil, "*..2,0": nil,
	} {
		got, err := x.Options(selector)
		if want == nil {
			if err == nil {
				t.Errorf("%s: %v, want an error", selector, got)
			}
			continue
		}
		var all []int
		for i, p := range m.Placements {
			if want(p, i) {
				all = append(all, i)
			}
		}
		if err != nil || !slices.Equal(got, all) || len(all) == 0 {
			t.Errorf("%s: %v, %v, want %v", selector, got, err, all)
		}
	}
	got, err := x.Options("7+#0")
	if want, _ := x.Options("7"); err != nil || !slices.Equal(got, append([]int{0}, want...)) {
		t.Errorf("7+#0: %v, %v", got, err)
	}
}

// TestNamesWithSlashes: the name of a cell is not split, and the longest name is meant.
func TestNamesWithSlashes(t *testing.T) {
	m := puzzletest.Parse(t, "{board: [\"a b a/b\", \"c/ / 0,0\", \"x@y 1=2 b/c/\"], pieces: [{name: p, shape: \"###\", copies: any}, {name: d, shape: \"##\", copies: any}]}")
	for selector, want := range map[string][]int{
		"p@a/b": {2}, "p@a/b/a": {0, 2}, "p@b/a": {0, 1}, "p@c/": {3}, "p@c//0,2": {2, 3}, "p@/": {4}, "p@//c/": {3, 4}, "p@x@y/1=2": {6, 7}, "d@b/c/": {8}, "d@1=2/b/c/": {7, 8}, "p@0,0/c/": {3, 5},
	} {
		got, err := Of(m).Options(selector)
		if err != nil {
			t.Errorf("%s: %v", selector, err)
		}
		var all []int
		for i, p := range m.Placements {
			has := func(c int) bool { return slices.Contains(p.Cells, c) }
			if m.Puzzle.Pieces[p.Piece].Name == selector[:1] && !slices.ContainsFunc(want, func(c int) bool { return !has(c) }) {
				all = append(all, i)
			}
		}
		if !slices.Equal(got, all) {
			t.Errorf("%s: %v, want %v", selector, got, all)
		}
	}
}

// TestPlacementsByCells: all cells of a placement are that placement.
func TestPlacementsByCells(t *testing.T) {
	for _, text := range []string{
		"{board: 4x5, pieces: [pentominoes, {name: gap, cells: [[0,0],[0,2]]}]}", "{board: 3x3x3, pieces: [soma]}", "{lattice: hexagon, board: 3x4, wrap: both, pieces: [trihexes]}",
		"{board: [a b c, 1 2 3], open: [c], pieces: [domino, L3]}",
	} {
		m := puzzletest.Parse(t, text)
		x := Of(m)
		for i, p := range m.Placements {
			var cells []string
			for _, c := range p.Cells {
				cells = append(cells, strings.Trim(strings.ReplaceAll(fmt.Sprint(m.Puzzle.Board.Lattice.Coordinates(m.Puzzle.Board.Cells[c])), " ", ","), "[]"))
			}
			selector := m.Puzzle.Pieces[p.Piece].Name + "@" + strings.Join(cells, "/")
			if got, err := x.Options(selector); err != nil || !slices.Equal(got, []int{i}) {
				t.Fatalf("%s: %v, %v, want %d", selector, got, err, i)
			}
		}
	}
}

// TestConditionsTwin: on small boards of each lattice, also some that wrap, the solutions with
// pieces apart are the solutions in which a scan of all pairs of cells finds no neighbours.
func TestConditionsTwin(t *testing.T) {
	some := 0
	for _, text := range []string{
		"{board: 3x4, pieces: [{name: A, cells: [[0,0],[1,0],[1,1]], copies: 0..2}, {name: B, shape: \"##\", copies: any}]}",
		"{board: 3x3, wrap: both, pieces: [{name: A, shape: \"###\", copies: 0..2}, {name: B, shape: \"#\", copies: any}]}",
		"{board: 2x2x2, pieces: [{name: A, shape: \"##\", copies: 0..3}, {name: B, shape: \"#\", copies: any}]}",
		"{lattice: hexagon, board: 2x4, pieces: [{name: A, cells: [[0,0],[0,1]], copies: 0..3}, {name: B, cells: [[0,0]], copies: any}]}",
		"{lattice: triangle, board: 2x4, pieces: [{name: A, cells: [[0,0],[0,1]], copies: 0..3}, {name: B, cells: [[0,0]], copies: any}]}",
	} {
		m := puzzletest.Parse(t, text)
		all, err := oracle.Solutions(m.Problem)
		if err != nil {
			t.Fatal(err)
		}
		for _, pair := range []string{"A,B", "B,A", "A,A", "B,B"} {
			bounds, err := Of(m).Apart(pair)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range all {
				kept := !slices.ContainsFunc(bounds, func(b cover.Bound) bool { return !b.IsKept(s) })
				if touch := touches(t, m, s, int(pair[0]-'A'), int(pair[2]-'A')); kept == touch {
					t.Fatalf("%s %s: solution %v keeps the bounds: %v, has pieces that touch: %v", text, pair, s, kept, touch)
				}
				if kept {
					some++
				}
			}
		}
	}
	if some < 100 {
		t.Errorf("only %d solutions with pieces apart", some)
	}
}

// touches reports whether two placements of a solution, of these pieces, have neighbouring cells.
func touches(t *testing.T, m *tiling.Model, s []int, first, second int) bool {
	t.Helper()
	at, err := m.Puzzle.Board.Unrolled()
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range s {
		for _, j := range s {
			p, q := m.Placements[i], m.Placements[j]
			if i == j || p.Piece != first || q.Piece != second {
				continue
			}
			for _, c := range p.Cells {
				cell := m.Puzzle.Board.Cells[c]
				for _, step := range m.Puzzle.Board.Lattice.Steps(cell) {
					if slices.Contains(q.Cells, at(tiling.Cell{cell[0] + step[0], cell[1] + step[1], cell[2] + step[2]})) {
						return true
					}
				}
			}
		}
	}
	return false
}

func TestWeights(t *testing.T) {
	m := puzzletest.Inline(t, "2x3", "domino=any", "monomino=any")
	all, err := Weights(m, []string{"domino=015/010", "0,0=0005E-1", "#0=00"})
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range m.Placements {
		want := big.NewRat(1, 1)
		if p.Piece == 0 {
			want.Mul(want, big.NewRat(3, 2))
		}
		if slices.Contains(p.Cells, 0) {
			want.Mul(want, big.NewRat(1, 2))
		}
		if i == 0 {
			want.SetInt64(0)
		}
		got := all[i]
		if got == nil {
			got = big.NewRat(1, 1)
		}
		if got.Cmp(want) != 0 {
			t.Errorf("placement %d weighs %v, want %v", i, got, want)
		}
	}
	for text, want := range map[string]string{
		"domino": "not PLACEMENTS=WEIGHT", "=2": "not PLACEMENTS=WEIGHT", "domino=-1": "is negative", "domino=1/0": "expected a number", "domino=1e999": "expected a number",
		"domino=": "expected a number", "domino=" + strings.Repeat("9", 1_000_000): "too many characters, expected at most 100", "dominoes=2": "did you mean domino?", "domino=1/2/3": "expected a number", "domino=.": "expected a number",
	} {
		if w, err := Weights(m, []string{text}); !errors.Is(err, ErrQuery) || !strings.Contains(err.Error(), want) || len(err.Error()) > 300 {
			t.Errorf("%.40s: %v, %.100v, want %s", text, w, err, want)
		}
	}
}

// FuzzSelectors: any text is placements of the model or an error of one line.
func FuzzSelectors(f *testing.F) {
	for _, s := range []string{"domino", "domino@0,1", "0,1=domino", "1,1", "domino:2", "#3", "3", "2:domino+L3", "domino,L3", "domino=3/2", "@", "=", ":", "+", "#", ",", "domino@", "@0,0", "0:", "-1", "9,9", "domino@0,*", "1..2,*", "..,0", "*..1,2", "domino@0,0/0,1", "L3@0,0//", "domino@/", "#\n0", "domino:\n", "domino@@0mod2,*", "1mod3,2", "@0,0=domino"} {
		f.Add(s)
	}
	m := puzzletest.Inline(f, "3x4", "domino=any", "L3=any")
	x := Of(m)
	f.Fuzz(func(t *testing.T, text string) {
		one := func(kind Kind) func() ([]cover.Bound, error) {
			return func() ([]cover.Bound, error) { b, err := x.Bound(kind, text); return []cover.Bound{b}, err }
		}
		for _, read := range []func() ([]cover.Bound, error){
			one(With), one(Without), one(Exactly), one(AtLeast), one(AtMost), func() ([]cover.Bound, error) { return x.Apart(text) },
		} {
			bounds, err := read()
			if err == nil {
				_, err = m.WithBounds(t.Context(), bounds)
			} else if !errors.Is(err, ErrQuery) || strings.Contains(err.Error(), "\n") || len(err.Error()) > 1000 {
				t.Errorf("%q: %v", text, err)
			}
			if err != nil && !errors.Is(err, ErrQuery) {
				t.Errorf("%q: %v", text, err)
			}
		}
		if _, w, err := parseWeight(text); err == nil && w.Sign() < 0 {
			t.Errorf("%q weighs %v", text, w)
		}
	})
}

// TestPlacementNumbers: an orientation number of a placement is its number among the piece's
// orientations.
func TestPlacementNumbers(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	m := puzzletest.Inline(t, "5x6", "pentominoes=any", "L3=any")
	for range 500 {
		i := rng.IntN(len(m.Placements))
		p := m.Placements[i]
		var cells []tiling.Cell
		for _, c := range p.Cells {
			cells = append(cells, m.Puzzle.Board.Cells[c])
		}
		piece := m.Puzzle.Pieces[p.Piece]
		shape := piece.Orientations()[m.Orientation(i)]
		if !slices.Equal(tiling.Square.Shape(cells...), shape) {
			t.Fatalf("placement %d of %s is %v, its orientation %d is %v", i, piece.Name, cells, m.Orientation(i), shape)
		}
		all, err := Of(m).Options(fmt.Sprintf("%s:%d", piece.Name, m.Orientation(i)+1))
		if err != nil || !slices.Contains(all, i) {
			t.Fatalf("placement %d is not among %v (%v)", i, all, err)
		}
	}
}

// TestPairs: the comma between two selectors, among the commas of cells.
func TestPairs(t *testing.T) {
	x := Of(puzzletest.Inline(t, "2x3", "domino=any", "monomino=any"))
	for text, want := range map[string][2]string{
		"domino,monomino":                      {"domino", "monomino"},
		"0,0,1,2":                              {"0,0", "1,2"},
		"domino@0,0, 1,2=domino":               {"domino@0,0", "1,2=domino"},
		"0,0=domino+1,1,monomino+0,0=domino:1": {"0,0=domino+1,1", "monomino+0,0=domino:1"},
		"0,0,1":                                {}, // a placement is #1
		"0,0,#1":                               {"0,0", "#1"},
		"0,0":                                  {},
		"domino":                               {},
		"domino,":                              {},
		"tromino,domino":                       {},
	} {
		p, err := x.Pair(text)
		if want[0] == "" {
			if !errors.Is(err, ErrQuery) {
				t.Errorf("%s: %+v, %v, want an error", text, p, err)
			}
			continue
		}
		if err != nil || p.Names != want {
			t.Errorf("%s: %+v, %v, want %q", text, p, err, want)
			continue
		}
		for k, name := range want {
			if options, err := x.Options(name); err != nil || !slices.Equal(options, p.Options[k]) {
				t.Errorf("%s: %v for %s, want %v", text, p.Options[k], name, options)
			}
		}
	}
}

// TestLongTexts: texts that would be read for minutes are errors.
func TestLongTexts(t *testing.T) {
	x := Of(puzzletest.Inline(t, "4x4", "domino=any"))
	if _, err := x.Options(strings.Repeat("0,0+", 1<<20) + "0,1"); !errors.Is(err, ErrQuery) || !strings.Contains(err.Error(), "expected at most 16384") {
		t.Errorf("%.200v, want an error about the bytes", err)
	}
	if _, err := x.Pair(strings.Repeat("0,0+", 1<<20) + "0,0,1,1"); !errors.Is(err, ErrQuery) || !strings.Contains(err.Error(), "expected at most 100") {
		t.Errorf("%.200v, want an error about the commas", err)
	}
}

// TestUnknownKind: a kind that does not exist is refused, and an answer is the caller's.
func TestUnknownKind(t *testing.T) {
	x := Of(puzzletest.Parse(t, "{board: 2x3, pieces: [{name: domino, copies: any}]}"))
	if b, err := x.Bound("sometimes", "1:domino"); err == nil {
		t.Errorf("%+v", b)
	}
	for range 2 {
		options, err := x.Options("0,0")
		if err != nil || options[0]+options[1] == 0 {
			t.Fatal(options, err)
		}
		clear(options)
	}
}
