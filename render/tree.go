package render

import (
	"fmt"

	"github.com/pavage/pavage/tiling"
)

// treeMarks has a character for each set of directions of edges: 1 up, 2 right, 4 down, 8 left.
var treeMarks = []rune("·╵╶└╷│┌├╴┘─┴┐┤┬┼")

// encodeTree draws a tree, with one character for each cell:
//
//	┌─┐ ╷
//	╵ └─┤
//	╶───┘
func encodeTree(out buffer, p *tiling.Puzzle, edges []tiling.Placement) error {
	if err := checkTree(p, edges); err != nil {
		return err
	}
	b := p.Board
	if b.Lattice != tiling.Square {
		return fmt.Errorf("%w: trees are drawn in characters only on boards of squares, expected the format json or a picture", ErrInvalid)
	}
	from := make([]uint8, len(b.Cells))
	for _, e := range edges {
		one, two := b.Cells[e.Cells[0]], b.Cells[e.Cells[1]]
		switch two {
		case one.Plus(tiling.Cell{0, 0, 1}):
			from[e.Cells[0]] |= 2
			from[e.Cells[1]] |= 8
		case one.Plus(tiling.Cell{0, 1, 0}):
			from[e.Cells[0]] |= 4
			from[e.Cells[1]] |= 1
		default:
			return fmt.Errorf("%w: an edge of the tree joins the cells %s and %s, expected two neighbours", ErrInvalid, b.CellName(one), b.CellName(two))
		}
	}
	row, column := 0, 0 // place of the next character; a cell has two columns
	for i, c := range b.Cells {
		for ; row < c[1]; row, column = row+1, 0 {
			out.WriteByte('\n')
		}
		for ; column < 2*c[2]; column++ {
			if column%2 == 1 && from[max(i-1, 0)]&2 != 0 && from[i]&8 != 0 {
				out.WriteRune('─')
			} else {
				out.WriteByte(' ')
			}
		}
		out.WriteRune(treeMarks[from[i]])
		column++
	}
	out.WriteByte('\n')
	return nil
}
