package tiling

import "bytes"

// Typed are the rows of each layer of a shape as a puzzle file has them, equally long,
// with '.' for the places between its cells that it leaves out. The first row begins with a mark,
// not a blank, so that the rows can be a block of YAML.
func (l *Lattice) Typed(s Shape) [][]string { return l.TypedWith(s, nil) }

// TypedWith is Typed with letters for some cells: those of letters that are not 0.
func (l *Lattice) TypedWith(s Shape, letters []byte) [][]string {
	return l.rows(s.Size(), s, nil, letters)
}

// Typed are the rows of each layer of the board, as those of a shape; on squares and cubes of all
// its size, else around its cells.
func (b *Board) Typed() [][]string { return b.TypedWith(nil) }

// TypedWith is Typed with letters for some cells: those of letters that are not 0.
func (b *Board) TypedWith(letters []byte) [][]string {
	return b.Lattice.rows(b.Size, b.Cells, b.Optional, letters)
}

// rows draws cells of which some may stay empty and some have letters.
func (l *Lattice) rows(size [3]int, cells []Cell, optional []bool, letters []byte) [][]string {
	lines, left, columns := l.typedBox(size, cells)
	layers := make([][][]byte, size[0])
	for i := range layers {
		for line := range lines {
			layers[i] = append(layers[i], l.blankRow(line, left, columns))
		}
	}
	for i, c := range cells {
		line, column := l.typedAt(c)
		mark := l.typedMark(c, optional != nil && optional[i])
		if letters != nil && letters[i] != 0 {
			mark = letters[i]
		}
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

// typedMark is what is typed for a cell.
func (l *Lattice) typedMark(c Cell, optional bool) byte {
	switch {
	case optional:
		return 'o'
	case l.mark == nil:
		return '#'
	}
	return l.mark(c)
}

// typedBox is how many lines, from which column on and how many columns the cells of a layer take.
func (l *Lattice) typedBox(size [3]int, cells []Cell) (lines, left, columns int) {
	lines, right := size[1], 0
	if l.typedSize != nil { // the box is drawn with its empty margins
		return lines, 0, size[2]
	}
	for i, c := range cells {
		_, column := l.typedAt(c)
		if i == 0 {
			left = column
		}
		left, right = min(left, column), max(right, column)
	}
	if !l.place(0, left) {
		left--
	}
	return lines, left, right - left + 1
}

// place reports whether a cell can stand at a line and a column of a drawing.
func (l *Lattice) place(line, column int) bool {
	_, first := l.typedAt(Cell{0, line, 0})
	_, second := l.typedAt(Cell{0, line, 1})
	return (column-first)%(second-first) == 0
}

// blankRow is a row without cells.
func (l *Lattice) blankRow(line, left, columns int) []byte {
	row := bytes.Repeat([]byte{' '}, columns)
	for x := range row {
		if l.place(line, left+x) {
			row[x] = '.'
		}
	}
	return row
}
