package tiling

import (
	"cmp"
	"slices"
)

// orders are candidate orders in which to sweep the board's cells, each of all
// the cells, best guess first, none twice:
//
//   - along each order of the axes that differ. The slowest axis is the one
//     the frontier moves along, and the frontier is as wide as the board's
//     largest section across it; so the smallest section goes first, and among
//     the same sections the one with the shorter lines. (6x10 pentominoes:
//     3.3 million states, line by line of 6 cells, 125 million by lines of 10.)
//   - along the diagonals, each by the sum of the coordinates, some reversed.
func (b *Board) orders() [][]int {
	axes := slices.Clone(axisOrders[:])
	slices.SortStableFunc(axes, func(x, y [3]int) int {
		return cmp.Or(
			cmp.Compare(b.section(x[0]), b.section(y[0])),
			cmp.Compare(b.section(x[0], x[1]), b.section(y[0], y[1])),
			slices.Compare(x[:], y[:]))
	})
	var all [][]int
	for _, a := range axes {
		all = b.addOrder(all, func(c Cell) [3]int { return [3]int{c[a[0]], c[a[1]], c[a[2]]} })
	}
	dimensions := 3
	if b.Size[0] == 1 {
		dimensions = 2
	}
	for negative := range uint(1) << (dimensions - 1) { // with the other signs the sweep runs backwards
		s := signs(negative << (4 - dimensions))
		all = b.addOrder(all, func(c Cell) [3]int {
			return [3]int{s[0]*c[0] + s[1]*c[1] + s[2]*c[2], s[1] * c[1], s[2] * c[2]}
		})
	}
	return all
}

// section is the largest number of cells that share their coordinates of the
// axes.
func (b *Board) section(axes ...int) int {
	widths := map[Cell]int{}
	widest := 0
	for _, c := range b.Cells {
		var key Cell
		for _, axis := range axes {
			key[axis] = c[axis]
		}
		widths[key]++
		widest = max(widest, widths[key])
	}
	return widest
}

// addOrder adds the cells sorted by key, unless that order is there already
// (that of a board one cell wide, say).
func (b *Board) addOrder(all [][]int, key func(Cell) [3]int) [][]int {
	order := make([]int, len(b.Cells))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		x, y := key(b.Cells[i]), key(b.Cells[j])
		return slices.Compare(x[:], y[:])
	})
	if slices.ContainsFunc(all, func(o []int) bool { return slices.Equal(o, order) }) {
		return all
	}
	return append(all, order)
}
