package shuffle

import (
	"errors"
	"fmt"
	"math"
	"math/big"
)

// ErrUnembedded is wrapped by the error about a board that fits in no diamond of an allowed order,
// or that has weights which differ by factors of about 2^(2^21).
var ErrUnembedded = errors.New("the board does not fit into an Aztec diamond")

// ErrNoMatching is returned for a board without a perfect matching.
var ErrNoMatching = errors.New("the board has no perfect matching")

// MaxOrder is the largest order of a diamond. A scale (level.go) has room for exponents of ε up to
// 4095. (In the levels of a hexagon, exponents are up to about the order.)
const MaxOrder = 4095

// Board is a graph in the square grid. Cell (r, c) has the index r*Cols+c. At this index, Right
// has the number of the edge to (r, c+1), and Down the number of the edge to (r+1, c), or None.
// Edges have different numbers. If there are weights, the numbers are indices of Weights.
type Board struct {
	Rows, Cols  int
	In          []bool // whether the board has each cell
	Right, Down []int32
	Weights     []*big.Int // the weight of each edge, at least 1; nil if all are 1
}

const (
	// None is the number of an edge that a board does not have.
	None int32 = -1
	// link is the number of the edges inside stretched cells. Their weight is 1.
	link int32 = -2
)

// stretch replaces each cell in a chosen row or column by a tree of three cells, and each cell in
// both by a tree of nine. Edges of trees are links. The matchings stay the same:
//
//	┌ ─ · ─ · ┐     The edge to the right leaves the end of the first row, the edge down the end
//	│                of the first column. The last two cells of other rows match each other. The
//	· ─ · ─ ·        first row and column are a path of five cells. One end or the middle cell is
//	│                matched outside of the tree. The other four cells are matched in pairs.
//	· ─ · ─ ·
func (b *Board) stretch(rows, cols []bool) *Board {
	ends := func(chosen []bool) []int {
		at := make([]int, len(chosen)+1)
		for i, three := range chosen {
			if at[i+1] = at[i] + 1; three {
				at[i+1] = at[i] + 3
			}
		}
		return at
	}
	top, left := ends(rows), ends(cols)
	s := newBoard(top[b.Rows], left[b.Cols])
	s.Weights = b.Weights
	for r := range b.Rows {
		for c := range b.Cols {
			old := r*b.Cols + c
			if !b.In[old] {
				continue
			}
			for i := top[r]; i < top[r+1]; i++ {
				for j := left[c]; j < left[c+1]; j++ {
					at := i*s.Cols + j
					s.In[at] = true
					if j+1 < left[c+1] {
						s.Right[at] = link
					}
					if j == left[c] && i+1 < top[r+1] {
						s.Down[at] = link
					}
				}
			}
			s.Right[top[r]*s.Cols+left[c+1]-1] = b.Right[old]
			s.Down[(top[r+1]-1)*s.Cols+left[c]] = b.Down[old]
		}
	}
	return s
}

// NewBoard returns a board without cells. The error wraps ErrUnembedded if the size is too large.
func NewBoard(rows, cols int) (*Board, error) {
	if min(rows, cols) < 0 || max(rows, cols) > 2*MaxOrder {
		return nil, fmt.Errorf("%w: the board has %d rows and %d columns, expected each number to be at most %d", ErrUnembedded, rows, cols, 2*MaxOrder)
	}
	return newBoard(rows, cols), nil
}

// DiamondOrder returns the order of the diamond with these numbers of cells and edges. If there is
// no such diamond, it returns 0.
func DiamondOrder(cells, edges int) int {
	n := int(math.Sqrt(float64(edges) / 4))
	if cells != 2*n*(n+1) || edges != 4*n*n {
		return 0
	}
	return n
}

// IsDiamond reports whether the board is a whole diamond with all its edges, of weight 1.
func (b *Board) IsDiamond() bool {
	cells, edges := 0, 0
	for at, in := range b.In {
		if in {
			cells++
		}
		for _, e := range [2]int32{b.Right[at], b.Down[at]} {
			if e != None {
				edges++
			}
		}
	}
	n := DiamondOrder(cells, edges)
	return n > 0 && b.Weights == nil && b.span().least() == n
}

func newBoard(rows, cols int) *Board {
	b := &Board{Rows: rows, Cols: cols, In: make([]bool, rows*cols), Right: make([]int32, rows*cols), Down: make([]int32, rows*cols)}
	for at := range b.In {
		b.Right[at], b.Down[at] = None, None
	}
	return b
}

// turned returns the three views of a board of bricks, or any other board unchanged.
// In a board of bricks all cells with an edge down have the same parity of r+c. The cells are
// regular triangles, in strips of three directions:
//
//	a = r    b = ⌊(c-r+1)/2⌋    d = ⌊(c+r)/2⌋     where edges down leave cells with even r+c
//
// A step to a neighbour changes a, b or d by 1. Rows are the strips of one direction, and c = b+d.
// A flat hexagon fits in a diamond only if its rows are not the strips along its shortest sides.
func (b *Board) turned() []*Board {
	parity := -1
	for at, e := range b.Down {
		if e == None {
			continue
		}
		p := (at/b.Cols + at%b.Cols) % 2
		if parity >= 0 && p != parity {
			return []*Board{b}
		}
		parity = p
	}
	if parity < 0 {
		return []*Board{b}
	}
	boards := []*Board{b}
	for direction := range 2 {
		to := func(at int) (row, col int) {
			r, c := at/b.Cols, at%b.Cols+parity
			second, third := (c-r+1)>>1, (c+r)>>1
			if direction == 0 {
				return second, r + third
			}
			return third, second - r
		}
		top, left, bottom, right := math.MaxInt, math.MaxInt, math.MinInt, math.MinInt
		for at, in := range b.In {
			if row, col := to(at); in {
				top, left, bottom, right = min(top, row), min(left, col), max(bottom, row), max(right, col)
			}
		}
		t := newBoard(bottom-top+1, right-left+1)
		t.Weights = b.Weights
		place := func(at int) int {
			row, col := to(at)
			return (row-top)*t.Cols + col - left
		}
		join := func(number int32, one, two int) {
			if number == None {
				return
			}
			if one, two = min(one, two), max(one, two); two == one+1 {
				t.Right[one] = number
			} else {
				t.Down[one] = number
			}
		}
		for at, in := range b.In {
			if in {
				t.In[place(at)] = true
				join(b.Right[at], place(at), place(at+1))
				join(b.Down[at], place(at), place(at+b.Cols))
			}
		}
		boards = append(boards, t)
	}
	return boards
}
