package tiling

import (
	"encoding/binary"
	"slices"

	"github.com/pavage/pavage/internal/kit/interrupt"
)

// fitter looks up board cells by place, in a table of the board's box: at most
// 2·MaxVolume entries, -1 where there is no cell. If the board wraps, it is the box of the
// cells that stand for all others.
type fitter struct {
	board *Board
	glue  gluing
	room  [3]int
	table []int32
}

func newFitter(b *Board) *fitter {
	glue, _ := b.gluing() // the board is valid
	f := &fitter{board: b, glue: glue, room: glue.room(b.Size)}
	f.table = make([]int32, f.room[0]*f.room[1]*f.room[2])
	for i := range f.table {
		f.table[i] = -1
	}
	for i, c := range b.Cells {
		f.table[f.place(glue.fold(c))] = int32(i)
	}
	return f
}

// place is where a cell is in the table: a sum of multiples of its coordinates, so
// that the places of two cells differ as the cells do.
func (f *fitter) place(c Cell) int { return (c[0]*f.room[1]+c[1])*f.room[2] + c[2] }

// inBox reports whether c lies in the box of the table.
func (f *fitter) inBox(c Cell) bool {
	for axis, side := range f.room {
		if uint(c[axis]) >= uint(side) { // negative ones are large
			return false
		}
	}
	return true
}

// cell is the index of the board cell at c, -1 if there is none.
func (f *fitter) cell(c Cell) int {
	c = f.glue.fold(c)
	if !f.inBox(c) {
		return -1
	}
	return int(f.table[f.place(c)])
}

// steps are the ways in the table from the first cell of o to all its cells.
func (f *fitter) steps(o Shape) []int {
	steps := make([]int, len(o))
	for i, c := range o {
		steps[i] = f.place(c) - f.place(o[0])
	}
	return steps
}

// starts are the board cells on which the first cell of o may stand, ascending, so
// that all its cells are board cells.
func (f *fitter) starts(o Shape, looks *interrupt.Watch) ([]int32, error) {
	b := f.board
	least, most := corners(o)
	steps := f.steps(o)
	var starts []int32
	for at := range b.Cells {
		if err := looks.Work(len(o)); err != nil {
			return nil, err
		}
		shift := b.Cells[at].minus(o[0])
		if b.Lattice.isTranslation(shift) && f.inBox(least.plus(shift)) && f.inBox(most.plus(shift)) && f.fits(at, steps) {
			starts = append(starts, int32(at))
		}
	}
	return starts, nil
}

// fits reports whether these steps from board cell at lead to board cells. All
// must stay in the box.
func (f *fitter) fits(at int, steps []int) bool {
	from := f.place(f.board.Cells[at])
	for _, step := range steps {
		if f.table[from+step] < 0 {
			return false
		}
	}
	return true
}

// cover appends the board cells that these steps from board cell at lead to. Shapes
// and boards are sorted alike, so the cells ascend.
func (f *fitter) cover(cells []int, at int, steps []int) []int {
	from := f.place(f.board.Cells[at])
	for _, step := range steps {
		cells = append(cells, int(f.table[from+step]))
	}
	return cells
}

// Unrolled tells which board cell lies at a cell of the endless lattice, -1 if none: on a board
// that wraps, many cells are the same place. It fails if the board cannot wrap so.
func (b *Board) Unrolled() (func(Cell) int, error) {
	if _, err := b.gluing(); err != nil {
		return nil, err
	}
	return newFitter(b).cell, nil
}

// lift is the cell of the endless lattice at a place of the table.
func (f *fitter) lift(at int) Cell { return Cell{0, at / f.room[2], at % f.room[2]} }

// folded appends the board cells that a shape covers whose first cell stands on a cell of the
// endless lattice, in the order of its own. There are none if it leaves the board.
func (f *fitter) folded(cells []int, o Shape, at Cell) []int {
	shift := at.minus(o[0])
	for _, c := range o {
		i := f.cell(c.plus(shift))
		if i < 0 {
			return cells[:0]
		}
		cells = append(cells, i)
	}
	return cells
}

// sortedOnce sorts cells, and reports whether none is there twice.
func sortedOnce(cells []int) bool {
	slices.Sort(cells)
	for i := 1; i < len(cells); i++ {
		if cells[i] == cells[i-1] {
			return false
		}
	}
	return true
}

// cellsKey is a text that tells sets of board cells apart.
func cellsKey(cells []int) string {
	key := make([]byte, 0, 4*len(cells))
	for _, c := range cells {
		key = binary.LittleEndian.AppendUint32(key, uint32(c))
	}
	return string(key)
}
