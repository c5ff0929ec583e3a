package tiling

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
)

// Heights are numbers at the corners of the cells of a flat board. They show where the dominoes or
// lozenges of a tiling lie (W. P. Thurston, Conway's tiling groups, 1990). Colour the cells like a
// chessboard, and go along a side with the black cell on the left. If no placement covers both
// cells at the side, the height goes up by 1; else it goes down by 3 on squares, and by 2 on
// triangles:
//
//	once around a black cell: 1 + 1 + 1 - 3 = 0      once around a black triangle: 1 + 1 - 2 = 0
//
//	 0 ───-1 ─── 0 ───-1        the left upper cell is black
//	 │           │     │
//	 1 ─── 2 ─── 1    -2
//	 │           │     │
//	 0 ───-1 ─── 0 ───-1
//
// Heights of a tiling are integers. Mean heights of all tilings are found in the same way from the
// probability of each placement. The first corner of each connected part of the board has height 0.
type Heights struct {
	Corners []Corner // in the coordinates of [Lattice.Outline], from the first row to the last
	Values  []*big.Rat
}

// Heights returns the heights of a tiling or, if shares has the probability of each placement, the
// mean heights. Placements must cover two neighbours, and all cells must be covered. The board must
// not wrap, and each hole must have equal numbers of black and white cells.
func (b *Board) Heights(placements []Placement, shares []*big.Rat) (*Heights, error) {
	w, err := newHeightWalk(b)
	if err != nil {
		return nil, err
	}
	if err := w.cross(placements, shares); err != nil {
		return nil, err
	}
	for i, all := range w.covered {
		if all != one && (all == nil || all.Cmp(one) != 0) {
			return nil, errHeights("the cell %s is not covered exactly once", b.CellName(b.Cells[i]))
		}
	}
	return w.heights()
}

// CheckHeights returns the errors of Heights that do not depend on the tiling.
func (b *Board) CheckHeights(placements []Placement) error {
	w, err := newHeightWalk(b)
	if err != nil {
		return err
	}
	return w.cross(placements, nil)
}

func errHeights(format string, args ...any) error {
	return &Error{Text: "no heights: " + fmt.Sprintf(format, args...)}
}

type heightWalk struct {
	board   *Board
	fitter  *fitter
	numbers map[Corner]int32
	corners []Corner
	sides   []heightSide
	of      [][]int32  // for each cell, the indices of its sides, in the order of Lattice.Steps
	covered []*big.Rat // for each cell, the sum of the shares of its placements
}

type heightSide struct {
	from, to int32
	black    bool     // whether the cell on the right, on the way from start to end, is black
	share    *big.Rat // sum of shares of the placements that cover both cells at the side; nil means 0
}

func newHeightWalk(b *Board) (*heightWalk, error) {
	switch {
	case b.Wrap != NoWrap:
		return nil, errHeights("the board wraps (%s), so a corner would have several heights", b.Wrap)
	case b.Lattice.Dimensions() != 2:
		return nil, errHeights("the board is solid, expected a flat one")
	}
	w := &heightWalk{board: b, fitter: newFitter(b), numbers: make(map[Corner]int32, len(b.Cells)), of: make([][]int32, len(b.Cells))}
	for i, c := range b.Cells {
		outline := b.Lattice.Outline(c)
		w.of[i] = make([]int32, len(outline))
		for k, step := range b.Lattice.Steps(c) {
			d := c.Plus(step)
			if black(d) == black(c) {
				return nil, errHeights("the cells of the %s lattice cannot be black and white so that neighbours differ", b.Lattice)
			}
			if n := w.fitter.cell(d); n >= 0 && n < i {
				w.of[i][k] = w.of[n][w.back(n, i)]
				continue
			}
			w.of[i][k] = int32(len(w.sides))
			w.sides = append(w.sides, heightSide{from: w.corner(outline[k]), to: w.corner(outline[(k+1)%len(outline)]), black: black(c)})
		}
	}
	return w, nil
}

// black reports whether a cell is black on a chessboard. A black triangle points up.
func black(c Cell) bool { return (c[0]+c[1]+c[2])&1 == 0 }

func (w *heightWalk) back(from, to int) int {
	c := w.board.Cells[from]
	want := w.board.Cells[to].minus(c)
	return slices.Index(w.board.Lattice.Steps(c), want)
}

func (w *heightWalk) corner(c Corner) int32 {
	n, met := w.numbers[c]
	if !met {
		n = int32(len(w.corners))
		w.numbers[c] = n
		w.corners = append(w.corners, c)
	}
	return n
}

var one = big.NewRat(1, 1)

func (w *heightWalk) cross(placements []Placement, shares []*big.Rat) error {
	b := w.board
	w.covered = make([]*big.Rat, len(b.Cells))
	for i, p := range placements {
		k := -1
		if len(p.Cells) == 2 {
			k = w.back(p.Cells[0], p.Cells[1])
		}
		if k < 0 {
			return errHeights("a placement that covers the cell %s is not of two cells with a side in common", b.CellName(b.Cells[p.Cells[0]]))
		}
		share := one
		if shares != nil {
			share = shares[i]
		}
		side := &w.sides[w.of[p.Cells[0]][k]]
		side.share = plusShare(side.share, share)
		for _, c := range p.Cells {
			w.covered[c] = plusShare(w.covered[c], share)
		}
	}
	return nil
}

func plusShare(a, b *big.Rat) *big.Rat {
	if a == nil {
		return b
	}
	return new(big.Rat).Add(a, b)
}

// heights returns the heights, or an error if two ways to a corner lead to different heights.
func (w *heightWalk) heights() (*Heights, error) {
	around := big.NewRat(int64(len(w.of[0])), 1) // number of sides of a cell
	at := make([][]int32, len(w.corners))        // for each corner, the sides that begin or end there
	ups := make([]*big.Rat, len(w.sides))        // for each side, the change of the height from start to end
	for i, s := range w.sides {
		at[s.from] = append(at[s.from], int32(i))
		at[s.to] = append(at[s.to], int32(i))
		ups[i] = new(big.Rat).Set(one)
		if s.share != nil {
			ups[i].Sub(one, ups[i].Mul(around, s.share))
		}
		if s.black {
			ups[i].Neg(ups[i])
		}
	}
	values := make([]*big.Rat, len(w.corners)) // nil until the walk reaches the corner
	for first := range values {
		if values[first] != nil {
			continue
		}
		values[first] = new(big.Rat)
		for todo := []int32{int32(first)}; len(todo) > 0; {
			c := todo[0]
			todo = todo[1:]
			for _, i := range at[c] {
				to, value := w.sides[i].to, new(big.Rat)
				if to != c {
					value.Add(values[c], ups[i])
				} else {
					to = w.sides[i].from
					value.Sub(values[c], ups[i])
				}
				if values[to] == nil {
					values[to] = value
					todo = append(todo, to)
				} else if change := value.Sub(value, values[to]); change.Sign() != 0 {
					return nil, errHeights("on a way around a hole the heights would change by %s, expected holes with as many black as white cells of a chessboard",
						change.Abs(change).RatString())
				}
			}
		}
	}
	h := &Heights{Corners: make([]Corner, len(values)), Values: make([]*big.Rat, len(values))}
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		a, b := w.corners[i], w.corners[j]
		return cmp.Or(a.Y-b.Y, a.X-b.X)
	})
	for k, i := range order {
		h.Corners[k], h.Values[k] = w.corners[i], values[i]
	}
	return h, nil
}
