package count

import (
	"math/big"

	"github.com/pavage/pavage/cover"
)

// Unbalanced reports whether no choice of copies has the size of the board: a
// common slip, after which every engine would look for long at what a sum
// shows. The twelve pentominoes have 60 cells, a chessboard 64.
//
// Cells are the items of the problem's first order, pieces the others. If each
// option uses one piece, and all options of a piece use equally many cells,
// then a solution covers, for each piece, so many cells times its copies. The
// sums that copies within their bounds can reach are found as bits of a number,
// piece after piece. A problem that is no such board is not looked into.
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
	sums := big.NewInt(1)
	for i, piece := range pieces {
		if !isCell[i] {
			sums = piece.addTo(sums, p.Items[i], most)
		}
	}
	return sums.Rsh(sums, uint(least)).Sign() == 0
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

// addTo adds to sums those with the copies that the item's bounds allow, and
// keeps what is at most limit.
func (p piece) addTo(sums *big.Int, item cover.Item, limit int) *big.Int {
	if p.options == 0 {
		if item.Min > 0 {
			return new(big.Int)
		}
		return sums
	}
	least := (item.Min + p.times - 1) / p.times
	most := min(item.Max/p.times, p.options)
	if p.cells > 0 {
		most = min(most, limit/p.cells)
	}
	if least > most {
		return new(big.Int)
	}
	sums = new(big.Int).Lsh(sums, uint(least*p.cells))
	for left, step := most-least, 1; left > 0; step *= 2 {
		n := min(step, left)
		sums.Or(sums, new(big.Int).Lsh(sums, uint(n*p.cells)))
		left -= n
	}
	mask := new(big.Int).Lsh(big.NewInt(1), uint(limit)+1)
	return sums.And(sums, mask.Sub(mask, big.NewInt(1)))
}
