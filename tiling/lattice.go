package tiling

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/pavage/pavage/internal/kit/wording"
)

// Lattice is a kind of cells, with their neighbours, motions, drawings and outlines. Its only
// values are [Square], [Cube], [Hexagon] and [Triangle]; they are compared by pointer.
//
// Lattice is a struct of tables and small functions, not an interface, since lattices differ mostly
// in data. A new lattice needs a file with its value, and an entry in lattices.go.
//
// A cell is a triple of integers on every lattice; on a flat lattice the layer is 0.
type Lattice struct {
	name       string
	axes       []string // names of the coordinates; without the layer on a flat lattice
	byDefault  Motions  // motions of a piece that does not define its motions
	reflective bool     // whether mirror images count as the same tiling by default

	// motions are matrices. The identity is first, then come other rotations, then reflections.
	motions   []namedMotion
	groupName func(g []motion) string
	// turnRows is the reflection that leaves row 0 in place, or the zero value if boards cannot wrap.
	turnRows motion

	// point maps a cell to the coordinates that motions act on, and cell maps them back. Both are nil
	// if these are the coordinates of the cell.
	point func(Cell) Cell
	cell  func(Cell) Cell

	// floor returns the last translation, in the order of cells, up to its argument. It is nil if
	// each triple is a translation. On triangles, row + column of a translation is even, since a
	// translation moves triangles that point up to triangles that point up.
	floor func(Cell) Cell

	// Steps returns the steps from a cell to its neighbours: first across the sides of its outline, in
	// the order of the sides, then to the layers below and above. Outline returns the corners of a
	// cell clockwise; side k begins at corner k.
	Steps   func(Cell) []Cell
	Outline func(Cell) []Corner
	unit    [2]float64

	// BoardMarks are the characters of a drawing of a board, including the blank. mark returns the
	// mark of a cell; if mark is nil, all cells have the mark '#'. typedSize returns the size of a
	// drawn board; if typedSize is nil, the board has the size of the box around its cells. typedCells
	// returns the sorted cells of a drawing. TypedAt returns the place of a cell in a drawing.
	BoardMarks string
	mark       func(Cell) byte
	typedSize  func(art) ([3]int, error)
	typedCells func(art) ([]Cell, error)
	TypedAt    func(Cell) (line, column int)

	figures map[string]figure

	// The method Named returns the pieces in drawn. The first call of Sets calls pieceSets.
	drawn     []namedRows
	pieceSets func(l *Lattice) map[string]PieceSet

	namedOnce, setsOnce sync.Once
	named               []NamedShape
	sets                map[string]PieceSet
}

// String returns the name of the lattice in puzzle files.
func (l *Lattice) String() string {
	if l == nil {
		return "no lattice"
	}
	return l.name
}

// Dimensions returns 2 for a flat lattice and 3 for a solid one.
func (l *Lattice) Dimensions() int { return len(l.axes) }

// Axes returns the names of the coordinates of a cell, such as row and column.
func (l *Lattice) Axes() []string { return slices.Clone(l.axes) }

// Reflective reports whether mirror images count as the same tiling by default. They do in the
// plane, where a sheet can be turned over, but not in space.
func (l *Lattice) Reflective() bool { return l.reflective }

// Coordinates returns row and column in the plane; layer, row and column in space.
func (l *Lattice) Coordinates(c Cell) []int { return c[l.firstAxis():] }

// Motions returns the motions of a piece that defines none.
func (l *Lattice) Motions() Motions { return l.byDefault }

// Written returns the Coordinates of each cell, which is the form of cells in JSON.
func (l *Lattice) Written(cells []Cell) [][]int {
	first := l.firstAxis()
	d := len(Cell{}) - first
	all, flat := make([][]int, len(cells)), make([]int, 0, len(cells)*d)
	for i, c := range cells {
		flat = append(flat, c[first:]...)
		all[i] = flat[i*d : (i+1)*d : (i+1)*d]
	}
	return all
}

// SizeName returns a size in the form of a puzzle file, such as 2x3.
func (l *Lattice) SizeName(size [3]int) string { return join(l.Coordinates(size), "x") }

func (l *Lattice) firstAxis() int { return len(Cell{}) - len(l.axes) }

func (l *Lattice) axis(i int) string { return l.axes[i-l.firstAxis()] }

// Corner is a corner of a cell in a picture of one layer. X grows to the right and Y grows down.
type Corner struct{ X, Y int }

// Unit returns the lengths of one step in X and of one step in Y. The unit is the side of a cell.
func (l *Lattice) Unit() (x, y float64) { return l.unit[0], l.unit[1] }

