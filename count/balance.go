package count

import (
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/subsetsum"
)

// Unbalanced reports whether the pieces cannot cover as many cells as the board has, however many
// copies of each are used. For instance, twelve pentominoes have 60 cells, and a chessboard has 64.
// The cells are the items of the problem's first order, and the pieces are the other items.
// Unbalanced returns false if some option does not use exactly one piece, if the options of a piece
// use different numbers of cells, or if there are too many sums to compute.
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

// A piece describes an item whose options are alike: how often each option uses the item, how many
// cells each option has, and how many options there are.
type piece struct{ times, cells, options int }

// sizes returns a piece for each item. It returns false if some piece has options that are not
// alike, if an option does not use exactly one piece, or if a use has a colour.
func sizes(p *cover.Problem, isCell []bool) (pieces []piece, ok bool) {
	pieces = make([]piece, len(p.Items))
	for _, option := range p.Options {
		item, others := 0, 0
		var found piece
		for _, u := range option {
			if u.Colour != 0 { // several uses of a coloured cell count once
				return nil, false
			}
			if isCell[u.Item] {
				found.cells += int(u.Times)
			} else {
				item, found.times = u.Item, int(u.Times)
				others++
			}
		}
		if others != 1 {
			return nil, false
		}
		found.options = pieces[item].options + 1
		if found.options > 1 && (found.cells != pieces[item].cells || found.times != pieces[item].times) {
			return nil, false
		}
		pieces[item] = found
	}
	return pieces, true
}
