package tiling

import (
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
		p, err := parse("f", []byte(file))
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
				if err := b.Validate(); err != nil {
					t.Fatalf("%s %s %v: %v", l, name, s, err)
				}
			}
		}
	}
}

// TestFigureSides: sides out of range are errors, also those whose area would overflow.
func TestFigureSides(t *testing.T) {
	for _, side := range []int{-5, 0, MaxSide + 1, 1 << 32} {
		if b, err := Figure(Triangle, "hexagon", []int{side, side, side}); err == nil {
			t.Errorf("sides of %d make a board of %d cells", side, len(b.Cells))
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
		p, err := parse("f", []byte(file))
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
