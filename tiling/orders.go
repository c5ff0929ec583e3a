package tiling

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

type order struct {
	cells []int
	name  string // "by rows", "by layers, then columns", "by diagonals"
}

const diagonally = "by diagonals"

// orders returns different orders in which to sweep all cells, the most promising orders first:
//
//   - On a board that wraps, the orders of the method folding come first.
//   - Then come orders line by line, for each permutation of the axes. An order with shorter lines
//     comes earlier, since its sweep has fewer states. On 6x10 with pentominoes, a sweep by lines
//     of 6 cells has 3.3 million states, and a sweep by lines of 10 cells has 125 million.
//   - Then come orders by diagonals, which sort by a sum of the coordinates or their negatives.
//
// If several permutations of the axes give the same order of cells, the least one gives the name.
func (b *Board) orders(ctx context.Context) ([]order, error) {
	all, err := b.straight(ctx, along)
	if err != nil {
		return nil, err
	}
	if b.Wrap != NoWrap {
		folded, err := b.straight(ctx, b.folding)
		if err != nil {
			return nil, err
		}
		for i := range folded {
			folded[i].name += ", from both sides of the seam"
		}
		all = append(folded, all...)
	}
	for _, key := range b.diagonals() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		cells := b.sorted(key)
		if !slices.ContainsFunc(all, func(o order) bool { return slices.Equal(o.cells, cells) }) {
			all = append(all, order{cells, diagonally})
		}
	}
	return all, nil
}

func (b *Board) mostOrders() int {
	straight, diagonals := 2, 2
	if b.Size[0] > 1 {
		straight, diagonals = len(axisOrders), 4
	}
	if b.Wrap != NoWrap {
		straight *= 2
	}
	return straight + diagonals
}

func (b *Board) straight(ctx context.Context, key func(axes [3]int) func(Cell) Cell) (all []order, err error) {
	named := [][3]int{} // for each order, the permutation of the axes that gives the name
	for _, axes := range b.axesBySection() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		cells := b.sorted(key(axes))
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
	return all, nil
}

// axesBySection returns the permutations of the axes. Each begins with the slowest axis. They are
// sorted by the size of the section across the slowest axis, then across the two slowest axes. The
// size is doubled for each of these axes that wraps.
func (b *Board) axesBySection() [][3]int {
	axes := slices.Clone(axisOrders[:])
	if b.Size[0] == 1 { // the place of the layer axis does not matter
		axes = slices.DeleteFunc(axes, func(x [3]int) bool { return x[0] != 0 })
	}
	first, both := map[[3]int]int{}, map[[3]int]int{}
	for _, x := range axes {
		first[x] = b.sides(x[0]) * b.section(x[0])
		both[x] = b.sides(x[0]) * b.sides(x[1]) * b.section(x[0], x[1])
	}
	slices.SortStableFunc(axes, func(x, y [3]int) int {
		return cmp.Or(cmp.Compare(first[x], first[y]), cmp.Compare(both[x], both[y]), slices.Compare(x[:], y[:]))
	})
	return axes
}

// orderName returns a name such as "by rows" or, for several layers, "by layers, then columns".
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

func (b *Board) diagonals() (all []func(Cell) Cell) {
	dimensions := 3
	if b.Size[0] == 1 {
		dimensions = 2
	}
	for negative := range uint(1) << (dimensions - 1) { // with all signs changed, the sweep is only reversed
		s := signs(negative << (4 - dimensions))
		all = append(all, func(c Cell) Cell {
			return Cell{s[0]*c[0] + s[1]*c[1] + s[2]*c[2], s[1] * c[1], s[2] * c[2]}
		})
	}
	return all
}

// along returns a key for [Board.sorted]: the coordinates of a cell, slowest axis first.
func along(axes [3]int) func(Cell) Cell {
	return func(c Cell) Cell { return Cell{c[axes[0]], c[axes[1]], c[axes[2]]} }
}

func (b *Board) sides(axis int) int {
	if b.ring(axis) > 0 {
		return 2
	}
	return 1
}

// ring returns the length of an axis that wraps, or 0 for an axis that does not wrap.
func (b *Board) ring(axis int) int {
	if axis == 1 && wraps[b.Wrap].rows || axis == 2 && wraps[b.Wrap].columns {
		return b.Size[axis]
	}
	return 0
}

// folding is like the function along, for a board that wraps. But along the slowest axis that
// wraps, the order is 0, n-1, 1, n-2, …, from both sides of the seam in turn. This makes placements
// longer, but states smaller. Counts need these times, in milliseconds, with and without folding:
//
//	torus, squares, dominoes, 12x20       3000   over 6000
//	torus, squares, tetrominoes, 4x30       82   204
//	torus, hexagons, pairs, 8x8             40   704
//	torus, hexagons, pairs, 8x20           193   5289
//	cylinder, hexagons, pairs, 8x16         55   607
//
// If the faster axis is folded too, none of these counts is faster; the first then needs 5587 ms.
func (b *Board) folding(axes [3]int) func(Cell) Cell {
	plain := along(axes)
	slowest := slices.IndexFunc(axes[:], func(axis int) bool { return b.ring(axis) > 0 })
	lean := 0
	if wraps[b.Wrap].turns && b.Lattice.turnRows[2][1] != 0 {
		lean = 1 // the columns of this lattice are slanted; the cell straight corrects this
	}
	return func(c Cell) Cell {
		straight := Cell{c[0], c[1], c[2] + lean*c[1]/2}
		at := plain(straight)
		at[slowest] = folded(at[slowest], b.ring(axes[slowest]))
		return at
	}
}

// folded returns the place of i in the order 0, n-1, 1, n-2, …
func folded(i, n int) int {
	if 2*i < n {
		return 2 * i
	}
	return 2*(n-1-i) + 1
}

// section returns the largest number of cells that agree in their coordinates on the given axes.
func (b *Board) section(axes ...int) int {
	volume := 1
	for _, axis := range axes {
		volume *= b.Size[axis]
	}
	widths := make([]int32, volume)
	widest := int32(0)
	for _, c := range b.Cells {
		at := 0
		for _, axis := range axes {
			at = at*b.Size[axis] + c[axis]
		}
		widths[at]++
		widest = max(widest, widths[at])
	}
	return int(widest)
}

// sorted returns the indices of the cells, sorted by key. It is a radix sort, which skips
// coordinates that are already sorted. A sort by comparisons takes three times as long.
func (b *Board) sorted(key func(Cell) Cell) []int {
	keys := make([]Cell, len(b.Cells))
	order := make([]int, len(keys))
	for i, c := range b.Cells {
		keys[i], order[i] = key(c), i
	}
	least, most := corners(keys)
	sorted := make([]int, len(keys))
	for axis := len(least) - 1; axis >= 0; axis-- {
		next := make([]int, most[axis]-least[axis]+2) // for each coordinate, the next free index in the slice sorted
		rises := true
		for k, i := range order {
			next[keys[i][axis]-least[axis]+1]++
			rises = rises && (k == 0 || keys[order[k-1]][axis] <= keys[i][axis])
		}
		if rises {
			continue
		}
		for v := range next[1:] {
			next[v+1] += next[v]
		}
		for _, i := range order {
			at := &next[keys[i][axis]-least[axis]]
			sorted[*at] = i
			*at++
		}
		order, sorted = sorted, order
	}
	return order
}
