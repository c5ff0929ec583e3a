package tiling

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestFigures: the numbers of cells, the groups, and drawings of the boards.
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

// TestFigureAreas: the numbers of cells of figures agree with formulas, and all cells are
// connected.
func TestFigureAreas(t *testing.T) {
	areas := map[string]func(a, b, c int) int{
		"square diamond":    func(a, _, _ int) int { return 2 * a * (a + 1) },
		"hexagon hexagon":   func(a, b, c int) int { return a*b + b*c + c*a - a - b - c + 1 },
		"hexagon triangle":  func(a, _, _ int) int { return a * (a + 1) / 2 },
		"hexagon rhombus":   func(a, b, _ int) int { return a * b },
		"triangle hexagon":  func(a, b, c int) int { return 2 * (a*b + b*c + c*a) },
		"triangle triangle": func(a, _, _ int) int { return a * a },
		"triangle rhombus":  func(a, b, _ int) int { return 2 * a * b },
	}
	for _, l := range []*Lattice{Square, Hexagon, Triangle} {
		for name, f := range l.figures {
			most, _ := strconv.Atoi(f.lengths[len(f.lengths)-1])
			for k := range 64 {
				s := []int{1 + k%4, 1 + k/4%4, 1 + k/16}
				b, err := Figure(l, name, s[:most], CellLimit{})
				if err == nil {
					err = b.Validate()
				}
				if err != nil {
					t.Fatalf("%s %s %v: %v", l, name, s, err)
				}
				if want := areas[l.String()+" "+name](s[0], s[1], s[2]); len(b.Cells) != want {
					t.Fatalf("%s %s %v: %d cells, want %d", l, name, s, len(b.Cells), want)
				}
			}
		}
	}
}

// TestFigureSides: sides out of range are errors, also those whose area would overflow.
func TestFigureSides(t *testing.T) {
	for _, side := range []int{-5, 0, MaxSide + 1, 1 << 32} {
		if b, err := Figure(Triangle, "hexagon", []int{side, side, side}, CellLimit{}); err == nil {
			t.Errorf("sides of %d make a board of %d cells", side, len(b.Cells))
		}
	}
}

// TestTypedBoards: a typed board is parsed as the same board, also as a block of YAML.
func TestTypedBoards(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 3))
	for range 300 {
		l := []*Lattice{Hexagon, Triangle}[rng.IntN(2)]
		s := grow(rng, l, 1+rng.IntN(12))
		b := &Board{Lattice: l, Cells: s, Optional: make([]bool, len(s))}
		for i := 1; i < len(s); i++ { // the first mark defines which way triangles point
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

// TestTurnsGoAsTheySay: rotations and reflections move the middles of cells by the angles and axes
// in their words.
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
