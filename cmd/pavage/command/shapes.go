package command

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pavage/pavage/render"
	"github.com/pavage/pavage/tiling"
)

const (
	shapesWidth = 80 // columns of a terminal
	shapeGap    = 3
	maxDrawn    = 500 // a shape whose box has more cells is not drawn
)

// writeShapes draws the pieces below their names, side by side if they fit:
//
//	domino   L3
//	##       #.
//	         ##
func writeShapes(w io.Writer, puzzle *tiling.Puzzle) error {
	var text strings.Builder
	var shelf []string // lines of equal length
	width := 0
	end := func() {
		for _, line := range shelf {
			text.WriteString("\n" + strings.TrimRight(line, " "))
		}
		text.WriteString("\n")
	}
	for _, p := range puzzle.Pieces {
		block := append([]string{p.Name}, drawShape(p, render.PieceLetters(puzzle, p))...)
		more := shapeGap
		for _, line := range block {
			more = max(more, shapeGap+utf8.RuneCountInString(line))
		}
		if width+more > shapesWidth && width > 0 {
			end()
			shelf, width = nil, 0
		}
		for i := range max(len(shelf), len(block)) {
			if i == len(shelf) {
				shelf = append(shelf, strings.Repeat(" ", width))
			}
			if i == len(block) {
				block = append(block, "")
			}
			shelf[i] += block[i] + strings.Repeat(" ", more-utf8.RuneCountInString(block[i]))
		}
		width += more
	}
	end()
	_, err := io.WriteString(w, text.String())
	return err
}

func drawShape(p tiling.Piece, letters []byte) []string {
	size := p.Shape.Size()
	if volume := size[0] * size[1] * size[2]; volume > maxDrawn || (size[2]+1)*size[0] > shapesWidth {
		return []string{fmt.Sprintf("%d cells in %dx%dx%d", len(p.Shape), size[0], size[1], size[2])}
	}
	layers := p.Lattice.TypedWith(p.Shape, letters)
	lines := slices.Clone(layers[0])
	for _, layer := range layers[1:] {
		for r, row := range layer {
			lines[r] += " " + row
		}
	}
	return lines
}
