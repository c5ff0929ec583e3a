package tiling

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/facts"
	"github.com/pavage/pavage/internal/test/testkit"
)

// describe returns the name, the order and the motions of a group.
func describe(g *Group) string {
	var motions []string
	for _, e := range g.Elements {
		motions = append(motions, e.Motion)
	}
	return fmt.Sprintf("%s %d: %s", g.Name, len(g.Elements), strings.Join(motions, ", "))
}

func TestGroupInThePlane(t *testing.T) {
	const (
		turns   = "identity, rotation by 180°"
		quarter = "identity, rotation by 90°, rotation by 180°, rotation by 270°"
	)
	for _, test := range []struct{ board, all, rotations string }{
		{
			"2x3", "D2 4: identity, rotation by 180°, reflection left-right, reflection top-bottom",
			"C2 2: " + turns,
		},
		{
			"3x3", "D4 8: " + quarter +
				", reflection left-right, reflection top-bottom, reflection in the main diagonal, reflection in the other diagonal",
			"C4 4: " + quarter,
		},
		{"1x5", "C2 2: " + turns, "C2 2: " + turns},
		{"#.\n.#", "C2 2: " + turns, "C2 2: " + turns},
		{"#", "C1 1: identity", "C1 1: identity"},
		{"##.\n.##", "C2 2: " + turns, "C2 2: " + turns},
		{"##\n#.\n#.", "C1 1: identity", "C1 1: identity"},
		{"##\n#.", "D1 2: identity, reflection in the main diagonal", "C1 1: identity"},
		{"##\n.#", "D1 2: identity, reflection in the other diagonal", "C1 1: identity"},
		{"###\n.#.", "D1 2: identity, reflection left-right", "C1 1: identity"},
		{"#o#", "C2 2: " + turns, "C2 2: " + turns},
		{"##o", "C1 1: identity", "C1 1: identity"},
		{".#..\n.###\n###.\n..#.", "C4 4: " + quarter, "C4 4: " + quarter},
		{"....\n.##.\n.###\n....", "C1 1: identity", "C1 1: identity"},
		{"....\n.##.\n.##.\n....\n....", "D4 8: " + quarter +
			", reflection left-right, reflection top-bottom, reflection in the main diagonal, reflection in the other diagonal", "C4 4: " + quarter}, // blank rows do not matter
	} {
		m := modelOf(t, inline(t, test.board, "monomino=any", "domino=any"))
		if got := describe(m.Group(true)); got != test.all {
			t.Errorf("%q: %s, want %s", test.board, got, test.all)
		}
		if got := describe(m.Group(false)); got != test.rotations {
			t.Errorf("%q, rotations: %s, want %s", test.board, got, test.rotations)
		}
	}
}

// TestGroupWithPieces: the group also depends on the pieces.
func TestGroupWithPieces(t *testing.T) {
	for _, test := range []struct{ pieces, want string }{
		{"{name: domino, copies: any}", "D4"},
		{"{name: a, shape: '##', motions: fixed, copies: any}", "D2"},
		{"{name: a, shape: '##', motions: fixed}, {name: b, shape: \"#\\n#\", motions: fixed}", "D4"},
		{"{name: a, shape: '##', motions: fixed}, {name: b, shape: \"#\\n#\", motions: fixed, copies: 2}", "D2"},
		{"{name: L4, motions: one-sided}", "C4"},
		{"{set: one-sided-tetrominoes}", "D4"},
		{"{set: one-sided-tetrominoes, copies: 0..2}", "D4"},
		{"{name: p, shape: \"###\\n#..\", motions: one-sided}, {name: q, shape: \"###\\n..#\", motions: one-sided}", "D4"},
		{"{name: p, shape: \"###\\n#..\", motions: one-sided}, {name: q, shape: \"###\\n..#\", motions: one-sided, copies: 0..1}", "C4"},
		{"{name: p, shape: \"##\\n#.\", motions: fixed, copies: any}", "D1"},
		{"{name: p, shape: \".#\\n##\", motions: fixed, copies: any}", "D1"},
		{"{name: p, shape: \"###\\n..#\", motions: fixed, copies: any}", "C1"},
		{"{name: p, shape: \"##.\\n.##\", motions: fixed, copies: any}", "C2"},
		// Five squares of which three lie one way and two the other: no motion maps the classes to
		// one another.
		{"{name: a, shape: '##', motions: fixed}, {name: b, shape: '##', motions: fixed}, {name: c, shape: \"#\\n#\", motions: fixed}", "D2"},
		{"{name: a, shape: '##', motions: fixed}, {name: b, shape: '##', motions: fixed}, {name: c, shape: \"#\\n#\", motions: fixed}, {name: d, shape: \"#\\n#\", motions: fixed}", "D4"},
		// A piece that fits nowhere has an effect only by its bounds.
		{"{name: domino, copies: any}, {name: huge, shape: \"#####\\n....#\", motions: fixed, copies: any}", "D4"},
		{"{name: domino, copies: any}, {name: I5, motions: fixed}, {name: J5, shape: \"#\\n#\\n#\\n#\\n#\", motions: fixed}", "D4"},
		// A fixed square has the same placements as a free square.
		{"{name: a, box: 2x2, motions: fixed}, {name: b, box: 2x2}", "D4"},
	} {
		p, err := parse("test", []byte("{board: 4x4, pieces: ["+test.pieces+"]}"))
		if err != nil {
			t.Fatal(err)
		}
		m := modelOf(t, p)
		g := m.Group(true)
		if g.Name != test.want {
			t.Errorf("%s: %s, want %s", test.pieces, describe(g), test.want)
		}
		checkGroup(t, m, g)
	}
}

