package tiling

import (
	"cmp"
	"slices"
)

// Cell is a place on a lattice: layer, row, column. The layer of a cell of a
// square board is 0.
type Cell [3]int

func (c Cell) plus(d Cell) Cell  { return Cell{c[0] + d[0], c[1] + d[1], c[2] + d[2]} }
func (c Cell) minus(d Cell) Cell { return Cell{c[0] - d[0], c[1] - d[1], c[2] - d[2]} }

// compareCells orders cells by layer, row, column.
func compareCells(a, b Cell) int {
	for axis, v := range a { // slices.Compare takes twice as long
		if v != b[axis] {
			return cmp.Compare(v, b[axis])
		}
	}
	return 0
}

// Shape is a set of cells up to translation: sorted by (layer, row, column),
// distinct, and translated so that each coordinate's minimum is 0, or as near to
// it as the translations of the lattice allow. It need not be connected.
// Lattice.Shape makes one of any cells.
type Shape []Cell

// NewShape is the shape of the cells on the square and on the cube lattice, where
// every coordinate's minimum can be 0. See Lattice.Shape.
func NewShape(cells ...Cell) Shape { return shapeOf(cells, anywhere) }

// anywhere is the floor of a lattice on which each triple is a translation.
func anywhere(least Cell) Cell { return least }

// shapeOf moves the cells by a translation, that which floor makes of their least
// coordinates.
func shapeOf(cells []Cell, floor func(Cell) Cell) Shape {
	s := slices.Clone(cells)
	least, _ := corners(s)
	least = floor(least)
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
