package tiling

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/oracle"
	"github.com/pavage/pavage/internal/test/testkit"
)

// planeLattice is a lattice of the plane, with the number of rotations that preserve it: an
// independent definition of its motions.
type planeLattice struct {
	*Lattice
	turns int
}

// plane has the lattices of the plane.
var plane = []planeLattice{{Square, 4}, {Hexagon, 6}, {Triangle, 6}}

// middle returns the middle of a cell in the plane, from the corners of its picture.
func middle(l *Lattice, c Cell) complex128 {
	x, y := l.Unit()
	sum := 0i
	outline := l.Outline(c)
	for _, p := range outline {
		sum += complex(float64(p.X)*x, float64(p.Y)*y)
	}
	return sum / complex(float64(len(outline)), 0)
}

// TestLatticesAreDrawnTrue: sides have length 1, and side k of a cell is, reversed, a side of the
// neighbour at step k.
func TestLatticesAreDrawnTrue(t *testing.T) {
	for _, l := range lattices {
		x, y := l.Unit()
		for _, c := range []Cell{{0, 0, 0}, {0, 0, 1}, {0, 3, 2}, {0, -2, 5}} {
			outline := l.Outline(c)
			if len(l.Steps(c)) != len(outline)+2*(l.Dimensions()-2) {
				t.Errorf("%s: %d steps, %d sides", l, len(l.Steps(c)), len(outline))
			}
			for k, p := range outline {
				q := outline[(k+1)%len(outline)]
				if d := math.Hypot(float64(q.X-p.X)*x, float64(q.Y-p.Y)*y); math.Abs(d-1) > 1e-9 {
					t.Errorf("%s, cell %v: side %d has length %v", l, c, k, d)
				}
				beside := l.Outline(c.Plus(l.Steps(c)[k]))
				if i := slices.Index(beside, q); i < 0 || beside[(i+1)%len(beside)] != p {
					t.Errorf("%s, cell %v: side %d is not one of the neighbour's", l, c, k)
				}
			}
		}
	}
}

// isometries calls f with all ways to put the cells onto a board: all rotations, with or without
// reflections, of the middles of the cells, moved so that the first cell lies on a cell. It uses
// neither motions nor normal forms.
func isometries(l *Lattice, turns int, which Motions, cells []Cell, b *Board, f func(turn int, mirror bool, image []int)) {
	byPlace := map[[2]int]int{}
	at := func(z complex128) [2]int {
		return [2]int{int(math.Round(real(z) * 1000)), int(math.Round(imag(z) * 1000))}
	}
	for i, c := range b.Cells {
		byPlace[at(middle(l, c))] = i
	}
	for k := range turns {
		for _, mirror := range []bool{false, true} {
			if which == Fixed && (k > 0 || mirror) || which == OneSided && mirror {
				continue
			}
			moved := make([]complex128, len(cells))
			for i, c := range cells {
				if moved[i] = middle(l, c); mirror {
					moved[i] = -cmplx.Conj(moved[i])
				}
				moved[i] *= cmplx.Rect(1, 2*math.Pi*float64(k)/float64(turns))
			}
			for _, c := range b.Cells {
				// On Triangle a turn by 60° makes triangles that point up point down.
				if l == Triangle && (odd(cells[0])+odd(c)+k)%2 != 0 {
					continue
				}
				var image []int
				for _, z := range moved {
					if i, ok := byPlace[at(z-moved[0]+middle(l, c))]; ok {
						image = append(image, i)
					}
				}
				if len(image) == len(cells) {
					f(k, mirror, image)
				}
			}
		}
	}
}

