package tiling

import (
	"math/bits"
	"slices"
)

// Cell is a place on a lattice: layer, row, column. The layer of a cell of a
// square board is 0.
type Cell [3]int

func (c Cell) plus(d Cell) Cell  { return Cell{c[0] + d[0], c[1] + d[1], c[2] + d[2]} }
func (c Cell) minus(d Cell) Cell { return Cell{c[0] - d[0], c[1] - d[1], c[2] - d[2]} }

// compareCells orders cells by layer, row, column.
func compareCells(a, b Cell) int { return slices.Compare(a[:], b[:]) }

// Shape is a set of cells up to translation: sorted by (layer, row, column),
// distinct, and translated so that each coordinate's minimum is 0. It need not
// be connected. NewShape makes one of any cells.
type Shape []Cell

// NewShape returns the shape of the cells, which may come in any order, at any
// place and repeated; they are left as they are. No cells make the empty shape,
// which no piece may have.
func NewShape(cells ...Cell) Shape {
	s := slices.Clone(cells)
	least, _ := corners(s)
	for i := range s {
		s[i] = s[i].minus(least)
	}
	slices.SortFunc(s, compareCells)
	return slices.Compact(s)
}

// Size is the number of layers, rows and columns of the box around s.
func (s Shape) Size() [3]int {
	if len(s) == 0 {
		return [3]int{}
	}
	_, most := corners(s)
	return [3]int(most.plus(Cell{1, 1, 1}))
}

// corners are the least and the greatest of each coordinate.
func corners(cells []Cell) (least, most Cell) {
	for i, c := range cells {
		if i == 0 {
			least, most = c, c
		}
		for axis, v := range c {
			least[axis] = min(least[axis], v)
			most[axis] = max(most[axis], v)
		}
	}
	return least, most
}

// compareShapes orders shapes by their cells, first cell first.
func compareShapes(a, b Shape) int { return slices.CompareFunc(a, b, compareCells) }

// motion maps the axes of a lattice onto one another, some of them reversed:
// coordinate i of the image is sign[i] times coordinate axis[i] of the cell.
type motion struct {
	axis [3]int
	sign [3]int
}

func (m motion) move(c Cell) Cell {
	return Cell{m.sign[0] * c[m.axis[0]], m.sign[1] * c[m.axis[1]], m.sign[2] * c[m.axis[2]]}
}

// identity is the first of every group.
var identity = motion{axis: [3]int{0, 1, 2}, sign: [3]int{1, 1, 1}}

// axisOrders are the permutations of the three axes, even ones first.
var axisOrders = [6][3]int{{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}}

// reverses reports whether the motion makes mirror images: its determinant,
// the sign of the permutation times the product of the signs, is -1.
func (m motion) reverses() bool {
	odd := !slices.Contains(axisOrders[:3], m.axis)
	return odd != (m.sign[0]*m.sign[1]*m.sign[2] < 0)
}

// flat reports whether the motion keeps the layer: a motion of the square
// lattice, where turning a piece over is a reflection of the plane.
func (m motion) flat() bool { return m.axis[0] == 0 && m.sign[0] == 1 }

// group lists the motions of a lattice, without its translations.
func group(l Lattice, m Motions) []motion {
	if m == Fixed {
		return []motion{identity}
	}
	var g []motion
	for _, axis := range axisOrders {
		for negative := range uint(8) {
			t := motion{axis: axis, sign: signs(negative)}
			if (l == Cube || t.flat()) && (m == Free || !t.reverses()) {
				g = append(g, t)
			}
		}
	}
	return g
}

// signs has -1 where the bit of the axis is set.
func signs(negative uint) [3]int {
	var s [3]int
	for axis := range s {
		s[axis] = 1 - 2*bits.OnesCount(negative>>axis&1)
	}
	return s
}

// orientations are the distinct images of s under the motions, sorted.
func (s Shape) orientations(g []motion) []Shape {
	images := make([]Shape, 0, len(g))
	moved := make([]Cell, len(s))
	for _, m := range g {
		for i, c := range s {
			moved[i] = m.move(c)
		}
		images = append(images, NewShape(moved...))
	}
	slices.SortFunc(images, compareShapes)
	return slices.CompactFunc(images, slices.Equal[Shape])
}
