package tiling

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/pavage/pavage/cover"
)

func inline(t *testing.T, board string, pieces ...string) *Puzzle {
	t.Helper()
	p, err := Arguments{Board: board, Pieces: pieces}.puzzle()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func modelOf(t *testing.T, p *Puzzle) *Model {
	t.Helper()
	m, err := p.Model(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	checkModel(t, m)
	return m
}

// checkModel checks the properties that Model documents.
func checkModel(t *testing.T, m *Model) {
	t.Helper()
	cells := len(m.Puzzle.Board.Cells)
	if err := m.Problem.Validate(); err != nil {
		t.Fatal(err)
	}
	if len(m.Problem.Items) != cells+len(m.Puzzle.Pieces)+len(m.Puzzle.Groups) || len(m.Problem.Options) != len(m.Placements) {
		t.Fatalf("%d items and %d options", len(m.Problem.Items), len(m.Problem.Options))
	}
	for i, p := range m.Placements {
		var want cover.Option
		for _, c := range p.Cells {
			want = append(want, cover.Use{Item: c, Times: 1})
		}
		want = append(want, cover.Use{Item: cells + p.Piece, Times: 1})
		for k, g := range m.Puzzle.Groups {
			if slices.Contains(g.Pieces, p.Piece) {
				want = append(want, cover.Use{Item: cells + len(m.Puzzle.Pieces) + k, Times: 1})
			}
		}
		if cover.Compare(want, m.Problem.Options[i]) != 0 {
			t.Fatalf("option %d is %v, want %v", i, m.Problem.Options[i], want)
		}
		if i > 0 && m.Placements[i-1].Piece > p.Piece {
			t.Fatalf("placement %d is not sorted by piece", i)
		}
	}
	for k, order := range m.Problem.Orders {
		sorted := slices.Sorted(slices.Values(order))
		if len(sorted) != cells || (cells > 0 && sorted[cells-1] != cells-1) {
			t.Fatalf("order %d is not one of all cells", k)
		}
	}
}

func placementsPerPiece(m *Model) []int {
	n := make([]int, len(m.Puzzle.Pieces))
	for _, p := range m.Placements {
		n[p.Piece]++
	}
	return n
}

func TestPlacementsOfTheChessboard(t *testing.T) {
	m := modelOf(t, inline(t, "8x8", "pentominoes", "O4"))
	want := []int{288, 64, 280, 280, 336, 144, 168, 144, 144, 36, 280, 144, 49}
	if got := placementsPerPiece(m); !slices.Equal(got, want) {
		t.Errorf("placements %v, want %v", got, want)
	}
}

// Orientations of the pentominoes, from the orders of their symmetry groups; in space the order of
// the group, 24 or 48, is divided by the order of the stabiliser.
func TestOrientationCounts(t *testing.T) {
	for _, c := range []struct {
		board, piece string
		free         int
		oneSided     int
	}{
		{"8x8", "F5", 8, 4},
		{"8x8", "I5", 2, 2},
		{"8x8", "T5", 4, 4},
		{"8x8", "X5", 1, 1},
		{"8x8", "Z5", 4, 2},
		{"8x8", "O4", 1, 1},
		{"8x8", "monomino", 1, 1},
		{"8x8", "domino", 2, 2},
		{"4x4x4", "monomino", 1, 1},
		{"4x4x4", "domino", 3, 3},
		{"4x4x4", "F5", 24, 24},
		{"4x4x4", "X5", 3, 3},
		{"4x4x4", "O4", 3, 3},
	} {
		p := inline(t, c.board, c.piece).Pieces[0]
		for m, want := range map[Motions]int{Free: c.free, OneSided: c.oneSided, Fixed: 1} {
			p.Motions = m
			if got := p.Orientations(); len(got) != want || !slices.IsSortedFunc(got, compareShapes) {
				t.Errorf("%s on %s, %s: %d orientations, want %d sorted", c.piece, c.board, m, len(got), want)
			}
		}
	}
}

func TestGroups(t *testing.T) {
	for _, c := range []struct {
		lattice *Lattice
		motions Motions
		want    int
	}{{Square, Free, 8}, {Square, OneSided, 4}, {Square, Fixed, 1}, {Cube, Free, 48}, {Cube, OneSided, 24}, {Cube, Fixed, 1}} {
		g := c.lattice.group(c.motions)
		if len(g) != c.want || g[0] != identity {
			t.Errorf("%s, %s: %d motions from %v, want %d from the identity", c.lattice, c.motions, len(g), g[0], c.want)
		}
	}
	// A screw of four cubes and its mirror image: 24 images in space, 12 each.
	screw := inline(t, "3x3x3", "soma").Pieces[4]
	if n := len(screw.Orientations()); n != 12 || screw.Motions != OneSided {
		t.Errorf("%s, %s: %d orientations, want 12, one-sided", screw.Name, screw.Motions, n)
	}
	screw.Motions = Free
	if n := len(screw.Orientations()); n != 24 {
		t.Errorf("%s free: %d orientations, want 24", screw.Name, n)
	}
}

func TestSets(t *testing.T) {
	sets := map[string]PieceSet{}
	for _, l := range lattices {
		maps.Copy(sets, l.Sets())
	}
	for name, want := range map[string]struct{ pieces, cells int }{
		"trominoes": {2, 6}, "tetrominoes": {5, 20}, "pentominoes": {12, 60}, "hexominoes": {35, 210},
		"one-sided-tetrominoes": {7, 28}, "one-sided-pentominoes": {18, 90},
		"one-sided-hexominoes": {60, 360}, "soma": {7, 27}, "bedlam": {13, 64}, "solid-pentominoes": {12, 60},
		"trihexes": {3, 9}, "tetrahexes": {7, 28}, "pentahexes": {22, 110}, "hexahexes": {82, 492},
		"one-sided-trihexes": {3, 9}, "one-sided-tetrahexes": {10, 40}, "one-sided-pentahexes": {33, 165}, "one-sided-hexahexes": {147, 882},
		"tetriamonds": {3, 12}, "pentiamonds": {4, 20}, "hexiamonds": {12, 72}, "heptiamonds": {24, 168}, "octiamonds": {66, 528},
		"one-sided-tetriamonds": {4, 16}, "one-sided-pentiamonds": {6, 30}, "one-sided-hexiamonds": {19, 114},
		"one-sided-heptiamonds": {43, 301}, "one-sided-octiamonds": {120, 960},
		"heptominoes": {108, 756}, "octominoes": {369, 2952}, "nonominoes": {1285, 11565}, "decominoes": {4655, 46550},
		"one-sided-heptominoes": {196, 1372}, "one-sided-octominoes": {704, 5632}, "one-sided-nonominoes": {2500, 22500},
		"heptahexes": {333, 2331}, "octahexes": {1448, 11584}, "one-sided-heptahexes": {620, 4340},
		"enneiamonds": {160, 1440}, "deciamonds": {448, 4480}, "one-sided-enneiamonds": {307, 2763},
		"double-six": {28, 56}, "double-nine": {55, 110},
		"tetracubes": {8, 32}, "pentacubes": {29, 145}, "hexacubes": {166, 996}, "heptacubes": {1023, 7161},
	} {
		s := sets[name]
		cells := 0
		for _, p := range s.Shapes() {
			cells += len(p.Shape)
		}
		if len(s.Shapes()) != want.pieces || cells != want.cells {
			t.Errorf("%s: %d pieces of %d cells, want %v", name, len(s.Shapes()), cells, want)
		}
	}
	if len(sets) != 58 {
		t.Errorf("%d sets, want 58", len(sets))
	}
}

// TestNamedPiecesAreAllPolyominoes checks the drawn table against the generator
// (OEIS A000105).
func TestNamedPiecesAreAllPolyominoes(t *testing.T) {
	for n, want := range []int{1: 1, 2: 1, 3: 2, 4: 5, 5: 12, 6: 35, 7: 108} {
		if n == 0 {
			continue
		}
		free := Square.freeShapes(n)
		if len(free) != want {
			t.Errorf("%d polyominoes of %d cells, want %d", len(free), n, want)
		}
		var drawn []Shape
		for _, p := range Square.sized(n)() {
			drawn = append(drawn, Square.orientations(p.Shape, Square.group(Free))[0])
		}
		slices.SortFunc(drawn, compareShapes)
		if n <= 5 && !reflect.DeepEqual(drawn, free) {
			t.Errorf("the named pieces of %d cells are %v, want %v", n, drawn, free)
		}
	}
}

func TestOneSidedSets(t *testing.T) {
	p := inline(t, "3x30", "one-sided-pentominoes")
	orientations := 0
	for _, piece := range p.Pieces {
		if piece.Motions != OneSided {
			t.Errorf("%s is %s, want one-sided", piece.Name, piece.Motions)
		}
		orientations += len(piece.Orientations())
	}
	if orientations != 63 { // fixed pentominoes, OEIS A001168
		t.Errorf("%d orientations, want 63", orientations)
	}
	q, err := parse("f", []byte("board: 8x8\nmotions: fixed\npieces: [one-sided-tetrominoes, {name: domino}]"))
	if err != nil {
		t.Fatal(err)
	}
	if q.Pieces[0].Motions != OneSided || q.Pieces[7].Motions != Fixed {
		t.Errorf("motions %s and %s, want one-sided and fixed", q.Pieces[0].Motions, q.Pieces[7].Motions)
	}
	q, err = parse("f", []byte("board: 8x8\npieces: [{set: one-sided-tetrominoes, motions: fixed}]"))
	if err != nil || q.Pieces[0].Motions != Fixed {
		t.Errorf("motions %v, %v: want those the entry gives", q, err)
	}
}

func TestShapes(t *testing.T) {
	want := Shape{{0, 0, 0}, {0, 0, 1}, {0, 1, 1}}
	for _, cells := range [][]Cell{
		{{0, 0, 0}, {0, 0, 1}, {0, 1, 1}},
		{{-1, 5, -3}, {-1, 4, -4}, {-1, 4, -3}, {-1, 4, -4}},
	} {
		before := slices.Clone(cells)
		if got := Square.Shape(cells...); !slices.Equal(got, want) || !slices.Equal(cells, before) {
			t.Errorf("Square.Shape(%v) = %v, want %v", before, got, want)
		}
	}
	if got := want.Size(); got != [3]int{1, 2, 2} {
		t.Errorf("size %v", got)
	}
	if s := Square.Shape(); len(s) != 0 || s.Size() != [3]int{} {
		t.Errorf("empty shape %v, %v", s, s.Size())
	}
}

// TestGolden has the running example, and a board with all features.
func TestGolden(t *testing.T) {
	for name, file := range map[string]string{
		"dominoes-2x3": "board: 2x3\npieces: [{name: domino, copies: any}]",
		"drawn":        "board: |\n  .#o\n  ###\npieces:\n  - {name: pair, shape: \"#.#\", copies: 0..2}\n  - {name: bar, cells: [[-1,7],[-2,7]], motions: fixed, copies: 1..}\n  - {name: far, box: 9x9}",
		"cube":         "board: \"##\\n#.\\n\\n#.\\n##\"\ncover: at-most\npieces: [domino, {name: L3, copies: any}]",
	} {
		p, err := parse(name, []byte(file))
		if err != nil {
			t.Fatal(err)
		}
		m := modelOf(t, p)
		var b strings.Builder
		for i, item := range m.Problem.Items {
			fmt.Fprintf(&b, "item %d %s %d..%d\n", i, item.Name, item.Min, item.Max)
		}
		for _, q := range m.Placements {
			fmt.Fprintf(&b, "placement %s %v\n", m.Puzzle.Pieces[q.Piece].Name, q.Cells)
		}
		for _, o := range m.Problem.Orders {
			fmt.Fprintf(&b, "order %v\n", o)
		}
		golden := "testdata/" + name + ".golden"
		if os.Getenv("UPDATE_GOLDEN") != "" {
			if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil || b.String() != string(want) {
			t.Errorf("%s: %v, got\n%s", name, err, b.String())
		}
	}
}

func TestFirstOrderSweepsTheShortSide(t *testing.T) {
	for _, board := range []string{"3x5", "5x3", "2x3x4", "4x3x2"} {
		b := inline(t, board, "domino").Board
		orders, err := b.orders(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		order := orders[0].cells
		sides := slices.DeleteFunc(slices.Clone(b.Size[:]), func(n int) bool { return n == 1 })
		step := slices.Index(b.Size[:], slices.Min(sides))
		first, second := b.Cells[order[0]], b.Cells[order[1]]
		if second.minus(first)[step] != 1 {
			t.Errorf("%s: from %v to %v, want a step along axis %d", board, first, second, step)
		}
	}
}

func TestIndexAndNoFit(t *testing.T) {
	m := modelOf(t, inline(t, "#.#\n...\n#.#", "domino=any"))
	b := m.Puzzle.Board
	for i, c := range b.Cells {
		if b.Index(c) != i {
			t.Errorf("Index(%v) = %d, want %d", c, b.Index(c), i)
		}
	}
	for _, c := range []Cell{{0, 0, 1}, {0, -1, 0}, {1, 0, 0}, {0, 9, 9}} {
		if b.Index(c) != -1 {
			t.Errorf("Index(%v) = %d, want -1", c, b.Index(c))
		}
	}
	if len(m.Placements) != 0 {
		t.Errorf("%d placements of a piece that does not fit", len(m.Placements))
	}
}

func TestModelIsLimited(t *testing.T) {
	var pieces strings.Builder
	for i := range 5 {
		fmt.Fprintf(&pieces, ", {name: p%d, box: 30x32}", i)
	}
	p, err := parse("f", []byte("board: 64x64\npieces: [monomino"+pieces.String()+"]"))
	if err != nil {
		t.Fatal(err)
	}
	m, err := p.Model(context.Background())
	if m != nil || !errors.Is(err, ErrPuzzle) || !strings.HasPrefix(err.Error(), "too many placements: ") {
		t.Errorf("model %v, error %v, want too many placements", m != nil, err)
	}
}

func TestValidate(t *testing.T) {
	good := func() *Puzzle { return inline(t, "2x3", "domino=any") }
	for name, spoil := range map[string]func(*Puzzle){
		"no board":       func(p *Puzzle) { p.Board = nil },
		"no pieces":      func(p *Puzzle) { p.Pieces = nil },
		"title":          func(p *Puzzle) { p.Title = "\x1b[31m" },
		"unsorted":       func(p *Puzzle) { p.Board.Cells[0], p.Board.Cells[1] = p.Board.Cells[1], p.Board.Cells[0] },
		"outside":        func(p *Puzzle) { p.Board.Size[2] = 2 },
		"optional":       func(p *Puzzle) { p.Board.Optional = nil },
		"vast":           func(p *Puzzle) { p.Board.Size = [3]int{1, 4096, 4096} },
		"lattice":        func(p *Puzzle) { p.Board.Lattice = nil },
		"other lattice":  func(p *Puzzle) { p.Pieces[0].Lattice = Cube },
		"motions":        func(p *Puzzle) { p.Pieces[0].Motions = 9 },
		"bounds":         func(p *Puzzle) { p.Pieces[0].Min = -1 },
		"unmoved shape":  func(p *Puzzle) { p.Pieces[0].Shape = Shape{{0, 1, 1}} },
		"unsorted shape": func(p *Puzzle) { p.Pieces[0].Shape = Shape{{0, 0, 1}, {0, 0, 0}} },
	} {
		p := good()
		spoil(p)
		if m, err := p.Model(context.Background()); m != nil || !errors.Is(err, ErrPuzzle) {
			t.Errorf("%s: model %v, error %v, want a bad puzzle", name, m != nil, err)
		}
	}
}

func TestNames(t *testing.T) {
	got := fmt.Sprint(Square, Cube, Free, OneSided, Fixed, Motions(7))
	if want := "square cube free one-sided fixed unknown (7)"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestModelIsCancelled: a model of millions of placements stops when its context ends.
func TestModelIsCancelled(t *testing.T) {
	p, err := Arguments{Board: "64x64", Pieces: []string{"hexominoes"}}.puzzle()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := p.Model(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
