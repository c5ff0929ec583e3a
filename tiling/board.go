package tiling

import (
	"fmt"
	"slices"

	"github.com/pavage/pavage/internal/kit/wording"
)

// Board is the set of cells that is tiled. Cells is sorted by (layer, row, column), and its
// coordinates are at least 0 and less than Size. If Optional[i] is true, Cells[i] may stay empty.
type Board struct {
	Lattice  *Lattice
	Size     [3]int // numbers of layers, rows and columns; one layer in the plane
	Cells    []Cell
	Optional []bool // one for each cell
	Wrap     Wrap   // which borders of the box are glued together
	Colours  []int  // see Puzzle.Colours; 0 means no colour; nil if no cell has one

	// Names has the names of cells, including cells that a puzzle file removed from the board.
	Names map[Cell]string
}

// Index returns the index of c in Cells, or -1 if c is not on the board, in O(log cells).
func (b *Board) Index(c Cell) int {
	if i, found := slices.BinarySearchFunc(b.Cells, c, compareCells); found {
		return i
	}
	return -1
}

// CellName returns the coordinates of c, from 0: "row,column", or "layer,row,column" in space.
func (b *Board) CellName(c Cell) string { return join(b.Lattice.Coordinates(c), ",") }

// NewBoard returns the board of all cells of a box with positive sides: see [CheckBox].
func NewBoard(l *Lattice, size [3]int) *Board {
	cells := boxCells(size)
	return &Board{Lattice: l, Size: size, Cells: cells, Optional: make([]bool, len(cells))}
}

// Validate returns an error about the first mistake of b, or nil if b is valid within the limits.
func (b *Board) Validate() error { return b.ValidateWithin(CellLimit{}) }

// ValidateWithin is Validate with a limit on the number of cells.
func (b *Board) ValidateWithin(cells CellLimit) error {
	switch {
	case b == nil:
		return fmt.Errorf("there is no board, expected a board")
	case b.Lattice == nil:
		return fmt.Errorf("the board has no lattice, expected a lattice such as square")
	case b.Lattice.Dimensions() == 2 && b.Size[0] != 1:
		return fmt.Errorf("the board has %d layers on the %s lattice, expected 1 layer (or lattice: cube)",
			b.Size[0], b.Lattice)
	case len(b.Cells) == 0:
		return fmt.Errorf("the board has no cell, expected at least one %s",
			b.Lattice.cellMarks(b.Lattice.BoardMarks))
	case len(b.Optional) != len(b.Cells):
		return fmt.Errorf("%d optional marks for %d cells, expected one mark for each cell",
			len(b.Optional), len(b.Cells))
	}
	side, volume := MaxSide, int64(MaxVolume)
	if cells.Most > MaxCells { // the box around a figure may have sides of up to 2·MaxSide
		side, volume = 2*MaxSide, 2*cells.Most
	}
	if err := checkBox(b.Size, side, volume); err != nil {
		return fmt.Errorf("the box around the cells has %w", err)
	}
	if err := checkCount(int64(len(b.Cells)), cells.most()); err != nil {
		return fmt.Errorf("the board has %w", err)
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
			return fmt.Errorf("cell %v comes after cell %v, expected sorted and distinct cells", c, b.Cells[i-1])
		}
		for axis, v := range c {
			if v < 0 || v >= b.Size[axis] {
				return fmt.Errorf("cell %v is outside the size %v of the board", c, b.Size)
			}
		}
	}
	return nil
}

func (b *Board) gluing() (gluing, error) {
	switch {
	case int(b.Wrap) >= len(wraps):
		return gluing{}, fmt.Errorf("wrap %s is unknown, expected %s", b.Wrap, wording.List(WrapNames()))
	case b.Wrap != NoWrap && b.Lattice.turnRows == (motion{}):
		return gluing{}, fmt.Errorf("wrap %s is not possible on the %s lattice, expected a board of squares or hexagons", b.Wrap, b.Lattice)
	}
	return newGluing(b.Wrap, b.Size, b.Cells, b.Lattice.turnRows)
}

// CheckBox returns an error if a side is not in 1..MaxSide, or if there are more than most cells.
func CheckBox(size [3]int, most int64) error { return checkBox(size, MaxSide, most) }

func checkBox(size [3]int, longest int, most int64) error {
	volume := int64(1)
	for _, side := range size {
		if side < 1 || side > longest {
			return fmt.Errorf("a side of %d, expected sides of 1..%d", side, longest)
		}
		volume *= int64(side) // no overflow: at most 2^39
	}
	return checkCount(volume, most)
}

func checkCount(cells, most int64) error {
	if cells > most {
		return fmt.Errorf("%d cells, expected at most %d cells", cells, most)
	}
	return nil
}

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