// randomPuzzle returns a puzzle on about ten connected cells.
func randomPuzzle(rng *rand.Rand, l *Lattice) *Puzzle {
	s := grow(rng, l, 6+rng.IntN(6))
	b := &Board{Lattice: l, Size: s.Size(), Cells: s, Optional: make([]bool, len(s))}
	for i := range b.Optional {
		b.Optional[i] = rng.IntN(6) == 0
	}
	p := &Puzzle{Board: b}
	for k := range 1 + rng.IntN(3) {
		p.Pieces = append(p.Pieces, Piece{
			Name: fmt.Sprint("p", k), Shape: grow(rng, l, 1+rng.IntN(4)), Lattice: l, Motions: Motions(rng.IntN(3)),
			Min: rng.IntN(2), Max: []int{1, 3, cover.Unbounded}[rng.IntN(3)],
		})
	}
	return p
}

// grow returns a shape of n cells.
func grow(rng *rand.Rand, l *Lattice, n int) Shape {
	cells := []Cell{{0, rng.IntN(2), rng.IntN(2)}}
	for len(cells) < n {
		c := cells[rng.IntN(len(cells))]
		steps := l.Steps(c)
		if c = c.Plus(steps[rng.IntN(len(steps))]); !slices.Contains(cells, c) {
			cells = append(cells, c)
		}
	}
	return l.Shape(cells...)
}

