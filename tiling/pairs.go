package tiling

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/limit"
)

// MaxPairedCells is the largest number of cells of a board for [Pairs].
const MaxPairedCells = 1 << 25

// PairedCellBytes is the largest number of bytes for one cell of a board with [Pairs]: 25 in the
// board, 8 in Pairs.Places, and 24 in Pairs.Ends for three orientations.
const PairedCellBytes = 57

// Pairs has the placements of a puzzle on a flat board without optional cells. The puzzle has one
// piece of two cells, such as the domino, with any number of copies. Placements have the same
// indices as in the [Model] of the puzzle, but each placement needs 8 bytes instead of about 500.
type Pairs struct {
	Puzzle *Puzzle
	Places [][2]int32 // row and column of each cell
	Ends   [][2]int32 // the two cells that each placement covers
}

// NewPairs returns the Pairs of a valid puzzle, or nil if the puzzle is not as [Pairs] requires.
func NewPairs(p *Puzzle) *Pairs {
	b := p.Board
	if len(p.Pieces) != 1 || len(p.Colours)+len(p.Groups) > 0 || newRules(p) != nil || p.hasMarks() ||
		b.Wrap != NoWrap || b.Lattice.Dimensions() != 2 || slices.Contains(b.Optional, true) {
		return nil
	}
	piece := p.Pieces[0]
	if len(piece.Shape) != 2 || piece.Min > 0 || piece.Max != cover.Unbounded {
		return nil
	}
	shapes := piece.Orientations()
	places := make([][2]int32, len(b.Cells))
	for i, c := range b.Cells {
		places[i] = [2]int32{int32(c[1]), int32(c[2])}
	}
	all := &Pairs{p, places, make([][2]int32, 0, len(shapes)*len(places))}
	for _, s := range shapes {
		step := s[1].minus(s[0])
		row := b.Size[2] + max(step[2], -step[2]) // length of a row, plus room for steps to the side
		position := func(i int) int { return int(places[i][0])*row + int(places[i][1]) }
		second := 0 // never decreases, since a translation keeps the order of the cells
		for first := range places {
			to := position(first) + step[1]*row + step[2]
			for second < len(places) && position(second) < to {
				second++
			}
			if second < len(places) && position(second) == to &&
				(b.Lattice.floor == nil || b.Lattice.isTranslation(b.Cells[first].minus(s[0]))) {
				all.Ends = append(all.Ends, [2]int32{int32(first), int32(second)})
			}
		}
	}
	return all
}

// Number returns the number of placements.
func (p *Pairs) Number() int { return len(p.Ends) }

// Placement returns placement n. It stores the cells in the slice room if two cells fit into it.
func (p *Pairs) Placement(n int, room []int) Placement {
	return Placement{Cells: append(room[:0], int(p.Ends[n][0]), int(p.Ends[n][1]))}
}

// Bytes returns a bound on the memory of the board and the placements.
func (p *Pairs) Bytes() int64 { return PairedCellBytes * int64(len(p.Puzzle.Board.Cells)) }

// CellLimit limits the number of cells of a board. The zero value means [MaxCells].
type CellLimit struct {
	Most   int64 // largest number of cells, such as MaxPairedCells; 0 means MaxCells
	Memory int64 // limit in bytes for a board of more than MaxCells cells; 0 means no limit
}

func (l CellLimit) most() int64 { return cmp.Or(l.Most, MaxCells) }

// Check returns an error if there are too many cells. The argument board begins the text of the
// error, such as "size 2x3 has". An error about memory wraps [limit.ErrMemory].
func (l CellLimit) Check(board string, cells int64) error {
	if need := PairedCellBytes * cells; cells > MaxCells && cells <= l.Most && l.Memory > 0 && need > l.Memory {
		return fmt.Errorf("%w: %s %d cells, which need %d bytes, but only %d bytes are left", limit.ErrMemory, board, cells, need, l.Memory)
	}
	if err := checkCount(cells, l.most()); err != nil {
		return fmt.Errorf("%s %w", board, err)
	}
	return nil
}
