package tiling

import (
	"cmp"
	"fmt"
	"slices"
)

// order is an order in which to sweep the board's cells.
type order struct {
	cells []int
	name  string // "by rows", "by layers, then columns", "by diagonals"
}

// diagonally is the name of an order along diagonals.
const diagonally = "by diagonals"

// orders are candidate orders in which to sweep the board's cells, each of all
// the cells, best guess first, none twice:
//
//   - along each order of the axes that differ. The slowest axis is the one
//     the frontier moves along, and the frontier is as wide as the board's
//     largest section across it; so the smallest section goes first, and among
//     the same sections the one with the shorter lines. (6x10 pentominoes:
//     3.3 million states, line by line of 6 cells, 125 million by lines of 10.)
//   - along the diagonals, each by the sum of the coordinates, some reversed.
//
// Where several orders of the axes are the same order of the cells, as on a
// board of one row, its name is that of the first in alphabetical order of the
// axes' numbers.
func (b *Board) orders() []order {
	var all []order
	named := [][3]int{} // the axes that an order is named by
	for _, axes := range b.axesBySection() {
		cells := b.sorted(along(axes))
		i := slices.IndexFunc(all, func(o order) bool { return slices.Equal(o.cells, cells) })
		switch {
		case i < 0:
			all, named = append(all, order{cells, ""}), append(named, axes)
		case slices.Compare(axes[:], named[i][:]) < 0:
			named[i] = axes
		}
	}
	for i := range all {
		all[i].name = b.orderName(named[i])
	}
	for _, cells := range b.diagonals() {
		if !slices.ContainsFunc(all, func(o order) bool { return slices.Equal(o.cells, cells) }) {
			all = append(all, order{cells, diagonally})
		}
	}
	return all
}

// axesBySection are the orders of the axes, the smallest section first.
func (b *Board) axesBySection() [][3]int {
	axes := slices.Clone(axisOrders[:])
	slices.SortStableFunc(axes, func(x, y [3]int) int {
		return cmp.Or(
			cmp.Compare(b.section(x[0]), b.section(y[0])),
			cmp.Compare(b.section(x[0], x[1]), b.section(y[0], y[1])),
			slices.Compare(x[:], y[:]))
	})
	return axes
}

// orderName is the name of an order along the axes: on a board of one layer the
// slowest axis of its plane says all.
func (b *Board) orderName(axes [3]int) string {
	l := b.Lattice
	if b.Size[0] > 1 {
		return fmt.Sprintf("by %ss, then %ss", l.axis(axes[0]), l.axis(axes[1]))
	}
	slowest := axes[0]
	if slowest == 0 {
		slowest = axes[1]
	}
	return fmt.Sprintf("by %ss", l.axis(slowest))
}

// diagonals are the cells by the sums of their coordinates, some reversed.
func (b *Board) diagonals() (all [][]int) {
	dimensions := 3
	if b.Size[0] == 1 {
		dimensions = 2
	}
	for negative := range uint(1) << (dimensions - 1) { // with the other signs the sweep runs backwards
		s := signs(negative << (4 - dimensions))
		all = append(all, b.sorted(func(c Cell) Cell {
			return Cell{s[0]*c[0] + s[1]*c[1] + s[2]*c[2], s[1] * c[1], s[2] * c[2]}
		}))
	}
	return all
}

// along makes the first of the axes the slowest.
func along(axes [3]int) func(Cell) Cell {
	return func(c Cell) Cell { return Cell{c[axes[0]], c[axes[1]], c[axes[2]]} }
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

// sorted are the cells in the order of their keys.
func (b *Board) sorted(key func(Cell) Cell) []int {
	order := make([]int, len(b.Cells))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		return compareCells(key(b.Cells[i]), key(b.Cells[j]))
	})
	return order
}
