package tiling

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/pavage/pavage/internal/kit/wording"
)

// Lattice is the kind of cells that a board is made of: which cells are
// neighbours, which motions move cells to cells, how a cell is written, typed and
// drawn. There is one value for each lattice, [Square], [Cube], [Hexagon] and [Triangle], and
// lattices are the same if they are the same pointer.
//
// It is a struct of tables and small functions, not an interface, because most of what lattices
// differ in is data: a new lattice is one file with one such value, and its place in the list of
// lattices.go. Two things alone are defined elsewhere: a board of three dimensions without a
// lattice is on Cube, and package render chooses by the corners of cells how to draw their outlines
// in characters. The comment of a field that may be nil has the meaning of nil.
//
// Cells are triples of whole numbers on every lattice. A flat lattice has layer 0
// alone.
type Lattice struct {
	name       string
	axes       []string // names of the coordinates that cells are written with, the last ones of a Cell
	byDefault  Motions  // of a piece without its own
	reflective bool     // mirror images are the same tiling by default

	// motions are the linear parts of the lattice's motions: the identity first,
	// then other rotations, then the motions that make mirror images. They move points,
	// see point.
	motions   []namedMotion
	groupName func(g []motion) string // of some of the motions that are a group
	// turnRows is the reflection that moves rows to rows and no cell of row 0 from its place;
	// zero: boards of this lattice do not wrap.
	turnRows motion

	// point and cell change a cell to coordinates in which motions are linear, and
	// back: think of the middle of a triangle. Both nil: cells are such already.
	point func(Cell) Cell
	cell  func(Cell) Cell

	// floor is the last translation of the lattice that is not after its argument;
	// translations are the triples that it leaves as they are. Nil: each triple is
	// a translation. On triangles, only a translation with an even sum of row and column moves
	// triangles that point up to triangles that point up.
	floor func(Cell) Cell

	// Steps are the steps from a cell to its neighbours: first those across the
	// sides of its outline, in the same order, then those above and below. An outline
	// goes clockwise as the eye sees it, with x to the right and y down, and side k
	// begins at corner k. unit is the size of the coordinates of corners, in cell
	// sides.
	Steps   func(Cell) []Cell
	Outline func(Cell) []Corner
	unit    [2]float64

	// A board is typed as rows of marks, BoardMarks, with the blank. typedSize returns the size of the board
	// of a drawing; nil: the size of the box of its cells, moved to 0. typedCells returns the
	// cells of a drawing, sorted. Both return errors for bad
	// drawings. TypedAt returns the row and column of a cell in the drawing of one layer, in
	// which empty columns separate cells that are not neighbours. mark returns the mark of a
	// cell; nil: '#'.
	BoardMarks string
	mark       func(Cell) byte
	typedSize  func(art) ([3]int, error)
	typedCells func(art) ([]Cell, error)
	TypedAt    func(Cell) (line, column int)

	// figures are the boards that are defined by the lengths of their sides, by name.
	figures map[string]figure

	// drawn are the pieces with names, pieceSets the named sets of pieces. Made when first asked for.
	drawn     []namedRows
	pieceSets func(l *Lattice) map[string]PieceSet

	namedOnce, setsOnce sync.Once
	named               []NamedShape
	sets                map[string]PieceSet
}

// String is the name of the lattice in puzzle files.
func (l *Lattice) String() string {
	if l == nil {
		return "no lattice"
	}
	return l.name
}

// Dimensions is 2 in the plane and 3 in space.
func (l *Lattice) Dimensions() int { return len(l.axes) }

// Axes are the names of the coordinates of a cell, such as row and column.
func (l *Lattice) Axes() []string { return slices.Clone(l.axes) }

// Reflective reports whether tilings that are mirror images of one another are
// the same up to symmetry unless the request defines it: in the plane, where
// a sheet can be turned over, but not in space.
func (l *Lattice) Reflective() bool { return l.reflective }

// Coordinates are the coordinates in the text of a cell: row and column in the plane; layer,
// row and column in space.
func (l *Lattice) Coordinates(c Cell) []int { return c[l.firstAxis():] }

// Motions are the motions of a piece without motions of its own.
func (l *Lattice) Motions() Motions { return l.byDefault }

// Written are cells as JSON has them: lists of their Coordinates.
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

// SizeName is a size as a puzzle file has it: 2x3.
func (l *Lattice) SizeName(size [3]int) string { return join(l.Coordinates(size), "x") }

// firstAxis is the axis of the first coordinate which is written.
func (l *Lattice) firstAxis() int { return len(Cell{}) - len(l.axes) }

// axis is the name of a coordinate of a Cell.
func (l *Lattice) axis(i int) string { return l.axes[i-l.firstAxis()] }

// Corner is a corner of a cell in pictures of a layer, X to the right and Y down.
type Corner struct{ X, Y int }

// Unit is how long a step of X and a step of Y are in pictures, in sides of a cell.
func (l *Lattice) Unit() (x, y float64) { return l.unit[0], l.unit[1] }

