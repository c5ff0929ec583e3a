package render

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/tiling"
)

// loops has two tilings by pieces of two cells, one drawn over the other (double dimers). Alternate
// placements of the two tilings form loops or, if a tiling has empty cells, paths.
//
//	┌───┬───────┐   ┌───────┬───┐       ┌───────┐
//	│   │       │   │       │   │       │ ● ─ ● │ ●
//	│   ├───────┤   ├───────┤   │       │ │   │ │ │    a loop of 4 cells; one common domino
//	│   │       │   │       │   │       │ ● ─ ● │ ●
//	└───┴───────┘   └───────┴───┘       └───────┘
type loops struct {
	of    []int    // index of the loop of each board cell; len(cells) if it has no loop
	cells [][]int  // cells of each loop in the order along the loop; the longest loop comes first
	open  []bool   // whether each loop is a path, whose last cell does not lead to the first
	pairs [][2]int // the placements that both tilings have
}

func newLoops(board int, first, second []tiling.Placement) (*loops, error) {
	const none = -1
	var next [2][]int // the other cell of a placement, indexed by the tiling and one cell
	for k, t := range [2][]tiling.Placement{first, second} {
		next[k] = slices.Repeat([]int{none}, board)
		for _, pl := range t {
			if len(pl.Cells) != 2 {
				return nil, fmt.Errorf("a piece has %s, but a picture of two tilings needs pieces of two cells", wording.Plural(len(pl.Cells), "cell"))
			}
			next[k][pl.Cells[0]], next[k][pl.Cells[1]] = pl.Cells[1], pl.Cells[0]
		}
	}
	l, met := new(loops), make([]bool, board)
	follow := func(at, by int, open bool) {
		var cells []int
		for ; at != none && !met[at]; at, by = next[by][at], 1-by {
			met[at] = true
			cells = append(cells, at)
		}
		l.cells, l.open = append(l.cells, cells), append(l.open, open)
	}
	for c := range board {
		if a, b := next[0][c], next[1][c]; !met[c] && (a == none) != (b == none) {
			follow(c, map[bool]int{false: 0, true: 1}[a == none], true)
		}
	}
	for c := range board {
		switch a, b := next[0][c], next[1][c]; {
		case met[c] || a == none:
		case a == b:
			met[c], met[a] = true, true
			l.pairs = append(l.pairs, [2]int{c, a})
		default:
			follow(c, 0, false)
		}
	}
	l.sort(board)
	return l, nil
}

// sort sorts loops by length, longest first, and loops of equal length by their first cells.
func (l *loops) sort(board int) {
	order := make([]int, len(l.cells))
	for k := range order {
		order[k] = k
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(len(l.cells[b])-len(l.cells[a]), l.cells[a][0]-l.cells[b][0])
	})
	cells, open := l.cells, l.open
	l.cells, l.open, l.of = make([][]int, len(cells)), make([]bool, len(cells)), slices.Repeat([]int{len(cells)}, board)
	for k, old := range order {
		l.cells[k], l.open[k] = cells[old], open[old]
		for _, c := range l.cells[k] {
			l.of[c] = k
		}
	}
}
