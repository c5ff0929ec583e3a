package tiling

type figure struct {
	lengths []string                               // allowed numbers of lengths; a length that is not given is equal to the last given length
	rows    func(s sides) (rows int, ends rowEnds) // returns the number of rows, and their ends in columns from any origin
}

// rowEnds returns the columns of the first and the last cell of a row; rows count from 0.
type rowEnds func(row int) (first, last int)

// sides has the lengths a, b, c of a hexagon, a and b of a rhombus, or a of another figure.
type sides [3]int

// edges returns the ends of line i of a hexagon, from the top. The right end moves outwards for b
// lines and then inwards; the left end moves outwards for c lines and then inwards.
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
