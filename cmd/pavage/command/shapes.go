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
	// maxDrawn bounds the box of a shape that is drawn; of others the size is written.
	maxDrawn = 500
)

// writeShapes draws the pieces under their names, side by side where they fit:
//
//	domino   L3
//	##       #.
//	         ##
func writeShapes(w io.Writer, puzzle *tiling.Puzzle) error {
	var shelf [][]string
	width := 0
	for _, p := range puzzle.Pieces {
		block := pad(append([]string{p.Name}, drawShape(p, render.ColourLetters(puzzle, p.Colours))...))
		more := utf8.RuneCountInString(block[0]) + shapeGap
		if width+more > shapesWidth && len(shelf) > 0 {
			if err := writeShelf(w, shelf); err != nil {
				return err
			}
			shelf, width = nil, 0
		}
		shelf, width = append(shelf, block), width+more
	}
	return writeShelf(w, shelf)
}

// drawShape draws a shape as a puzzle file does, with letters for colours, but the layers of a
// solid one side by side.
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

// pad makes the lines of a block as long as its longest.
func pad(block []string) []string {
	width := 0
	for _, line := range block {
		width = max(width, utf8.RuneCountInString(line))
	}
	for i, line := range block {
		block[i] = line + strings.Repeat(" ", width-utf8.RuneCountInString(line))
	}
	return block
}

// writeShelf writes blocks side by side, after a blank line.
func writeShelf(w io.Writer, shelf [][]string) error {
	height := 0
	for _, block := range shelf {
		height = max(height, len(block))
	}
	var text strings.Builder
	for i := range height {
		line := ""
		for _, block := range shelf {
			part := strings.Repeat(" ", utf8.RuneCountInString(block[0]))
			if i < len(block) {
				part = block[i]
			}
			line += part + strings.Repeat(" ", shapeGap)
		}
		text.WriteString("\n" + strings.TrimRight(line, " "))
	}
	_, err := io.WriteString(w, text.String()+"\n")
	return err
}
