package tiling

type figure struct {
	lengths []string                               // allowed numbers of sides; sides that are left out are equal to the last one given
	rows    func(s sides) (rows int, ends rowEnds) // the columns may have any origin
}

// rowEnds returns the columns of the first and the last cell of a row, from 0.
type rowEnds func(row int) (first, last int)

// sides has the lengths a, b, c of a hexagon, rows and columns of a rhombus, or one of a triangle.
type sides [3]int

// edges returns the ends of line i of a hexagon. The right end moves outwards for b lines and then
// inwards, the left end for c lines.
//
//	  __a__
//	c╱     ╲b
//	╱       ╲
//	╲       ╱
//	b╲_____╱c
//	    a
func edges(i, b, c int) (left, right int) {
	left, right = c-i, c+i
	if i > c {
		left = i - c
	}
	if i > b {
		right = c + 2*b - i
	}
	return left, right
}
