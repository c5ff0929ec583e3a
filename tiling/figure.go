package tiling

type figure struct {
	lengths []string                               // how many lengths a figure may have, such as "1" and "3"
	rows    func(s sides) (rows int, ends rowEnds) // columns may be negative
}

// rowEnds returns the columns of the first and the last cell of a row. The first row is 0.
type rowEnds func(row int) (first, last int)

// sides has the lengths of a figure. If there are fewer than three, the last one is repeated.
type sides [3]int

// edges returns the ends of line i of a hexagon; line 0 is at the top. The right end moves outwards
// for b lines and then inwards, and the left end moves outwards for c lines and then inwards.
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
