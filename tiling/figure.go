package tiling

type figure struct {
	lengths []string                               // numbers of sides that may be given; the last side stands for those left out
	rows    func(s sides) (rows int, ends rowEnds) // from any origin
}

// rowEnds returns the columns of the first and the last cell of a row, from 0.
type rowEnds func(row int) (first, last int)

// sides are lengths: of a hexagon a, b, c; of a rhombus rows and columns; of a triangle the first.
type sides [3]int

// edges returns the ends of line i of a hexagon. The right side goes out for b lines, and then in;
// the left one for c.
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
