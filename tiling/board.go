package tiling

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Board is the set of cells of a lattice to tile. Cells are sorted by (layer, row, column)
// and lie in 0..Size-1; Size is the box the board was drawn in, which may be
// larger than its cells need. Optional[i] says that cell i may stay empty.
type Board struct {
	Lattice  *Lattice
	Size     [3]int // layers, rows, columns; one layer in the plane
	Cells    []Cell
	Optional []bool // as long as Cells
	Wrap     Wrap   // which borders of the box are glued together
	Colours  []int  // of each cell, see Puzzle.Colours; 0 for none; nil if no cell has one

	// Names are the names of those places in the box that have one: of cells, and of places
	// that were taken off the board because they stay open. Nil: there are none.
	Names map[Cell]string
}

// Index returns the index in Cells of c, or -1 if c is not on the board. It
// takes O(log cells).
func (b *Board) Index(c Cell) int {
	if i, found := slices.BinarySearchFunc(b.Cells, c, compareCells); found {
		return i
	}
	return -1
}

// validate reports the first thing that makes b not a board within the limits.
func (b *Board) validate() error {
	switch {
	case b == nil:
		return fmt.Errorf("no board, want one")
	case b.Lattice == nil:
		return fmt.Errorf("no lattice, want one")
	case b.Lattice.Dimensions() == 2 && b.Size[0] != 1:
		return fmt.Errorf("%d layers on the %s lattice, want 1 (or lattice: cube)",
			b.Size[0], b.Lattice)
	case len(b.Cells) == 0:
		return fmt.Errorf("no cell on the board, want at least one %s",
			b.Lattice.cellMarks(b.Lattice.boardMarks))
	case len(b.Optional) != len(b.Cells):
		return fmt.Errorf("%d optional marks for %d cells, want one each",
			len(b.Optional), len(b.Cells))
	}
	if err := checkBox(b.Size, MaxVolume); err != nil {
		return fmt.Errorf("the box around the cells has %w", err)
	}
	if err := checkCount(int64(len(b.Cells)), MaxCells); err != nil {
		return err
	}
	if err := b.validateCells(); err != nil {
		return err
	}
	_, err := b.gluing()
	return err
}

func (b *Board) validateCells() error {
	for i, c := range b.Cells {
		if i > 0 && compareCells(b.Cells[i-1], c) >= 0 {
			return fmt.Errorf("cell %v after %v, want cells sorted and distinct", c, b.Cells[i-1])
		}
		for axis, v := range c {
			if v < 0 || v >= b.Size[axis] {
				return fmt.Errorf("cell %v outside the size %v", c, b.Size)
			}
		}
	}
	return nil
}

// gluing is the group that the wrap of the board stands for, or why there is none.
func (b *Board) gluing() (gluing, error) {
	switch {
	case int(b.Wrap) >= len(wrapNames):
		return gluing{}, fmt.Errorf("wrap %s, want %s", b.Wrap, list(wrapNames))
	case b.Wrap != NoWrap && b.Lattice.turnRows == (motion{}):
		return gluing{}, fmt.Errorf("wrap %s on the %s lattice, want a board of squares or hexagons", b.Wrap, b.Lattice)
	}
	return newGluing(b.Wrap, b.Size, b.Cells, b.Lattice.turnRows)
}

// checkBox holds the sides and the volume of a box to their limits.
func checkBox(size [3]int, most int64) error {
	volume := int64(1)
	for _, side := range size {
		if side < 1 || side > MaxSide {
			return fmt.Errorf("a side of %d, want 1..%d", side, MaxSide)
		}
		volume *= int64(side) // at most 2^36
	}
	return checkCount(volume, most)
}

func checkCount(cells, most int64) error {
	if cells > most {
		return fmt.Errorf("%d cells, want at most %d", cells, most)
	}
	return nil
}

// boxCells are the cells of a full box, sorted.
func boxCells(size [3]int) []Cell {
	cells := make([]Cell, 0, size[0]*size[1]*size[2])
	for l := range size[0] {
		for r := range size[1] {
			for c := range size[2] {
				cells = append(cells, Cell{l, r, c})
			}
		}
	}
	return cells
}

