package render

import (
	"cmp"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pavage/pavage/render/pen"
	"github.com/pavage/pavage/tiling"
)

// Marks are the texts and signs on cells besides their owners: their names, and their colours in
// the sense of the puzzle.
//
//	board alone    names, and the colours as tints; in text a letter for each colour
//	tiling         names of the cells that nothing covers, and a small dot in the corner of
//	               each cell that has a colour; in text only the names. The digits of
//	               pieces, in place of the labels of those pieces
//
// Places of the box that are off the board and have a name, such as today's date in a
// calendar, are drawn as cells with their names.

// ColourLabels are short labels for the colours of a puzzle, mostly the first letters of their
// names.
func ColourLabels(p *tiling.Puzzle) []string {
	named := make([]tiling.Piece, len(p.Colours))
	for i, name := range p.Colours {
		named[i].Name = name
	}
	return labels(named, 1)
}

// PieceLetters are the digits of the cells of a piece, and the labels of the colours of the others, as
// letters for Typed of package tiling.
func PieceLetters(p *tiling.Puzzle, piece tiling.Piece) []byte {
	letters := ColourLetters(p, piece.Colours)
	if piece.Marks == "" {
		return letters
	}
	digits := []byte(piece.Marks)
	for i, letter := range letters {
		if digits[i] == '0' && letter != 0 {
			digits[i] = letter
		}
	}
	return digits
}

// ColourLetters are the labels of the colours of cells, 0 for none, as letters for Typed of
// package tiling: '*' for a label that is not one letter of ASCII.
func ColourLetters(p *tiling.Puzzle, colours []int) (letters []byte) {
	labels := ColourLabels(p)
	for _, k := range colours {
		letter := byte(0)
		if k > 0 {
			letter = '*'
			if label := labels[k-1]; len(label) == 1 {
				letter = label[0]
			}
		}
		letters = append(letters, letter)
	}
	return letters
}

// textOf is the text of a cell in a picture in text, of at most width characters: the digit of a
// placement, or what is written on a cell that nothing covers. A sum that has no room is left out.
func (s *scene) textOf(c tiling.Cell, width int, labels []string) string {
	if s.placed(c) {
		return s.mark(c)
	}
	if name := fitted(s.puzzle.Board.Names[c], width); name != "" {
		return name
	}
	text, dot := "", ""
	if i := s.boardCell(c); i >= 0 && s.colour(i) > 0 {
		text = s.colourLabels[s.colour(i)-1]
	}
	if s.at(c) != hole && s.dot(c) {
		dot = "·"
	}
	if clue := cmp.Or(s.clueOf(c, labels), s.sumOf(c)); clue != "" && utf8.RuneCountInString(clue+dot) <= width {
		text = clue
	}
	return text + dot
}

// fitted is the start of a name that has room, nothing if it has characters that are wide or join
// others.
func fitted(name string, width int) string {
	if name == "" || strings.ContainsFunc(name, func(r rune) bool { return r >= 0x1100 || !unicode.IsPrint(r) || unicode.IsMark(r) }) {
		return ""
	}
	runes := []rune(name)
	return string(runes[:min(width, len(runes))])
}

// around are the edges of a cell.
func (s *scene) around(c tiling.Cell) (edges []edge) {
	outline := s.lattice.Outline(c)
	for k := range outline {
		edges = append(edges, edge{pointOf(outline[k]), pointOf(outline[(k+1)%len(outline)])})
	}
	return edges
}

// coloured are the cells of a layer that have a colour, by its number.
func (s *scene) coloured(layer int) map[int][]tiling.Cell {
	cells := map[int][]tiling.Cell{}
	for i, k := range s.puzzle.Board.Colours {
		if c := s.puzzle.Board.Cells[i]; k > 0 && c[0] == layer {
			cells[k] = append(cells[k], c)
		}
	}
	return cells
}

// tint is the colour of board cells of a colour where nothing lies on them.
func (s *scene) tint(colour int) pen.Colour {
	return s.named(colour).Mix(pen.White, 0.45)
}

// corner is the place in a cell near its first corner.
func (s *scene) corner(c tiling.Cell) pen.Point {
	outline := s.lattice.Outline(c)
	m, first := middle(outline), pointOf(outline[0])
	share := 0.66
	if len(outline) == 3 {
		share = 0.5 // a triangle is narrow there
	}
	x, y := float64(m.x)/fine, float64(m.y)/fine
	return pen.Point{X: x + share*(float64(first.x)-x), Y: y + share*(float64(first.y)-y)}
}

// cellNames writes in the middles of cells the names of those that nothing covers and of the open places,
// and clues.
func (d *drawing) cellNames(s *scene, layer int, x, y float64, colours []pen.Colour) {
	room := d.room(s)
	write := func(c tiling.Cell, back pen.Colour) {
		name := s.puzzle.Board.Names[c]
		if s.placed(c) {
			name = ""
		}
		name = strings.TrimSpace(name + " " + s.clueOf(c, d.labels))
		if c[0] != layer || name == "" {
			return
		}
		n := float64(len([]rune(name)))
		m := middle(s.lattice.Outline(c))
		d.text(float64(m.x)*x/fine, float64(m.y)*y/fine, math.Min(0.8*room, 2.6*room/n), back.Legible(), name)
	}
	for _, c := range s.openPlaces {
		write(c, pen.White)
	}
	if len(s.puzzle.Board.Names) == len(s.openPlaces) && s.clues == nil {
		return
	}
	for _, c := range s.puzzle.Board.Cells {
		write(c, s.back(c, colours))
	}
}

// digits writes the marks of the placements.
func (d *drawing) digits(s *scene, layer int, x, y float64, colours []pen.Colour) {
	if s.marks == nil || s.loops != nil {
		return
	}
	room := d.room(s)
	for c := range s.cells(layer) {
		if mark := s.mark(c); mark != "" {
			m := middle(s.lattice.Outline(c))
			d.text(float64(m.x)*x/fine, float64(m.y)*y/fine, 0.8*room, colours[s.at(c)].Legible(), mark)
		}
	}
}

// named are colours that a puzzle may call by their names.
var named = map[string]pen.Colour{
	"white": pen.White, "black": pen.Black,
	"grey": {0x80, 0x80, 0x80}, "gray": {0x80, 0x80, 0x80},
	"light": {0xe6, 0xe6, 0xe6}, "dark": {0x40, 0x40, 0x40},
	"red": {0xd6, 0x27, 0x28}, "green": {0x2c, 0xa0, 0x2c}, "blue": {0x1f, 0x6f, 0xd4},
	"yellow": {0xff, 0xe0, 0x26}, "orange": {0xff, 0x8c, 0x1a}, "purple": {0x80, 0x3c, 0xb4},
	"violet": {0x80, 0x3c, 0xb4}, "pink": {0xff, 0x9e, 0xc6}, "brown": {0x8c, 0x56, 0x3b},
	"cyan": {0x17, 0xbe, 0xcf}, "magenta": {0xd6, 0x27, 0xb4},
}

// named returns the colour of cells: a colour whose name is a colour keyword has this colour,
// others an automatic colour.
func (s *scene) named(colour int) pen.Colour {
	if c, known := named[s.puzzle.Colours[colour-1]]; known {
		return c
	}
	return numbered(colour - 1)
}
