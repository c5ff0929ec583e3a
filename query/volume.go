package query

import (
	"math/big"
	"slices"

	"github.com/pavage/pavage/tiling"
)

// The selector volumeName stands for weights by volume, unless a piece or cell has this name.
const volumeName = "volume"

// maxPowerBits is the largest length, in bits, of the numerator or the denominator of a weight.
const maxPowerBits = 1 << 12

// volume returns weights of lozenges or dominoes, for q > 0. The product of the weights in a tiling
// is proportional to q^(volume of the tiling). Three lozenges around a corner can lie on their
// cells in two ways, and so can two dominoes in a square. A flip exchanges these two ways. If a
// flip lowers the height of the corner (see [tiling.Heights]), the volume grows by 1. A tiling by
// lozenges looks like a pile of cubes, and such a flip adds a cube.
//
//	three lozenges, height 3 lower      two dominoes, height 4 lower: # black cell, o white cell
//	   ______          ______            ┌───────┐   ┌───┬───┐      ┌───┬───┐   ┌───────┐
//	  /   \  \        /  /   \           │ #   o │   │ # │ o │      │ o │ # │   │ o   # │
//	 /_____\  \      /  /_____\          ├───────┤ → │   │   │      │   │   │ → ├───────┤
//	 \  a  /  /  →   \  \     /          │ o   # │   │ o │ # │      │ # │ o │   │ #   o │
//	  \___/__/        \__\___/           └───────┘   └───┴───┘      └───┴───┘   └───────┘
//
// Only placements within a row have a weight other than 1. In row r the weight is q^r if the left
// cell is black, as on a chessboard; a triangle that points up is black. Otherwise the weight is
// q^-r for a domino and 1 for a lozenge. A flip at a corner between the rows r-1 and r moves a
// lozenge with a black left cell from row r-1 to row r, which multiplies the product by q. A flip
// of dominoes removes the weights q^(r-1) and q^-r, or adds the weights q^-(r-1) and q^r, which
// also multiplies the product by q.
//
// This holds for all tilings, even if flips do not connect them. Two tilings differ along cycles,
// in which placements of the one and of the other alternate. The ratio of the two weights along a
// cycle is the product of the ratios of the flips at all corners inside the cycle: the weight of a
// pair of cells inside occurs in the ratios of two corners, once as a factor and once as a divisor,
// and cancels. So each cycle gives q^±(number of corners inside). The height of each of these
// corners differs by 3 for lozenges and 4 for dominoes. The corners inside a hole count too.
//
// Row numbers start in the middle of the board, which keeps the weights short.
func (x *Index) volume(q *big.Rat) ([]*big.Rat, error) {
	m := x.model
	if m.IsAbstract() {
		return nil, bad("the tilings of a cover have no volume, expected a puzzle of dominoes or lozenges on a board")
	}
	b := m.Puzzle.Board
	switch {
	case q.Sign() == 0:
		return nil, bad("the weight of a volume is 0, expected a number above 0")
	case b.Lattice != tiling.Square && b.Lattice != tiling.Triangle || b.Wrap != tiling.NoWrap:
		return nil, bad("the tilings of this board have no volume, expected a flat board of squares or triangles that does not wrap")
	}
	for c, cell := range b.Cells {
		if m.Problem.Items[c].Min == 0 {
			return nil, bad("the cell %s may stay empty, but a volume requires that all cells are covered", b.CellName(cell))
		}
	}
	if bits := max(q.Num().BitLen(), q.Denom().BitLen()); bits*b.Size[1]/2 > maxPowerBits {
		return nil, bad("the weight of a volume has too many digits for a board of %[2]d rows: its powers have over %[1]d bits, expected fewer digits", maxPowerBits, b.Size[1])
	}
	powers := map[int]*big.Rat{}
	weights := make([]*big.Rat, len(m.Placements))
	for i, p := range m.Placements {
		left, right := b.Cells[p.Cells[0]], b.Cells[p.Cells[len(p.Cells)-1]]
		toRight := func(step tiling.Cell) bool { return left.Plus(step) == right }
		if len(p.Cells) != 2 || !slices.ContainsFunc(b.Lattice.Steps(left), toRight) {
			return nil, bad("the piece %s is not a domino or lozenge, but a volume requires that all pieces are dominoes or lozenges", m.Puzzle.Pieces[p.Piece].Name)
		}
		row := left[1] - b.Size[1]/2
		switch black := (left[1]+left[2])%2 == 0; {
		case left[1] != right[1] || !black && b.Lattice == tiling.Triangle:
			continue
		case !black:
			row = -row
		}
		if powers[row] == nil {
			powers[row] = power(q, row)
		}
		weights[i] = powers[row]
	}
	return weights, nil
}

func power(q *big.Rat, n int) *big.Rat {
	if n < 0 {
		return power(new(big.Rat).Inv(q), -n)
	}
	e := big.NewInt(int64(n))
	return new(big.Rat).SetFrac(new(big.Int).Exp(q.Num(), e, nil), new(big.Int).Exp(q.Denom(), e, nil))
}