// boardForm and boxForm are what a size looks like, for errors.
const (
	boardForm = `a size such as 8x8 or 4x4x4, or a drawing of '#', 'o' and '.'`
	boxForm   = "a size such as 2x3 or 1x1x2"
)

// parseBoard reads a board as a size or a drawing. The lattice is nil where the puzzle
// does not say one: then the number of dimensions says it.
func parseBoard(text string, l *Lattice, colours *colourReader) (*Board, error) {
	b := &Board{Lattice: l}
	if l == nil {
		b.Lattice = Square
	}
	dimensions := 0
	letters, err := colours.letters(b.Lattice)
	if err != nil {
		return nil, err
	}
	if isSize(text, b.Lattice.boardMarks+letters) {
		b.Size, dimensions, err = parseSize(text, boardForm, MaxCells)
		if err == nil && dimensions < b.Lattice.Dimensions() {
			err = fmt.Errorf("size %s of a %s board, want %s",
				quote(text), b.Lattice, b.Lattice.form())
		}
		if err == nil {
			b.Cells = boxCells(b.Size)
			b.Optional = make([]bool, len(b.Cells))
		}
	} else {
		err = b.draw(text, colours)
	}
	if err != nil {
		return nil, err
	}
	return b, b.settle(l, dimensions == 3 || b.Size[0] > 1)
}

// settle puts a board of three dimensions whose lattice is not said on the cube lattice, and
// refuses it on another. Then it validates the board.
func (b *Board) settle(said *Lattice, solid bool) error {
	if solid {
		b.Lattice = Cube
	}
	if err := b.validate(); err != nil {
		return err
	}
	if said != nil && said != b.Lattice {
		return fmt.Errorf("a board of three dimensions on the %s lattice, want two (or lattice: cube)", said)
	}
	return nil
}

// isSize tells a size from a drawing. A wrong size (8y8) must be called a
// wrong size, and a wrong drawing a wrong drawing: several lines make a drawing, and so do one
// drawn character and no digit, or characters that are all marks of some lattice.
func isSize(text, marks string) bool {
	switch text = strings.Trim(text, "\r\n"); {
	case text == "" || strings.Contains(text, "\n"):
		return text == ""
	case drawnIn(text, everyMark):
		return false
	}
	return strings.ContainsAny(text, "0123456789") || !strings.ContainsAny(text, marks)
}

// parseSize reads RxC or LxRxC, a box of at most so many cells; RxC has one
// layer. The x may be a capital or a sign of multiplication with blanks around
// it. It returns the number of dimensions written too.
func parseSize(text, form string, most int64) (size [3]int, dimensions int, err error) {
	sides := strings.Split(strings.NewReplacer("X", "x", "×", "x").Replace(text), "x")
	dimensions = len(sides)
	if dimensions != 2 && dimensions != 3 {
		return size, 0, fmt.Errorf("bad size %s, want %s", quote(text), form)
	}
	size[0] = 1
	for i, side := range sides {
		side = strings.Trim(side, " ")
		n, ok := parseNumber(side, MaxSide)
		if !ok || n == 0 {
			return size, 0, fmt.Errorf("bad side %s in size %s, want a side of 1..%d", quote(side), quote(text), MaxSide)
		}
		size[3-dimensions+i] = n
	}
	if err := checkBox(size, most); err != nil {
		return size, 0, fmt.Errorf("size %s is %w in all", quote(text), err)
	}
	return size, dimensions, nil
}

// parseNumber reads decimal digits only: no sign, no 0x, no 1_000. It refuses
// long runs of digits before converting them.
func parseNumber(text string, most int) (int, bool) {
	if len(text) == 0 || len(text) > len(strconv.Itoa(most)) {
		return 0, false
	}
	n, err := strconv.ParseUint(text, 10, 32) // takes digits only
	if err != nil || n > uint64(most) {
		return 0, false
	}
	return int(n), true
}