// TestModelsByBruteForce: the placements are the placements found by turning and moving the middles
// of cells in the plane, the group consists of the turns that map the board and the placements onto
// themselves, and the number of tilings up to symmetry is the number of orbits of tilings.
func TestModelsByBruteForce(t *testing.T) {
	for _, l := range lattices {
		if l.Dimensions() == 2 && !slices.ContainsFunc(plane, func(p planeLattice) bool { return p.Lattice == l }) {
			t.Errorf("%s is not in the list plane, so its models are not compared", l)
		}
	}
	for _, l := range plane {
		rng := rand.New(rand.NewPCG(13, uint64(l.turns)))
		groups, tilings := map[string]int{}, 0
		for range testkit.Size(300, 2000) {
			p := randomPuzzle(rng, l.Lattice)
			m, err := p.Model(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			checkModel(t, m)
			checkPlacements(t, l.Lattice, l.turns, m)
			g := checkSymmetries(t, l.Lattice, l.turns, m)
			groups[g.Name]++
			more, _ := checkOrbits(t, m, g)
			tilings += more
		}
		if len(groups) < 3 || tilings < 200 {
			t.Errorf("%s: groups %v, %d tilings, want more to compare", l, groups, tilings)
		}
		t.Log(l, groups, tilings)
	}
}

func checkPlacements(t *testing.T, l *Lattice, turns int, m *Model) {
	t.Helper()
	want, got := map[string]bool{}, map[string]bool{}
	for k, piece := range m.Puzzle.Pieces {
		isometries(l, turns, piece.Motions, piece.Shape, m.Puzzle.Board, func(_ int, _ bool, image []int) {
			slices.Sort(image)
			want[fmt.Sprint(k, image)] = true
		})
	}
	for _, p := range m.Placements {
		got[fmt.Sprint(p.Piece, p.Cells)] = true
	}
	if fmt.Sprint(got) != fmt.Sprint(want) || len(got) != len(m.Placements) {
		t.Fatalf("%s, board %v, pieces %v: placements %v, want %v", l, m.Puzzle.Board.Cells, m.Puzzle.Pieces, got, want)
	}
}

func checkSymmetries(t *testing.T, l *Lattice, turns int, m *Model) *Group {
	t.Helper()
	g := m.Group(true)
	checkGroup(t, m, g)
	b := m.Puzzle.Board
	identical := make(cover.Symmetry, len(b.Cells))
	for i := range identical {
		identical[i] = i
	}
	want := map[string]bool{}
	isometries(l, turns, Free, b.Cells, b, func(_ int, _ bool, image []int) {
		for i, at := range image {
			if b.Optional[at] != b.Optional[i] {
				return
			}
		}
		if multiset(m, image) == multiset(m, identical) {
			want[fmt.Sprint(image)] = true
		}
	})
	for _, e := range g.Elements {
		if !want[fmt.Sprint([]int(e.Items[:len(b.Cells)]))] {
			t.Fatalf("%s: %s is no symmetry", l, e.Motion)
		}
	}
	if len(g.Elements) != len(want) {
		t.Fatalf("%s, board %v: group %s of order %d, want %d", l, b.Cells, g.Name, len(g.Elements), len(want))
	}
	return g
}

// checkOrbits counts the orbits of the tilings by Burnside, as package count does, and by
// collecting the tilings that a motion maps to one another.
func checkOrbits(t *testing.T, m *Model, g *Group) (tilings, orbits int) {
	t.Helper()
	solutions, err := oracle.Solutions(m.Problem)
	if err != nil {
		return 0, -1 // too many tilings
	}
	met, fixed := map[string]bool{}, 0
	for _, s := range solutions {
		first := m.image(s, g.Elements[0].Items)
		if !met[first] {
			orbits++
		}
		for _, e := range g.Elements {
			image := m.image(s, e.Items)
			met[image] = true
			if image == first {
				fixed++
			}
		}
	}
	if fixed != orbits*len(g.Elements) {
		t.Fatalf("%d orbits of %d tilings, but %d fixed by %d motions", orbits, len(solutions), fixed, len(g.Elements))
	}
	return len(solutions), orbits
}

// image returns, as a text, the solution to which a symmetry maps a solution.
func (m *Model) image(solution []int, items cover.Symmetry) string {
	var all []string
	for _, o := range solution {
		p := m.Placements[o]
		moved := []int{} // cells with their marks
		for i, c := range p.Cells {
			moved = append(moved, 10*items[c])
			if p.Marks != "" {
				moved[i] += int(p.Marks[i] - '0')
			}
		}
		slices.Sort(moved)
		all = append(all, fmt.Sprint(items[len(m.Puzzle.Board.Cells)+p.Piece], moved))
	}
	slices.Sort(all)
	return fmt.Sprint(all)
}

// TestShapesOfOtherLattices: the numbers of shapes of n cells are the published ones, free (OEIS
// A000105, A000228, A000577) and one-sided (A000988, A006535, A006534).
func TestShapesOfOtherLattices(t *testing.T) {
	for _, test := range []struct {
		*Lattice
		free, oneSided []int
	}{
		{Square, []int{1, 1, 2, 5, 12, 35}, []int{1, 1, 2, 7, 18, 60}},
		{Hexagon, []int{1, 1, 3, 7, 22, 82}, []int{1, 1, 3, 10, 33, 147}},
		{Triangle, []int{1, 1, 1, 3, 4, 12, 24, 66}, []int{1, 1, 1, 4, 6, 19, 43, 120}},
	} {
		for i, want := range test.free {
			free := test.freeShapes(i + 1)
			both := test.mirrored(numbered("", free))
			if len(free) != want || len(both) != test.oneSided[i] {
				t.Errorf("%s: %d shapes of %d cells, %d one-sided; want %d and %d", test, len(free), i+1, len(both), want, test.oneSided[i])
			}
		}
	}
}

// TestTypedShapes: a typed shape is parsed as the same shape.
func TestTypedShapes(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	for _, l := range lattices {
		for range 100 {
			s := grow(rng, l, 1+rng.IntN(9))
			var layers []string
			for _, rows := range l.Typed(s) {
				layers = append(layers, strings.Join(rows, "\n"))
			}
			text := strings.Join(layers, "\n\n")
			if read, err := l.ReadShape(text, ""); err != nil || !slices.Equal(read.Shape, s) {
				t.Fatalf("%s: %v is typed as\n%s\nwhich is %v, %v", l, s, text, read, err)
			}
		}
	}
	if got := Hexagon.Typed(Hexagon.Shape(Cell{0, 0, 1}, Cell{0, 1, 0}, Cell{0, 1, 1})); strings.Join(got[0], "/") != ". # / # #" {
		t.Errorf("%q", got)
	}
}

// TestFamiliesOfOtherLattices: a parallelogram of Hexagon has the same number of tilings after its
// sides change places; rows of Triangle point alternately, so that one strip does not serve all
// heights.
func TestFamiliesOfOtherLattices(t *testing.T) {
	family := func(l *Lattice) *Family {
		size := [3]int{1, 2, 2}
		b := &Board{Lattice: l, Size: size, Cells: boxCells(size), Optional: make([]bool, 4)}
		two := Piece{Name: "two", Shape: l.Shape(Cell{}, Cell{0, 0, 1}), Max: cover.Unbounded, Lattice: l}
		f, err := NewFamily(&Puzzle{Board: b, Pieces: []Piece{two}})
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	f := family(Hexagon)
	wide, height := f.Section([3]int{1, 2, 5})
	high, other := f.Section([3]int{1, 5, 2})
	if wide != high || height != 5 || other != 5 {
		t.Errorf("Hexagon: sections %v of %d, %v of %d, want the same of 5", wide, height, high, other)
	}
	if strip, err := f.Strip(context.Background(), wide, 0); err != nil || strip.Period != 2 {
		t.Errorf("Hexagon: strip %v, %v", strip, err)
	}
	if _, err := family(Triangle).Strip(context.Background(), wide, 0); !errors.Is(err, ErrPuzzle) {
		t.Errorf("Triangle: %v, want a bad puzzle", err)
	}
}

// TestPuzzleOfAnotherLattice: a lattice in the list can be named, typed and tiled.
func TestPuzzleOfAnotherLattice(t *testing.T) {
	for file, want := range map[string]int{
		"{lattice: triangle, board: 2x6, pieces: [{name: rhombus, cells: [[0,0],[0,1]], copies: any}]}":                             1,
		"{lattice: hexagon, board: 2x3, pieces: [{name: two, cells: [[0,0],[0,1]], copies: any}]}":                                  3,
		"{lattice: hexagon, board: \"# # #\\n # # #\", pieces: [{name: two, shape: \"# #\", copies: any}]}":                         3,
		"{lattice: triangle, board: \"^v^v\\nv^v^\", pieces: [{name: one, shape: v, copies: any}]}":                                 1,
		"{lattice: triangle, board: \"^v^v\\nv^v^\", motions: fixed, pieces: [{name: one, shape: v, copies: any}]}":                 0,
		"{lattice: triangle, board: \"^v^v\\nv^v^\", motions: fixed, pieces: [{name: one, shape: v, copies: any}], cover: at-most}": 16,
	} {
		p, err := parse("test", []byte(file))
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		if n, err := oracle.Count(modelOf(t, p).Problem); err != nil || n != want {
			t.Errorf("%s: %d tilings, error %v, want %d", file, n, err, want)
		}
	}
	for file, want := range map[string]string{
		"{lattice: hexagon, board: 2x3, pieces: [soma]}":           "soma is made of cubes, expected lattice: cube",
		"{lattice: hexagon, board: 2x3x4, pieces: [tetrahexes]}":   "the board has three dimensions, but the hexagon lattice has two; expected a board of two dimensions (or lattice: cube)",
		"{lattice: rhombus, board: 2x3, pieces: [tetrahexes]}":     `unknown lattice "rhombus", expected square, cube, hexagon or triangle`,
		"{lattice: hexagon, board: 2x3, pieces: [{name: domino}]}": `domino is made of squares and cubes`,
	} {
		if _, err := parse("test", []byte(file)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", file, err, want)
		}
	}
}

// orientations returns the distinct images of a shape under the motions, sorted.
func (l *Lattice) orientations(s Shape, g []motion) (shapes []Shape) {
	for _, t := range l.tints(tinted{shape: s}, g) {
		shapes = append(shapes, t.shape)
	}
	return shapes
}