// ShapeMarks returns the characters of a drawing of a piece, which are BoardMarks without 'o'.
func (l *Lattice) ShapeMarks() string { return strings.ReplaceAll(l.BoardMarks, "o", "") }

func (l *Lattice) cellMarks(marks string) string {
	return wording.List(quoted(strings.ReplaceAll(marks, ".", "")))
}

func (l *Lattice) isTranslation(v Cell) bool { return l.floor == nil || l.floor(v) == v }

// Shape returns the shape of cells in any order and at any place. Cells may be repeated.
func (l *Lattice) Shape(cells ...Cell) Shape {
	s, origin := slices.Clone(cells), l.origin(cells)
	for i := range s {
		s[i] = s[i].minus(origin)
	}
	slices.SortFunc(s, compareCells)
	return slices.Compact(s)
}

// origin returns the translation to subtract from cells so that their least coordinates become 0.
// On triangles, the least column may become 1.
func (l *Lattice) origin(cells []Cell) Cell {
	least, _ := corners(cells)
	if l.floor != nil {
		least = l.floor(least)
	}
	return least
}

func (l *Lattice) move(m motion, c Cell) Cell {
	if l.point == nil {
		return m.move(c)
	}
	return l.cell(m.move(l.point(c)))
}

func (l *Lattice) moved(m motion, cells []Cell) []Cell {
	images := make([]Cell, len(cells))
	for i, c := range cells {
		images[i] = l.move(m, c)
	}
	return images
}

func (l *Lattice) group(which Motions) []motion {
	var g []motion
	for i, m := range l.motions {
		if i == 0 || which == Free || which == OneSided && !m.mirrors() {
			g = append(g, m.motion)
		}
	}
	return g
}

// swap returns, for each axis, the axis that m moves to it. If m is no permutation, ok is false.
func (l *Lattice) swap(m motion) (axis [3]int, ok bool) {
	if l.point != nil {
		return identityAxes, m == identity // a motion acts on points, which have other axes than cells
	}
	for i, row := range m {
		entries := 0
		for j, v := range row {
			if v != 0 {
				axis[i] = j
				entries++
			}
		}
		if entries != 1 {
			return axis, false
		}
	}
	return axis, true
}

// motion is a matrix that acts on column vectors. On a flat lattice it does not change the
// layer, the first coordinate.
type motion [3][3]int

type namedMotion struct {
	motion
	words string
}

var identity = motion{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}

var identityAxes = [3]int{0, 1, 2}

func permuted(axis, sign [3]int) (m motion) {
	for i, from := range axis {
		m[i][from] = sign[i]
	}
	return m
}

// flat returns a motion. It moves (row, column) to (a·row + b·column, c·row + d·column).
func flat(a, b, c, d int) motion { return motion{{1, 0, 0}, {0, a, b}, {0, c, d}} }

func (m motion) move(c Cell) (image Cell) {
	for i, row := range m {
		image[i] = row[0]*c[0] + row[1]*c[1] + row[2]*c[2]
	}
	return image
}

// after returns the motion that applies b and then m.
func (m motion) after(b motion) (c motion) {
	for i := range c {
		for j := range c {
			c[i][j] = m[i][0]*b[0][j] + m[i][1]*b[1][j] + m[i][2]*b[2][j]
		}
	}
	return c
}

// mirrors reports whether the determinant is -1.
func (m motion) mirrors() bool {
	return m[0][0]*(m[1][1]*m[2][2]-m[1][2]*m[2][1])-
		m[0][1]*(m[1][0]*m[2][2]-m[1][2]*m[2][0])+
		m[0][2]*(m[1][0]*m[2][1]-m[1][1]*m[2][0]) < 0
}

func (m motion) order() int {
	n := 1
	for power := m; power != identity; power = m.after(power) {
		n++
	}
	return n
}

// dihedral returns the six rotations by multiples of 60°, and then six reflections. The argument
// turn is the rotation by 60°, and mirror is the reflection in the line at axis degrees, clockwise
// from the right. The mirror, followed by a rotation by k·60°, is the reflection in the line at
// axis + k·30 degrees.
func dihedral(turn, mirror motion, axis int) []namedMotion {
	var turns, mirrors []namedMotion
	m := identity
	for k := range 6 {
		turns = append(turns, namedMotion{m, fmt.Sprintf("rotation by %d°", 60*k)})
		mirrors = append(mirrors, namedMotion{m.after(mirror), reflectionWords((axis + 30*k) % 180)})
		m = turn.after(m)
	}
	turns[0].words = "identity"
	return append(turns, mirrors...)
}

func reflectionWords(axis int) string {
	switch axis {
	case 0:
		return "reflection top-bottom"
	case 90:
		return "reflection left-right"
	}
	return fmt.Sprintf("reflection in the line at %d°", axis)
}
