package query

import (
	"fmt"
	"slices"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/tiling"
)

// Apart parses A,B, where A and B are selectors. The bounds require that no placement of A has a
// face in common with a placement of B. For neighbouring cells x and y, a bound allows at most one
// of these placements: the placements of A that cover x but not y, and the placements of B that
// cover y but not x.
func (x *Index) Apart(text string) ([]cover.Bound, error) {
	pair, err := x.Pair(text)
	if err != nil {
		return nil, err
	}
	first, second := pair.Options[0], pair.Options[1]
	b, _, err := x.flat()
	if err != nil {
		return nil, err
	}
	same, neighbours := slices.Equal(first, second), b.Neighbours()
	ofFirst, ofSecond := x.byCell(first), x.byCell(second)
	var bounds []cover.Bound
	uses := 0
	for from := range b.Cells {
		for _, to := range neighbours[from] {
			if same && to < from {
				continue // A and B are equal, and this pair of cells has a bound
			}
			one, other := without(ofFirst[from], ofFirst[to]), without(ofSecond[to], ofSecond[from])
			if len(one) == 0 || len(other) == 0 {
				continue
			}
			options := slices.Concat(one, other)
			slices.Sort(options)
			if uses += len(options); uses > tiling.MaxUses {
				return nil, bad("%s means more than %d pairs of a placement and a cell, expected fewer placements", quote(text), tiling.MaxUses)
			}
			name := fmt.Sprintf("apart=%s|%s", x.model.Problem.Items[from].Name, x.model.Problem.Items[to].Name)
			bounds = append(bounds, cover.Bound{Name: name, Options: options, Max: 1})
		}
	}
	return bounds, nil
}

// flat returns the board and the function that its method Unrolled returns. It fails for a cover.
func (x *Index) flat() (b *tiling.Board, at func(tiling.Cell) int, err error) {
	if x.model.IsAbstract() {
		return nil, nil, bad("a cover has no board, expected a puzzle with a board")
	}
	at, err = x.model.Puzzle.Board.Unrolled()
	return x.model.Puzzle.Board, at, err
}

func (x *Index) byCell(placements []int) [][]int {
	all := make([][]int, len(x.model.Puzzle.Board.Cells))
	for _, p := range placements {
		for _, c := range x.model.Placements[p].Cells {
			all[c] = append(all[c], p)
		}
	}
	return all
}

func without(list, other []int) []int {
	var left []int
	for _, o := range list {
		if _, found := slices.BinarySearch(other, o); !found {
			left = append(left, o)
		}
	}
	return left
}

// NoFourCorners returns bounds for a board of squares. At no corner may four pieces meet, as here:
//
//	a a │ b      If all four cells at a corner must be covered, at least one placement
//	────┼──      covers two or more of them. If one of the cells may stay empty, at
//	  c │ d d    most three placements cover exactly one of them.
func (x *Index) NoFourCorners() ([]cover.Bound, error) {
	b, at, err := x.flat()
	if err != nil {
		return nil, err
	}
	if b.Lattice != tiling.Square {
		return nil, bad("the board is on the lattice %s, expected the lattice square", b.Lattice)
	}
	var bounds []cover.Bound
	met := map[[4]int]bool{}
	for r := range b.Size[1] {
		for c := range b.Size[2] {
			var corner [4]int // the cells at the lower right corner of cell (r, c), ascending
			for i := range corner {
				corner[i] = at(tiling.Cell{0, r + i/2, c + i%2})
			}
			slices.Sort(corner[:])
			different := corner[0] < corner[1] && corner[1] < corner[2] && corner[2] < corner[3]
			if corner[0] >= 0 && different && !met[corner] { // all four cells are on the board
				met[corner] = true
				bounds = append(bounds, x.atCorner(corner))
			}
		}
	}
	return bounds, nil
}

func (x *Index) atCorner(corner [4]int) cover.Bound {
	items := x.model.Problem.Items
	times := map[int]int{} // for each placement, how many cells at the corner it covers
	mustCover := true
	for _, c := range corner {
		mustCover = mustCover && items[c].Min == 1
		for _, p := range x.cover[c] {
			times[p]++
		}
	}
	bound := cover.Bound{Name: "corner=" + items[corner[0]].Name, Max: 3}
	if mustCover {
		bound.Min, bound.Max = 1, cover.Unbounded
	}
	for p, n := range times {
		if (n > 1) == mustCover {
			bound.Options = append(bound.Options, p)
		}
	}
	slices.Sort(bound.Options)
	return bound
}

// FaultFree returns a bound for each line through a rectangle. Some piece must cross the line.
func (x *Index) FaultFree() ([]cover.Bound, error) {
	b, _, err := x.flat()
	if err != nil {
		return nil, err
	}
	size := b.Size
	if b.Lattice != tiling.Square || b.Wrap != tiling.NoWrap || len(b.Cells) != size[1]*size[2] {
		return nil, bad("the board wraps or is not a rectangle of squares, expected a rectangle of squares that does not wrap")
	}
	var bounds []cover.Bound
	for axis := 1; axis <= 2; axis++ {
		lines := make([][]int, size[axis]-1)
		for p, placement := range x.model.Placements {
			from, to := size[axis], 0
			for _, c := range placement.Cells {
				from, to = min(from, b.Cells[c][axis]), max(to, b.Cells[c][axis])
			}
			for line := from; line < to; line++ {
				lines[line] = append(lines[line], p)
			}
		}
		for line, options := range lines {
			name := fmt.Sprintf("line=%s,%d", b.Lattice.Axes()[axis-1], line+1)
			bounds = append(bounds, cover.Bound{Name: name, Options: options, Min: 1, Max: cover.Unbounded})
		}
	}
	return bounds, nil
}
