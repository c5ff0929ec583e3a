package tiling

import (
	"encoding/binary"
	"fmt"
	"slices"
)

// findFolded appends where another orientation lies on a board that wraps. Its first cell
// stands on each cell of the endless lattice that translations can not take to another such
// cell. So it is carried around a Möbius band twice, once as it is and once turned over.
//
// Each place is a set of board cells. It counts once, whichever orientations cover it: a
// domino on a ring of two rows covers both when it points down, and when it points up. A set
// with a cell twice is no place.
func (l *layout) findFolded(w *where, o Shape) error {
	f := l.fitter
	if w.sets == nil {
		w.sets = map[string]bool{}
	}
	var starts []int32
	var cells []int
	for at := range len(f.table) {
		if err := l.looks.Work(len(o)); err != nil {
			return err
		}
		var free bool
		cells, free = f.folded(cells[:0], o, f.lift(at))
		if !free {
			w.onItself = w.onItself || len(cells) > 0
			continue
		}
		if key := cellsKey(cells); !w.sets[key] {
			w.sets[key] = true
			starts = append(starts, int32(at))
			w.cells = append(w.cells, slices.Clone(cells))
		}
		if tooMany(l.placements+len(starts), l.uses+len(starts)*(len(o)+1)) {
			break // count says so
		}
	}
	w.starts = append(w.starts, starts)
	w.places += len(starts)
	l.places += len(starts)
	l.cells += len(starts) * len(o)
	return nil
}

// lift is the cell of the endless lattice at a place of the table.
func (f *fitter) lift(at int) Cell { return Cell{0, at / f.room[2], at % f.room[2]} }

// folded appends the board cells that a shape covers whose first cell stands on a cell of the
// endless lattice, ascending. There are none if it leaves the board; it is not free if it
// covers a cell twice.
func (f *fitter) folded(cells []int, o Shape, at Cell) (_ []int, free bool) {
	shift := at.minus(o[0])
	for _, c := range o {
		i := f.cell(c.plus(shift))
		if i < 0 {
			return cells[:0], false
		}
		cells = append(cells, i)
	}
	slices.Sort(cells)
	for i := 1; i < len(cells); i++ {
		if cells[i] == cells[i-1] {
			return cells, false
		}
	}
	return cells, true
}

// cellsKey is a text that tells sets of board cells apart.
func cellsKey(cells []int) string {
	key := make([]byte, 0, 4*len(cells))
	for _, c := range cells {
		key = binary.LittleEndian.AppendUint32(key, uint32(c))
	}
	return string(key)
}

// errOnItself says that a piece has no place only because the board wraps.
func (l *layout) errOnItself(p Piece) error {
	b := l.puzzle.Board
	return &Error{Text: fmt.Sprintf("piece %s would lie on itself wherever it is put, as the board of %s wraps (%s); want a larger board, a smaller piece or another wrap",
		quote(p.Name), b.Lattice.SizeName(b.Size), b.Wrap)}
}
