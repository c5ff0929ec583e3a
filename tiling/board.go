package tiling

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pavage/pavage/internal/kit/wording"
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

// NewBoard returns the board of all cells of a box. The sides of the box must be positive: see
// [CheckBox].
func NewBoard(l *Lattice, size [3]int) *Board {
	cells := boxCells(size)
	return &Board{Lattice: l, Size: size, Cells: cells, Optional: make([]bool, len(cells))}
}

// Validate returns an error if b is not a valid board within the limits. The error is about the
// first mistake.
func (b *Board) Validate() error {
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
	if err := CheckBox(b.Size, MaxVolume); err != nil {
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
	case int(b.Wrap) >= len(wraps):
		return gluing{}, fmt.Errorf("wrap %s, want %s", b.Wrap, wording.List(WrapNames()))
	case b.Wrap != NoWrap && b.Lattice.turnRows == (motion{}):
		return gluing{}, fmt.Errorf("wrap %s on the %s lattice, want a board of squares or hexagons", b.Wrap, b.Lattice)
	}
	return newGluing(b.Wrap, b.Size, b.Cells, b.Lattice.turnRows)
}

// CheckBox returns an error if a side of a box is not 1 to MaxSide, or if the box has more than
// most cells.
func CheckBox(size [3]int, most int64) error {
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

// figure is a board that is told by the lengths of its sides, such as {hexagon: [2, 3, 4]}: its
// number of rows and their ends, from any origin.
type figure func(s sides) (rows int, ends rowEnds)

// rowEnds are the columns of the first and the last cell of a row, from 0.
type rowEnds func(row int) (first, last int)

// sides are the lengths of the sides of a figure: of a hexagon, with the sides a, b, c, a, b, c
// clockwise from the top; of a rhombus, its rows and columns; of a triangle, the first.
type sides [3]int

// edges tells where line i of a hexagon begins, and how far the right side is out there. The
// right side goes out for b lines, and then in; the left one for c.
//
//	  __a__
//	c╱     ╲b
//	╱       ╲
//	╲       ╱
//	b╲_____╱c
//	    a
func edges(i, b, c int) (left, right int) {
	left, right = c-i, c+i
	if i > c {
		left = i - c
	}
	if i > b {
		right = c + 2*b - i
	}
	return left, right
}

// figureSides says how many sides a figure may be told by: the last of them stands for those
// that are left out.
var figureSides = map[string][]string{"diamond": {"1"}, "hexagon": {"1", "3"}, "triangle": {"1"}, "rhombus": {"1", "2"}}

// Figure returns a board on l in the shape that name names, such as hexagon. The lengths of its
// sides are 1 to [MaxSide] each. If l is nil, the board is on [Square] if Square has the shape, or
// else on [Triangle]. The board is not validated.
func Figure(l *Lattice, name string, lengths []int) (*Board, error) {
	if l == nil && Square.figures[name] != nil {
		l = Square
	}
	b := &Board{Lattice: cmp.Or(l, Triangle)}
	f := b.Lattice.figures[name]
	switch {
	case figureSides[name] == nil:
		return nil, fmt.Errorf("unknown shape of a board %s, want %s", wording.Quote(name), wording.List(slices.Sorted(maps.Keys(figureSides))))
	case f == nil:
		var on []string
		for _, l := range lattices {
			if l.figures[name] != nil {
				on = append(on, l.name)
			}
		}
		return nil, fmt.Errorf("a board in the shape of a %s on the %s lattice, want lattice: %s", name, b.Lattice, strings.Join(on, " or lattice: "))
	case !slices.Contains(figureSides[name], strconv.Itoa(len(lengths))):
		return nil, fmt.Errorf("%d sides of a %s, want %s", len(lengths), name, wording.List(figureSides[name]))
	}
	var s sides
	for i := range s {
		s[i] = lengths[min(i, len(lengths)-1)]
	}
	if err := CheckBox(s, math.MaxInt64); err != nil { // its sides: the area is checked below
		return nil, err
	}
	rows, ends := f(s)
	area := 0
	for r := range rows {
		first, last := ends(r)
		area += last - first + 1
	}
	if err := checkCount(int64(area), MaxCells); err != nil {
		return nil, fmt.Errorf("a %s with these sides has %w in all", name, err)
	}
	for r := range rows {
		first, last := ends(r)
		for c := first; c <= last; c++ {
			b.Cells = append(b.Cells, Cell{0, r, c})
		}
	}
	b.Optional = make([]bool, len(b.Cells))
	b.fit()
	return b, nil
}