// ShapeMarks returns the marks, with the blank, that a drawing of a piece may have: the marks of
// boards except 'o', a cell that may stay empty.
func (l *Lattice) ShapeMarks() string { return strings.ReplaceAll(l.BoardMarks, "o", "") }

// cellMarks are the marks among these that stand for a cell, for errors.
func (l *Lattice) cellMarks(marks string) string {
	return wording.List(quoted(strings.ReplaceAll(marks, ".", "")))
}

// isTranslation reports whether all cells may be moved by v.
func (l *Lattice) isTranslation(v Cell) bool { return l.floor == nil || l.floor(v) == v }

// Shape returns the shape of the cells on the lattice, which may come in any order,
// at any place and repeated; they are left as they are. No cells make the empty
// shape, which no piece may have.
func (l *Lattice) Shape(cells ...Cell) Shape {
	s, origin := slices.Clone(cells), l.origin(cells)
	for i := range s {
		s[i] = s[i].minus(origin)
	}
	slices.SortFunc(s, compareCells)
	return slices.Compact(s)
}

// origin is the translation that moves 0 to the least coordinates of the cells, or as near
// to them as translations of the lattice go.
func (l *Lattice) origin(cells []Cell) Cell {
	least, _ := corners(cells)
	if l.floor != nil {
		least = l.floor(least)
	}
	return least
}

// move is the cell to which the motion moves c.
func (l *Lattice) move(m motion, c Cell) Cell {
	if l.point == nil {
		return m.move(c)
	}
	return l.cell(m.move(l.point(c)))
}

// moved are the cells after the motion, in the same order.
func (l *Lattice) moved(m motion, cells []Cell) []Cell {
	images := make([]Cell, len(cells))
	for i, c := range cells {
		images[i] = l.move(m, c)
	}
	return images
}

// group lists the motions of the lattice that a piece may use, without its
// translations.
func (l *Lattice) group(which Motions) []motion {
	var g []motion
	for i, m := range l.motions {
		if i == 0 || which == Free || which == OneSided && !m.mirrors() {
			g = append(g, m.motion)
		}
	}
	return g
}

// swap returns from which axis each axis comes, if the motion moves axes to axes.
func (l *Lattice) swap(m motion) (axis [3]int, ok bool) {
	if l.point != nil {
		return identityAxes, m == identity // a motion acts on points, whose axes differ from the axes of cells
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

// motion is the linear part of a motion of a lattice: coordinate i of the image is
// the sum of m[i][j] times coordinate j. In the plane it keeps the layer.
type motion [3][3]int

// namedMotion is a motion and its description, such as "rotation by 90°".
type namedMotion struct {
	motion
	words string
}

// identity is the first motion of every lattice and of every group.
var identity = motion{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}

var identityAxes = [3]int{0, 1, 2}

// permuted is the motion whose coordinate i is sign[i] times coordinate axis[i].
func permuted(axis, sign [3]int) (m motion) {
	for i, from := range axis {
		m[i][from] = sign[i]
	}
	return m
}

// flat is the motion of the plane that makes of row and column a new row, a·row +
// b·column, and a new column, c·row + d·column.
func flat(a, b, c, d int) motion { return motion{{1, 0, 0}, {0, a, b}, {0, c, d}} }

func (m motion) move(c Cell) (image Cell) {
	for i, row := range m {
		image[i] = row[0]*c[0] + row[1]*c[1] + row[2]*c[2]
	}
	return image
}

// after is the motion that does b and then m.
func (m motion) after(b motion) (c motion) {
	for i := range c {
		for j := range c {
			c[i][j] = m[i][0]*b[0][j] + m[i][1]*b[1][j] + m[i][2]*b[2][j]
		}
	}
	return c
}

// mirrors reports whether the motion makes mirror images: whether its determinant is -1, not 1.
func (m motion) mirrors() bool {
	return m[0][0]*(m[1][1]*m[2][2]-m[1][2]*m[2][1])-
		m[0][1]*(m[1][0]*m[2][2]-m[1][2]*m[2][0])+
		m[0][2]*(m[1][0]*m[2][1]-m[1][1]*m[2][0]) < 0
}

// order is the least number of times to do m that does nothing.
func (m motion) order() int {
	n := 1
	for power := m; power != identity; power = m.after(power) {
		n++
	}
	return n
}

// dihedral are the motions of a lattice that a turn by 60° moves onto itself: the turns, and a
// mirror before each. The mirror leaves the line at the angle axis as it is, in degrees clockwise
// from the line to the right; after k turns that is the line k·30° further.
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

// reflectionWords name a reflection by the angle of its line.
func reflectionWords(axis int) string {
	switch axis {
	case 0:
		return "reflection top-bottom"
	case 90:
		return "reflection left-right"
	}
	return fmt.Sprintf("reflection in the line at %d°", axis)
}
