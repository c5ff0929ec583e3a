package tiling

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestFigures: the numbers of cells, the groups, and what the boards look like.
func TestFigures(t *testing.T) {
	for _, test := range []struct {
		lattice, board string
		cells          int
		group, typed   string
	}{
		{"", "{hexagon: 1}", 6, "D6", "^v^/v^v"},
		{"", "{hexagon: [3, 1, 2]}", 22, "C2", ".^v^v^v^/^v^v^v^v/v^v^v^v."},
		{"", "{hexagon: [2, 1, 2]}", 16, "D2", ".^v^v^/^v^v^v/v^v^v."},
		{"", "{triangle: 3}", 9, "D3", "..^../.^v^./^v^v^"},
		{"", "{rhombus: 2}", 8, "D2", "v^v^./.v^v^"},
		{"", "{rhombus: 2x3}", 12, "C2", "v^v^v^./.v^v^v^"},
		{"", "{diamond: 2}", 12, "D4", ".##./####/####/.##."},
		{"hexagon", "{hexagon: 2}", 7, "D6", ". # # / # # #/. # # "},
		{"hexagon", "{hexagon: [1, 2, 3]}", 6, "C2", ". # / # #/# # / # ."},
		{"hexagon", "{triangle: [3]}", 6, "D3", ". # ./ # # /# # #"},
		{"hexagon", "{rhombus: [2, 3]}", 6, "C2", "# # # / # # #"},
	} {
		file := fmt.Sprintf("board: %s\npieces: [{name: a, cells: [[0, 0]]}]", test.board)
		if test.lattice != "" {
			file = "lattice: " + test.lattice + "\n" + file
		}
		p, err := Parse("f", []byte(file))
		if err != nil {
			t.Errorf("%s: %v", test.board, err)
			continue
		}
		g := modelOf(t, p).Group(true)
		typed := strings.Join(p.Board.Typed()[0], "/")
		t.Logf("%s %s\n%s", test.lattice, test.board, strings.Join(p.Board.Typed()[0], "\n"))
		if len(p.Board.Cells) != test.cells || g.Name != test.group || typed != test.typed {
			t.Errorf("%s %s: %d cells, group %s, typed %q; want %d, %s, %q", test.lattice, test.board, len(p.Board.Cells), g.Name, typed, test.cells, test.group, test.typed)
		}
	}
}

// TestFigureAreas: the formulas of areas are right, and all cells hang together.
func TestFigureAreas(t *testing.T) {
	for _, l := range []*Lattice{Square, Hexagon, Triangle} {
		for name, f := range l.figures {
			for k := range 64 {
				s := sides{1 + k%4, 1 + k/4%4, 1 + k/16}
				b := &Board{Lattice: l, Cells: f.cells(s)}
				if int64(len(b.Cells)) != f.area(s) {
					t.Fatalf("%s %s %v: %d cells, want %d", l, name, s, len(b.Cells), f.area(s))
				}
				b.Optional = make([]bool, len(b.Cells))
				b.fit()
				if err := b.validate(); err != nil {
					t.Fatalf("%s %s %v: %v", l, name, s, err)
				}
			}
		}
	}
}

// TestTypedBoards: what is typed is read as the same board, also as a block of YAML.
func TestTypedBoards(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 3))
	for range 300 {
		l := []*Lattice{Hexagon, Triangle}[rng.IntN(2)]
		s := grow(rng, l, 1+rng.IntN(12))
		b := &Board{Lattice: l, Cells: s, Optional: make([]bool, len(s))}
		for i := 1; i < len(s); i++ { // one mark must tell which way triangles point
			b.Optional[i] = rng.IntN(4) == 0
		}
		b.fit()
		file := fmt.Sprintf("lattice: %s\nboard: |\n  %s\npieces: [{name: a, cells: [[0, 0]]}]", l, strings.Join(b.Typed()[0], "\n  "))
		p, err := Parse("f", []byte(file))
		if err != nil || !slices.Equal(p.Board.Cells, b.Cells) || !slices.Equal(p.Board.Optional, b.Optional) {
			t.Fatalf("%v: %s\nis read as %v", b, file, p)
		}
	}
}

// TestTurnsGoAsTheySay: rotations and reflections move the middles of cells as their words say.
func TestTurnsGoAsTheySay(t *testing.T) {
	for _, l := range []*Lattice{Hexagon, Triangle} {
		from := Cell{0, 2, 8}
		home := middle(l, l.move(identity, Cell{}))
		for _, m := range l.motions {
			if strings.HasPrefix(m.words, "reflection in the line at ") || m.words == "identity" {
				continue
			}
			a, b := middle(l, from)-home, middle(l, l.move(m.motion, from))-middle(l, l.move(m.motion, Cell{}))
			want := a
			switch m.words {
			case "reflection left-right":
				want = complex(-real(a), imag(a))
			case "reflection top-bottom":
				want = complex(real(a), -imag(a))
			case "rotation by 180°":
				want = -a
			case "rotation by 60°":
				want = a * complex(0.5, 0.8660254037844386)
			default:
				continue
			}
			if d := b - want; real(d)*real(d)+imag(d)*imag(d) > 1e-9 {
				t.Errorf("%s, %s: %v goes to %v, want %v", l, m.words, a, b, want)
			}
		}
	}
}

