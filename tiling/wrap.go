package tiling

import (
	"fmt"
	"slices"
)

// Wrap defines which borders of a board's box are glued together. The board may lack cells of the box.
//
//	rows        the first row follows the last row
//	columns     the first column follows the last column
//	both        rows and columns, which makes a torus
//	moebius     like columns, but the rows are in reverse order after the last column
//	klein       moebius and rows, which makes a Klein bottle
//
//	both, 3x4                      moebius, 3x4
//	… k l │ i j k l │ i j …        … l │ a b c d │ i j k …
//	  ────┼─────────┼────          … h │ e f g h │ e f g …
//	… c d │ a b c d │ a b …        … d │ i j k l │ a b c …
//	… g h │ e f g h │ e f …
//
// On hexagons, a board for moebius and klein cannot be a parallelogram, which leans to the other
// side when it is turned over. It must be a wall of bricks:
//
//	# # # #         with an odd number of rows for moebius
//	 # # # #        with an even number of rows for klein; after the last column,
//	# # # #         the rows 0 1 2 3 come in the order 0 3 2 1
type Wrap uint8

const (
	NoWrap Wrap = iota
	WrapRows
	WrapColumns
	WrapBoth
	Moebius
	Klein
)

var wraps = [...]struct {
	name, surface        string
	rows, columns, turns bool
}{
	NoWrap:      {"none", "plane", false, false, false},
	WrapRows:    {"rows", "cylinder", true, false, false},
	WrapColumns: {"columns", "cylinder", false, true, false},
	WrapBoth:    {"both", "torus", true, true, false},
	Moebius:     {"moebius", "Möbius band", false, true, true},
	Klein:       {"klein", "Klein bottle", true, true, true},
}

// WrapNames returns the names of the wraps in puzzle files, in the order of the constants.
func WrapNames() (names []string) {
	for _, w := range wraps {
		names = append(names, w.name)
	}
	return names
}

// String returns the name of the wrap in puzzle files.
func (w Wrap) String() string {
	if int(w) < len(wraps) {
		return wraps[w].name
	}
	return fmt.Sprintf("unknown (%d)", w)
}

// gluing is the group of motions of the infinite lattice that move each cell to a cell glued to it.
// A translation by rows and a translation by columns generate the group. For moebius and klein
// there is also a glide: a reflection followed by a translation. The glide, applied twice, is the
// translation by columns.
type gluing struct {
	rows, columns int    // lengths of the two translations; 0 means no translation
	lean          int    // the translation by rows also moves cells by this number of columns
	glide         motion // the reflection of the glide; the zero motion means no glide
	along         Cell   // the translation of the glide
}

// newGluing returns the gluing of w on a board. The parameter turn is Lattice.turnRows.
func newGluing(w Wrap, size [3]int, cells []Cell, turn motion) (g gluing, err error) {
	rows, columns := size[1], size[2]
	if wraps[w].rows {
		g.rows = rows
	}
	if wraps[w].columns {
		g.columns = columns
	}
	if !wraps[w].turns {
		return g, nil
	}
	// The reflection is (row, column) → (-row, column + slant·row). The glide moves row r to last-r.
	// The glide, applied twice, is the translation by columns: slant·last + 2·along[2] = 2·columns.
	// The reflection turns the translation by rows into the inverse translation: 2·lean = -slant·rows.
	slant, last := turn[2][1], rows-1
	if slant != 0 {
		if columns, err = wall(w, size, cells); err != nil {
			return g, err
		}
		if w == Klein {
			last = rows
		}
	}
	if slant*last%2 != 0 {
		return g, fmt.Errorf("wrap %s is not possible with %d rows, expected %s number of rows on this lattice: with other numbers the borders do not fit together", w, rows, [...]string{Moebius: "an odd", Klein: "an even"}[w])
	}
	g.columns, g.glide = 2*columns, turn
	g.along = Cell{0, last, columns - slant*last/2}
	if g.rows > 0 {
		g.lean = -slant * rows / 2
	}
	return g, nil
}

// wall returns the number of columns of the narrowest wall of bricks that has all cells.
//
//	# # #      row 0   columns 1 2 3
//	 # # #     row 1   columns 1 2 3
//	# # #      row 2   columns 0 1 2
//
// If row 0 begins in column f, row r begins in column f - r/2. There r/2 is rounded down, or up if
// row 0 is shifted to the right.
func wall(w Wrap, size [3]int, cells []Cell) (int, error) {
	for _, shifted := range []int{1, 0} {
		first := (size[1] - 1 + shifted) / 2
		columns := size[2] - first
		outside := func(c Cell) bool {
			begin := first - (c[1]+shifted)/2
			return c[2] < begin || c[2] >= begin+columns
		}
		if columns > 0 && !slices.ContainsFunc(cells, outside) {
			return columns, nil
		}
	}
	return 0, fmt.Errorf("wrap %s is not possible on this board of hexagons, expected rows that are shifted half a cell to the left and to the right in turn", w)
}

// fold moves c to one of the cells that are glued to c, and moves all these cells to the same one.
func (g *gluing) fold(c Cell) Cell {
	c = g.reduce(c)
	if g.glide != (motion{}) {
		if d := g.reduce(g.glide.move(c).Plus(g.along)); compareCells(d, c) < 0 {
			return d
		}
	}
	return c
}

// reduce moves c to one of its images under translations of the gluing, and moves all these images
// to the same one. If c is itself a translation of the gluing, reduce returns the zero Cell.
func (g *gluing) reduce(c Cell) Cell {
	if g.rows > 0 {
		times := floorDiv(c[1], g.rows)
		c[1] -= times * g.rows
		c[2] -= times * g.lean
	}
	if g.columns > 0 {
		c[2] -= floorDiv(c[2], g.columns) * g.columns
	}
	return c
}

func floorDiv(a, b int) int {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

func (g *gluing) room(size [3]int) [3]int {
	if g.columns > 0 {
		size[2] = g.columns
	}
	return size
}
