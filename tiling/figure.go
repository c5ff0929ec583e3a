package tiling

// figure is a board that is told by the lengths of its sides, such as {hexagon: [2, 3, 4]}.
type figure struct {
	area  func(sides) int64  // in cells
	cells func(sides) []Cell // by rows, from any origin; only of figures that are not too large
}

// sides are the lengths of the sides of a figure: of a hexagon, with the sides a, b, c, a, b, c
// clockwise from the top; of a rhombus, its rows and columns; of a triangle, the first.
type sides [3]int

func (s sides) sum() int64 { return int64(s[0]) + int64(s[1]) + int64(s[2]) }

// pairs is the sum of the products of any two.
func (s sides) pairs() int64 {
	a, b, c := int64(s[0]), int64(s[1]), int64(s[2])
	return a*b + b*c + c*a
}

// edges tells where line i of a hexagon begins, and how far the right side is out there. The
// right side goes out for b lines, and then in; the left one for c.
//
//	  __a__
//	c╱     ╲b
//	╱       ╲
//	╲       ╱
//	b╲_____╱c
//	    a
func (s sides) edges(i, b, c int) (left, right int) {
	left, right = c-i, c+i
	if i > c {
		left = i - c
	}
	if i > b {
		right = c + 2*b - i
	}
	return left, right
}

// fromRows are the cells of rows that each go from first to last, in units of which a cell
// has so many. All firsts are multiples of the unit.
func fromRows(rows, unit int, row func(int) (first, last int)) (cells []Cell) {
	for r := range rows {
		first, last := row(r)
		for x := first; x <= last; x += unit {
			cells = append(cells, Cell{0, r, x / unit})
		}
	}
	return cells
}