// TestBadDrawings: marks at places where no cell can be, and shapes that are none.
func TestBadDrawings(t *testing.T) {
	for file, want := range map[string]string{
		"lattice: hexagon\nboard: |\n  # # #\n  # # #\n":         `f:4:3: line 2 of the drawing has '#' half a cell beside its place, want marks two characters apart`,
		"lattice: hexagon\nboard: |\n  # #\n   # ##\n":           `f:4:7: line 2 of the drawing has '#' half a cell beside`,
		"lattice: hexagon\nboard: |\n  # #\n   # x\n":            `f:4:6: line 2 of the drawing has "x", want '#', 'o', '.' or a blank`,
		"lattice: hexagon\nboard: |\n  # #\n\n  # #\n":           `a board of three dimensions on the hexagon lattice`,
		"lattice: triangle\nboard: |\n  ^v^v\n  ^v^v\n":          `f:4:3: line 2 of the drawing has '^' where triangles point down, want 'v'`,
		"lattice: triangle\nboard: |\n  ^v\n  v^^\n":             `f:4:5: line 2 of the drawing has '^' where triangles point down`,
		"lattice: triangle\nboard: |\n  ^#\n":                    `f:3:4: line 1 of the drawing has "#", want '^', 'v', 'o', '.' or a blank`,
		"lattice: triangle\nboard: |\n  ...\n":                   `no cell on the board, want at least one '^', 'v' or 'o'`,
		"lattice: square\nboard: {hexagon: 3}\n":                 `f:2:9: a board in the shape of a hexagon on the square lattice, want lattice: hexagon or lattice: triangle`,
		"lattice: triangle\nboard: {diamond: 3}\n":               `f:2:9: a board in the shape of a diamond on the triangle lattice, want lattice: square`,
		"board: {diamond: [3, 3]}\n":                             `f:1:9: 2 sides of a diamond, want 1`,
		"board: {diamond: 1000}\n":                               `f:1:9: a diamond with these sides has 2002000 cells, want at most 1048576 in all`,
		"board: {hexagon: 3, triangle: 2}\n":                     `f:1:8: a board of 2 shapes, want one such as {hexagon: [4, 4, 4]}`,
		"board: {}\n":                                            `f:1:8: a board of 0 shapes`,
		"board: {hexagon: []}\n":                                 `f:1:9: 0 sides of a hexagon, want 1 or 3`,
		"board: {hexagon: [1, 2]}\n":                             `f:1:9: 2 sides of a hexagon, want 1 or 3`,
		"board: {hexagon: [1, 0, 2]}\n":                          `f:1:22: bad side "0", want a side of 1..4096`,
		"board: {hexagon: [1, [2], 2]}\n":                        `f:1:22: a side is a list, want text`,
		"board: {circle: 3}\n":                                   `f:1:9: unknown shape of a board "circle", want diamond, hexagon, rhombus or triangle`,
		"board: {hexagon: 4096}\n":                               `f:1:9: a hexagon with these sides has 100663296 cells, want at most 1048576 in all`,
		"lattice: hexagon\nboard: 2x3\npieces: [hexiamonds]\n":   `f:3:10: a set of triangle pieces on a hexagon board, want a triangle board`,
		"board: {triangle: 2}\npieces: [tetrahexes]\n":           `f:2:10: a set of hexagon pieces on a triangle board, want a hexagon board`,
		"board: {triangle: 2}\npieces: [{name: a, shape: vv}]\n": `line 1 of the drawing has 'v' where triangles point up, want '^'`,
	} {
		if !strings.Contains(file, "pieces") {
			file += "pieces: [{name: a, cells: [[0, 0]]}]\n"
		}
		_, err := Parse("f", []byte(file))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q:\n got %v\nwant %s", file, err, want)
		}
	}
}

// TestOptionalTriangles: with 'o' alone, the first place of the first row points up.
func TestOptionalTriangles(t *testing.T) {
	p, err := Words{Lattice: "triangle", Board: "oo/oo", Pieces: []string{"lozenge=any"}}.Puzzle()
	if err != nil || !slices.Equal(p.Board.Cells, []Cell{{0, 0, 0}, {0, 0, 1}, {0, 1, 0}, {0, 1, 1}}) {
		t.Fatalf("%v, %v", p, err)
	}
	if m, err := p.Model(context.Background()); err != nil || len(m.Placements) != 3 {
		t.Errorf("%v, want 3 placements", err)
	}
}
