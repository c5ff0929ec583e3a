package count

import (
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/subsetsum"
)

// Unbalanced reports whether no choice of copies has the size of the board: a
// common slip, after which every engine would look for long at what a sum
// shows. The twelve pentominoes have 60 cells, a chessboard 64.
//
// Cells are the items of the problem's first order, pieces the others. If each
// option uses one piece, and all options of a piece use equally many cells,
// then a solution covers, for each piece, its cells times its copies. Unbalanced
// returns false for all other problems, and where the sums are too many to compute.
func Unbalanced(p *cover.Problem) bool {
	if len(p.Orders) == 0 {
		return false
	}
	isCell := make([]bool, len(p.Items))
	least, most := 0, 0
	for _, i := range p.Orders[0] {
		isCell[i] = true
		least += p.Items[i].Min
		most += p.Items[i].Max
	}
	pieces, ok := sizes(p, isCell)
	if !ok {
		return false
	}
	sums := subsetsum.New(subsetsum.Pair{White: most})
	for i, piece := range pieces {
		copies := p.Items[i]
		if isCell[i] || piece.options == 0 && copies.Min == 0 {
			continue
		}
		low := (copies.Min + max(1, piece.times) - 1) / max(1, piece.times)
		high := min(copies.Max/max(1, piece.times), piece.options)
		if piece.cells > 0 {
			high = min(high, most/piece.cells)
		}
		sums.Add([]subsetsum.Pair{{White: piece.cells}}, low, high)
	}
	return !sums.Reaches(subsetsum.Pair{White: least})
}

// piece is what every option of an item uses: the item so many times, and so
// many cells. There are so many options.
type piece struct{ times, cells, options int }

// sizes are the pieces by item; ok is false if the problem has no such.
func sizes(p *cover.Problem, isCell []bool) (pieces []piece, ok bool) {
	pieces = make([]piece, len(p.Items))
	for _, option := range p.Options {
		item, others := 0, 0
		var found piece
		for _, u := range option {
			if u.Colour != 0 { // uses do not add up
				return nil, false
			}
			if isCell[u.Item] {
				found.cells += int(u.Times)
			} else {
				item, found.times = u.Item, int(u.Times)
				others++
			}
		}
		found.options = pieces[item].options + 1
		if others != 1 || found.options > 1 && (found.cells != pieces[item].cells || found.times != pieces[item].times) {
			return nil, false
		}
		pieces[item] = found
	}
	return pieces, true
}
