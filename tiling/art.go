package tiling

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/pavage/pavage/internal/kit/wording"
)

// boardMarks has '#' for a cell, 'o' for a cell that may stay empty, and '.' and ' ' for no cell.
const boardMarks = "#o. "

type art [][]string

// parseArt splits a drawing into layers at blank lines, and layers into rows. It returns an error
// if a character is neither in marks nor in letters, the letters of colours, or if the drawing has
// too many or too long lines.
func parseArt(text, marks, letters string) (art, error) {
	text = strings.TrimRight(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	if strings.Count(text, "\n") >= 2*MaxSide {
		return nil, fmt.Errorf("too many lines in the drawing, expected at most %d lines", 2*MaxSide)
	}
	if text == "" {
		return nil, errors.New("the drawing is empty, expected at least one row")
	}
	marks += letters
	drawing := art{nil}
	for i, row := range strings.Split(text, "\n") {
		last := len(drawing) - 1
		switch {
		case row == "" && drawing[last] == nil:
			return nil, errRow(i, 0, "line %d of the drawing is blank, expected a row: one blank line separates two layers", i+1)
		case row == "":
			drawing = append(drawing, nil)
			continue
		case len(row) > MaxSide:
			return nil, errRow(i, MaxSide, "line %d of the drawing has %d cells, expected at most %d, the longest side", i+1, len(row), MaxSide)
		}
		if at := strings.IndexFunc(row, func(r rune) bool { return !strings.ContainsRune(marks, r) }); at >= 0 {
			char, rule := string([]rune(row[at:])[:1]), ""
			isLetter := strings.Contains(alphabet, char) && !strings.Contains("ov", char) // o and v are no letters of colours
			switch {
			case char == "/":
				rule = "; rows are separate lines"
			case isLetter && strings.ContainsAny(letters, alphabet):
				rule = fmt.Sprintf("; the key \"colours\" has no letter %s", char)
			case isLetter:
				rule = "; a letter needs the key \"colours\" of a puzzle file"
			}
			return nil, errRow(i, utf8.RuneCountInString(row[:at]), "line %d of the drawing has %s, expected %s or a blank%s",
				i+1, wording.Quote(char), strings.Join(quoted(marks), ", "), rule)
		}
		drawing[last] = append(drawing[last], row)
	}
	return drawing, nil
}

// DrawingError is an error about one place of a drawing.
type DrawingError struct {
	Row, Column int // line of the drawing and character in the line, both from 0
	Text        string
}

// Error returns e.Text.
func (e *DrawingError) Error() string { return e.Text }

func errRow(row, column int, format string, args ...any) error {
	return &DrawingError{row, column, fmt.Sprintf(format, args...)}
}

const (
	digits   = "0123456789"
	alphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
)

func quoted(marks string) (all []string) {
	for _, m := range strings.NewReplacer(" ", "", regionMarks, "", digits, "").Replace(marks) {
		all = append(all, fmt.Sprintf("%q", m))
	}
	switch {
	case strings.Contains(marks, regionMarks):
		all = append(all, "a letter, a digit")
	case strings.Contains(marks, digits):
		all = append(all, "a digit")
	}
	return all
}

func (a art) cells() (cells []Cell, err error) {
	for m := range a.marks {
		if m.char != '.' {
			cells = append(cells, m.at)
		}
	}
	return cells, nil
}

type mark struct {
	at   Cell
	line int
	char byte
}

func (a art) marks(yield func(mark) bool) {
	line := 0
	for l, layer := range a {
		for r, row := range layer {
			for c := range len(row) {
				if row[c] != ' ' && !yield(mark{Cell{l, r, c}, line + r, row[c]}) {
					return
				}
			}
		}
		line += len(layer) + 1 // the rows of the layer and the blank line after it
	}
}

func (m mark) errorf(format string, args ...any) error {
	return errRow(m.line, m.at[2], "line %d of the drawing has %q "+format, append([]any{m.line + 1, m.char}, args...)...)
}

// size returns the numbers of layers, rows and columns. It returns an error if layers or rows
// differ in length, since a ragged board is probably a mistake.
func (a art) size() ([3]int, error) {
	rows, columns := len(a[0]), len(a[0][0])
	line := 0 // number of the line of the drawing where the layer begins
	for l, layer := range a {
		if len(layer) != rows {
			return [3]int{}, errRow(line, 0, "layer %d of the drawing has %s, expected %d as in the first layer", l+1, wording.Plural(len(layer), "row"), rows)
		}
		for r, row := range layer {
			if len(row) != columns {
				return [3]int{}, errRow(line+r, min(len(row), columns), "line %d of the drawing has %s, expected %d as in the first line", line+r+1, wording.Plural(len(row), "cell"), columns)
			}
		}
		line += len(layer) + 1 // the rows of the layer and the blank line after it
	}
	return [3]int{len(a), rows, columns}, nil
}

// ReadBoard reads a drawing in the form of [Board.Typed], and does not validate the board. The mark
// letters[k-1] is a cell of colour k. An error about one place is a *[DrawingError].
func (l *Lattice) ReadBoard(text, letters string) (*Board, error) {
	drawing, dyes, err := l.parseArt(text, l.BoardMarks, letters)
	if err != nil {
		return nil, err
	}
	b := &Board{Lattice: l, Colours: dyes}
	if b.Cells, err = l.typedCells(drawing); err != nil {
		return nil, err
	}
	b.Optional = make([]bool, 0, len(b.Cells))
	for m := range drawing.marks {
		if m.char != '.' {
			b.Optional = append(b.Optional, m.char == 'o')
		}
	}
	if l.typedSize == nil {
		b.fit()
		return b, nil
	}
	b.Size, err = l.typedSize(drawing)
	return b, err
}

// fit translates the cells so that their least coordinates become 0. On triangles, the least column
// may become 1. It sets b.Size to the size of the box around the cells.
func (b *Board) fit() {
	least := b.Lattice.origin(b.Cells)
	for i := range b.Cells {
		b.Cells[i] = b.Cells[i].minus(least)
	}
	if b.Size = Shape(b.Cells).Size(); len(b.Cells) == 0 {
		b.Size = [3]int{1, 1, 1} // Validate reports that there is no cell
	}
}

// ReadShape returns a piece with the cells, colours and marks of a drawing. A cell drawn as a digit
// has this digit as its mark. For letters and errors see [Lattice.ReadBoard].
func (l *Lattice) ReadShape(text, letters string) (Piece, error) {
	drawing, dyes, err := l.parseArt(text, l.ShapeMarks(), letters+digits)
	if err != nil {
		return Piece{}, err
	}
	cells, err := l.typedCells(drawing)
	switch {
	case err != nil:
		return Piece{}, err
	case len(cells) == 0:
		return Piece{}, fmt.Errorf("the shape has no cell, expected at least one %s", l.cellMarks(l.ShapeMarks()))
	}
	if err := checkCount(int64(len(cells)), MaxShapeCells); err != nil {
		return Piece{}, fmt.Errorf("the shape has %w", err)
	}
	marks := ""
	if strings.ContainsAny(text, digits) {
		typed := bytes.Repeat([]byte{'0'}, len(dyes))
		for i, k := range dyes {
			if k > len(letters) {
				typed[i], dyes[i] = digits[k-1-len(letters)], 0
			}
		}
		marks = string(typed)
	}
	if !strings.ContainsAny(text, letters) {
		dyes = nil
	}
	t := l.tint(cells, dyes, marks)
	return Piece{Lattice: l, Shape: t.shape, Colours: t.colours, Marks: t.marks}, nil
}

func colourOf(mark byte, letters string) int { return 1 + strings.IndexByte(letters, mark) }

// parseArt is like the function parseArt, but a cell may also be a letter, which means a colour. It
// returns the colours of the cells in the order of the text, or nil if no cell has a colour.
func (l *Lattice) parseArt(text, marks, letters string) (drawing art, dyes []int, err error) {
	if drawing, err = parseArt(text, marks, letters); err != nil || !strings.ContainsAny(text, letters) {
		return drawing, nil, err
	}
	for m := range drawing.marks {
		if m.char != '.' {
			dyes = append(dyes, colourOf(m.char, letters))
		}
	}
	return drawing, dyes, nil
}

// Dye gives colours to the cells of a valid board that have none, from a drawing that is repeated
// over the board; '#' means no colour. For letters and errors see [Lattice.ReadBoard].
func (b *Board) Dye(pattern, letters string) error {
	drawing, err := parseArt(pattern, "#", letters)
	if err != nil {
		return err
	}
	size, err := drawing.size()
	if err != nil {
		return err
	}
	if b.Colours == nil {
		b.Colours = make([]int, len(b.Cells))
	}
	for i, cell := range b.Cells {
		if b.Colours[i] == 0 {
			mark := drawing[cell[0]%size[0]][cell[1]%size[1]][cell[2]%size[2]]
			b.Colours[i] = colourOf(mark, letters)
		}
	}
	return nil
}

const regionMarks = digits + alphabet

// ReadRegions returns the name of the region of each cell in a drawing of the board. A letter or a
// digit is a name; '.' and ' ' mean no region. An error about one place is a *[DrawingError].
func (b *Board) ReadRegions(text string) (map[Cell]string, error) {
	drawing, err := parseArt(text, regionMarks+". ", "")
	if err != nil {
		return nil, err
	}
	rows := 0
	for _, layer := range drawing {
		rows = max(rows, len(layer))
	}
	if len(drawing) != b.Size[0] {
		return nil, fmt.Errorf("the regions have %s, expected %d, as the board has", wording.Plural(len(drawing), "layer"), b.Size[0])
	}
	if rows != b.Size[1] {
		return nil, fmt.Errorf("the regions have %s, expected %d, as the board has", wording.Plural(rows, "row"), b.Size[1])
	}
	left, _ := b.Lattice.margins(b.Size, b.Cells)
	cells := make(map[Cell]Cell, len(b.Cells)) // indexed by layer, line and column of the drawing
	for _, c := range b.Cells {
		line, column := b.Lattice.TypedAt(c)
		cells[Cell{c[0], line, column - left}] = c
	}
	names := map[Cell]string{}
	for m := range drawing.marks {
		if m.char == '.' {
			continue
		}
		c, known := cells[m.at]
		if !known {
			return nil, m.errorf("where the board has no cell, expected '.'")
		}
		names[c] = string(m.char)
	}
	return names, nil
}

// Typed returns a drawing of a shape, for a puzzle file: the rows of each layer. The rows are
// equally long, and the first row does not begin with a blank, so they can be a block of YAML.
func (l *Lattice) Typed(s Shape) [][]string { return l.TypedWith(s, nil) }

// TypedWith is like Typed, but draws cell i as the character letters[i], unless letters[i] is 0.
func (l *Lattice) TypedWith(s Shape, letters []byte) [][]string {
	return l.rows(s.Size(), s, nil, letters)
}

// Typed returns a drawing of the board: the rows of each layer. On squares and cubes, the drawing
// has the whole box, including rows and columns without a cell.
func (b *Board) Typed() [][]string { return b.TypedWith(nil) }

// TypedWith is like Typed, but draws cell i as the character letters[i], unless letters[i] is 0.
func (b *Board) TypedWith(letters []byte) [][]string {
	return b.Lattice.rows(b.Size, b.Cells, b.Optional, letters)
}

func (l *Lattice) margins(size [3]int, cells []Cell) (left, columns int) {
	if l.typedSize != nil { // the box is drawn with its empty margins
		return 0, size[2]
	}
	right := 0
	for i, c := range cells {
		_, column := l.TypedAt(c)
		if i == 0 {
			left = column
		}
		left, right = min(left, column), max(right, column)
	}
	if !l.place(0, left) {
		left--
	}
	return left, right - left + 1
}

func (l *Lattice) rows(size [3]int, cells []Cell, optional []bool, letters []byte) [][]string {
	left, columns := l.margins(size, cells)
	layers := make([][][]byte, size[0])
	for i := range layers {
		for line := range size[1] {
			row := bytes.Repeat([]byte{' '}, columns)
			for x := range row {
				if l.place(line, left+x) {
					row[x] = '.'
				}
			}
			layers[i] = append(layers[i], row)
		}
	}
	for i, c := range cells {
		mark := byte('#')
		switch {
		case letters != nil && letters[i] != 0:
			mark = letters[i]
		case optional != nil && optional[i]:
			mark = 'o'
		case l.mark != nil:
			mark = l.mark(c)
		}
		line, column := l.TypedAt(c)
		layers[c[0]][line][column-left] = mark
	}
	texts := make([][]string, len(layers))
	for i, layer := range layers {
		for _, row := range layer {
			texts[i] = append(texts[i], string(row))
		}
	}
	return texts
}

// place reports whether a cell can be drawn at this line and column.
func (l *Lattice) place(line, column int) bool {
	_, first := l.TypedAt(Cell{0, line, 0})
	_, second := l.TypedAt(Cell{0, line, 1})
	return (column-first)%(second-first) == 0
}
