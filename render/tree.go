package render

import (
	"bytes"
	"fmt"

	"github.com/pavage/pavage/render/pen"
	"github.com/pavage/pavage/tiling"
)

// checkTree returns an error if a tree cannot be drawn: its edges are placements of two cells, on a
// flat board that does not wrap.
func checkTree(p *tiling.Puzzle, edges []tiling.Placement) error {
	b := p.Board
	if b == nil || b.Lattice.Dimensions() != 2 || b.Wrap != tiling.NoWrap {
		return fmt.Errorf("%w: trees are drawn on flat boards that do not wrap, want the format json", ErrInvalid)
	}
	for _, e := range edges {
		if len(e.Cells) != 2 || min(e.Cells[0], e.Cells[1]) < 0 || max(e.Cells[0], e.Cells[1]) >= len(b.Cells) {
			return fmt.Errorf("%w: a tree with an edge from cell to cell %v, want two of %d cells", ErrInvalid, e.Cells, len(b.Cells))
		}
	}
	return nil
}

// treeMarks are characters by the directions of their lines: 1 up, 2 right, 4 down, 8 left.
var treeMarks = []rune("·╵╶└╷│┌├╴┘─┴┐┤┬┼")

// encodeTree draws a tree in characters, a character for each cell:
//
//	┌─┐ ╷
//	╵ └─┤
//	╶───┘
func encodeTree(out *bytes.Buffer, p *tiling.Puzzle, edges []tiling.Placement) error {
	if err := checkTree(p, edges); err != nil {
		return err
	}
	b := p.Board
	if b.Lattice != tiling.Square {
		return fmt.Errorf("%w: trees are drawn in characters on boards of squares, want the format json or a picture", ErrInvalid)
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
			return fmt.Errorf("%w: a tree with an edge from %s to %s, want neighbours", ErrInvalid, b.CellName(one), b.CellName(two))
		}
	}
	row, column := 0, 0 // of the next character, two columns for each cell
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

// branches draws the edges of a tree as lines between the middles of cells.
func (d *drawing) branches(s *scene) {
	if len(s.tree) == 0 {
		return
	}
	x, y := d.scale(s)
	lines := make([][2]pen.Point, len(s.tree))
	for k, e := range s.tree {
		for end, c := range e.Cells {
			m := middle(s.lattice.Outline(s.puzzle.Board.Cells[c]))
			lines[k][end] = pen.Point{X: float64(m.x) * x / fine, Y: float64(m.y) * y / fine}
		}
	}
	width := 0.2 * d.side
	if d.tiny() {
		width = max(1, width) // pixel
	}
	d.strokes(width, pen.Ink, lines...)
}