// TestGroupOfSingleCells: b lies on a cell and a on the mirror image of this cell, but a may lie on
// the first cell too.
func TestGroupOfSingleCells(t *testing.T) {
	p, err := parse("test", []byte(`{board: 2x2, pieces: [{name: a, box: 1x1}, {name: b, box: 1x1}, {name: c, box: 1x1, copies: any}],
		forbid: [{piece: a, cells: [[1, 0]]}, {piece: a, cells: [[1, 1]]}, {piece: b, cells: [[0, 0]]}, {piece: b, cells: [[0, 1]]}, {piece: b, cells: [[1, 1]]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	m := modelOf(t, p)
	if g := m.Group(true); len(g.Elements) != 1 {
		t.Errorf("%s, want the identity alone", describe(g))
		checkGroup(t, m, g)
	}
}

// checkGroup checks that the elements are different symmetries, begin with the identity, and are
// closed; and that the rotations are closed.
func checkGroup(t *testing.T, m *Model, g *Group) {
	t.Helper()
	mapper, err := m.Problem.Mapper(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range g.Elements {
		if i == 0 && (!slices.IsSorted(a.Items) || a.Motion != "identity") {
			t.Errorf("%s starts with %v", g.Name, a)
		}
		if _, err := mapper.Images(a.Items); err != nil {
			t.Errorf("%s: %s: %v", g.Name, a.Motion, err)
		}
		if a.Motion == "" || a.Reflection != strings.Contains(a.Motion, "reflection") {
			t.Errorf("%s: element %d is a %q", g.Name, i, a.Motion)
		}
		for k, b := range g.Elements {
			if i != k && slices.Equal(a.Items, b.Items) {
				t.Errorf("%s: elements %d and %d are equal", g.Name, i, k)
			}
			product := make(cover.Symmetry, len(a.Items))
			for j := range product {
				product[j] = a.Items[b.Items[j]]
			}
			if !slices.ContainsFunc(g.Elements, func(e Element) bool { return slices.Equal(e.Items, product) }) {
				t.Errorf("%s: %s after %s is missing", g.Name, a.Motion, b.Motion)
			}
		}
	}
	if len(g.Elements) > 1 != (len(m.Problem.Symmetries) > 0) {
		t.Errorf("%s: %d symmetries in the problem", g.Name, len(m.Problem.Symmetries))
	}
}

// closure returns the group that motions generate.
func closure(generators []motion) []motion {
	g := []motion{identity}
	for i := 0; i < len(g); i++ {
		for _, a := range generators {
			if b := a.after(g[i]); !slices.Contains(g, b) {
				g = append(g, b)
			}
		}
	}
	return g
}

// boardOf returns a board whose group of symmetries is g: the orbits of a few cells of a cube
// around the origin, drawn at random until no other motion preserves the board.
func boardOf(t *testing.T, rng *rand.Rand, l *Lattice, g []motion) *Puzzle {
	t.Helper()
	const reach = 5
	for range 1000 {
		var cells []Cell
		for range 1 + rng.IntN(4) {
			var c Cell
			for axis := range c {
				c[axis] = 2*rng.IntN(reach+1) - reach // odd: between cells there is a centre
			}
			if l == Square {
				c[0] = 0
			}
			for _, m := range g {
				cells = append(cells, m.move(c))
			}
		}
		s := Square.Shape(cells...)
		p := &Puzzle{
			Board:  &Board{Lattice: l, Size: s.Size(), Cells: s, Optional: make([]bool, len(s))},
			Pieces: []Piece{{Name: "monomino", Shape: Square.Shape(Cell{}), Max: cover.Unbounded, Lattice: l}},
		}
		if solid(l, cells) && len(modelOf(t, p).Group(true).Elements) == len(g) {
			return p
		}
	}
	t.Fatalf("no board has the group %v", g)
	return nil
}

// solid reports whether only the identity fixes all relative positions of the cells. On boards in a
// plane or a line other motions do.
func solid(l *Lattice, cells []Cell) bool {
	for _, m := range l.group(Free)[1:] {
		if !slices.ContainsFunc(cells, func(c Cell) bool {
			c = c.minus(cells[0])
			return m.move(c) != c
		}) {
			return false
		}
	}
	return true
}

// TestGroupNames has a board for every group of motions of the cube lattice, 25 kinds, and of the
// square lattice, 6 kinds.
func TestGroupNames(t *testing.T) {
	for _, test := range []struct {
		lattice *Lattice
		want    string // names and numbers of the subgroups
	}{
		{Square, "C1:1 C2:1 C4:1 D1:4 D2:2 D4:1"},
		{Cube, "C1:1 C2:9 C2h:9 C2v:12 C3:4 C3i:4 C3v:4 C4:3 C4h:3 C4v:3 Ci:1 Cs:9 D2:4 D2d:6 D2h:4 D3:4 D3d:4 D4:3 D4h:3 O:1 Oh:1 S4:3 T:1 Td:1 Th:1"},
	} {
		rng := rand.New(rand.NewPCG(11, 2))
		tally := map[string]int{}
		for _, g := range subgroups(test.lattice.group(Free)) {
			m := modelOf(t, boardOf(t, rng, test.lattice, g))
			found := m.Group(true)
			checkGroup(t, m, found)
			tally[found.Name]++
		}
		var got []string
		for name, n := range tally {
			got = append(got, fmt.Sprintf("%s:%d", name, n))
		}
		slices.Sort(got)
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s: %v, want %s", test.lattice, got, test.want)
		}
	}
}

// subgroups builds all subgroups: it adds motions to the trivial group, and then to the groups that
// result.
func subgroups(all []motion) [][]motion {
	met := map[string]bool{}
	list := [][]motion{{identity}}
	for i := 0; i < len(list); i++ {
		for _, m := range all {
			g := closure(append(slices.Clone(list[i]), m))
			if key := keyOf(all, g); !met[key] {
				met[key] = true
				list = append(list, g)
			}
		}
	}
	return list[1:] // the trivial group was met again
}

func keyOf(all, g []motion) string {
	key := make([]byte, len(all))
	for i, m := range all {
		key[i] = '0'
		if slices.Contains(g, m) {
			key[i] = '1'
		}
	}
	return string(key)
}

// TestGroupWords: motions of the cube have different words, except motions about different
// diagonals.
func TestGroupWords(t *testing.T) {
	tally := map[string]int{}
	for _, m := range Cube.motions {
		tally[m.words]++
	}
	want := map[string]int{
		"identity": 1, "point reflection": 1,
		"rotation by 120° about a space diagonal": 8, "rotary reflection by 60° about a space diagonal": 8,
		"rotation by 180° about a face diagonal": 6,
		"rotation by 180° about the layer axis":  1, "rotation by 90° about the layer axis": 1, "rotation by 270° about the layer axis": 1,
		"rotation by 180° about the row axis": 1, "rotation by 90° about the row axis": 1, "rotation by 270° about the row axis": 1,
		"rotation by 180° about the column axis": 1, "rotation by 90° about the column axis": 1, "rotation by 270° about the column axis": 1,
		"rotary reflection by 90° about the layer axis": 1, "rotary reflection by 270° about the layer axis": 1,
		"rotary reflection by 90° about the row axis": 1, "rotary reflection by 270° about the row axis": 1,
		"rotary reflection by 90° about the column axis": 1, "rotary reflection by 270° about the column axis": 1,
		"reflection that reverses the layers": 1, "reflection that reverses the rows": 1, "reflection that reverses the columns": 1,
		"reflection that swaps layers and rows": 2, "reflection that swaps layers and columns": 2, "reflection that swaps rows and columns": 2,
	}
	if fmt.Sprint(tally) != fmt.Sprint(want) {
		t.Errorf("got  %v\nwant %v", tally, want)
	}
}

// TestGroupsOfFacts: known groups of known puzzles, and every one is a group.
func TestGroupsOfFacts(t *testing.T) {
	want := map[string]string{
		"pent-6x10": "D2 C2", "pent-8x8-O4": "D4 C4", "one-sided-3x30": "D2 C2",
		"bedlam": "O O", "soma": "Oh O", "solid-3x4x5": "D2h D2", "tetris-cube": "O O",
		"triangles-0..7-9x7": "C1 C1", "aztec-4": "D4 C4",
	}
	for _, row := range facts.Counts() {
		p, err := parse(row.ID, []byte(row.Puzzle))
		if err != nil {
			t.Fatal(err)
		}
		m := modelOf(t, p)
		all, rotations := m.Group(true), m.Group(false)
		checkGroup(t, m, all)
		if got, w := all.Name+" "+rotations.Name, want[row.ID]; w != "" && got != w {
			t.Errorf("%s: %s, want %s", row.ID, got, w)
		}
	}
}

// TestGroupOfFlatBoards: in space, a flat board is turned over by a rotation,
// and a board of one row has one motion.
func TestGroupOfFlatBoards(t *testing.T) {
	for board, want := range map[string]string{
		"1x3x3": "D4 8 D4 8", "1x2x3": "D2 4 D2 4", "1x1x4": "C2 2 C2 2", "1x1x1": "C1 1 C1 1", "2x2x3": "D4h 16 D4 8",
		"#.\n..\n\n..\n.#": "C2 2 C2 2", "##\n..\n\n..\n##": "D2 4 D2 4",
	} {
		m := modelOf(t, inline(t, board, "monomino=any"))
		all, rotations := m.Group(true), m.Group(false)
		if got := fmt.Sprint(all.Name, " ", len(all.Elements), " ", rotations.Name, " ", len(rotations.Elements)); got != want {
			t.Errorf("%q: %s, want %s", board, got, want)
		}
		checkGroup(t, m, all)
	}
}

// multiset returns, as a text, the placements of all pieces, moved, with the bounds of their pieces
// but without the numbers of the pieces.
func multiset(m *Model, cells cover.Symmetry) string {
	pieces := make([][]string, len(m.Puzzle.Pieces))
	for _, p := range m.Placements {
		moved := make([]int, len(p.Cells))
		for i, c := range p.Cells {
			moved[i] = cells[c]
		}
		slices.Sort(moved)
		pieces[p.Piece] = append(pieces[p.Piece], fmt.Sprint(moved))
	}
	all := make([]string, len(pieces))
	for i, p := range m.Puzzle.Pieces {
		slices.Sort(pieces[i])
		all[i] = fmt.Sprint(p.Min, p.Max, pieces[i])
	}
	slices.Sort(all)
	return fmt.Sprint(all)
}

// TestGroupIsWhole moves every placement by every motion, unlike Group: Group must find exactly the
// symmetries.
func TestGroupIsWhole(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 2))
	tally := map[string]int{}
	for range 1000 {
		n := rng.IntN(2)
		l := []*Lattice{Square, Cube}[n]
		all := subgroups(l.group(Free)[:2+rng.IntN(4)])
		var cells []Cell
		for _, c := range boxCells([3]int{1 + 2*n, 3, 3}) {
			if rng.IntN(4) > 0 {
				continue
			}
			for _, m := range all[rng.IntN(len(all))] {
				cells = append(cells, m.move(c.minus(Cell{n, 1, 1})))
			}
		}
		board := Square.Shape(append(cells, Cell{})...)
		p := &Puzzle{Board: &Board{Lattice: l, Size: board.Size(), Cells: board, Optional: make([]bool, len(board))}}
		for k := range 1 + rng.IntN(3) {
			shape := []Cell{{}, {0, rng.IntN(2), 1}, {0, rng.IntN(3), rng.IntN(2)}, {rng.IntN(1 + n), 1, 1}}
			p.Pieces = append(p.Pieces, Piece{
				Name: fmt.Sprint("p", k), Shape: Square.Shape(shape[:1+rng.IntN(4)]...), Motions: Motions(rng.IntN(3)), Max: 1 + rng.IntN(2), Lattice: l,
			})
		}
		m := modelOf(t, p)
		g := m.Group(true)
		checkGroup(t, m, g)
		tally[g.Name]++
		s := newSeeker(m)
		least, _ := corners(board)
		want := map[string]bool{}
		for _, motion := range l.group(Free) {
			s.moved = l.moved(motion, board)
			movedLeast, _ := corners(s.moved)
			if c := s.cells(least.minus(movedLeast)); c != nil && multiset(m, c) == multiset(m, g.Elements[0].Items) {
				want[fmt.Sprint(c)] = true
			}
		}
		if len(g.Elements) != len(want) {
			t.Fatalf("%v\n%+v: %s, want %d elements", board, p.Pieces, describe(g), len(want))
		}
	}
	t.Log(tally)
}

// TestGroupIsQuick: all motions of a cube move 11,520 placements, without memory for each.
func TestGroupIsQuick(t *testing.T) {
	p := inline(t, "16x16x16", "1x1x2=any")
	m := modelOf(t, p)
	var g *Group
	took := testkit.Allocated(func() { g = m.Group(true) })
	t.Log(g.Name, took, len(m.Placements))
	if each := took / int64(48*len(p.Board.Cells)); g.Name != "Oh" || each > 64 {
		t.Errorf("the group %s took %d bytes for each cell under each motion, want Oh and at most 64", g.Name, each)
	}
}
