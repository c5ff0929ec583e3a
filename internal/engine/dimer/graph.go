package dimer

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/interrupt"
)

// ErrNotDimers is wrapped by the error of a problem that no determinant counts.
var ErrNotDimers = errors.New("not a problem of planar dimers")

// Graph is a bipartite graph whose perfect matchings are the solutions of a cover: its
// vertices are cells, and an edge stands for all options that cover its two cells. A
// solution takes one option of each edge of a matching, and all options of Forced.
type Graph struct {
	Black, White int       // numbers of vertices of each colour
	Edges        []Edge    // sorted by Black, then White; no two with the same ends
	Item         [2][]int  // the cover's item of each black and each white vertex, ascending
	Forced       []int     // the options that are in every solution, ascending; their cells are no vertices
	Orders       [][]int32 // of the black vertices: as the first orders of the cover have them, if any

	breadth int // 0 before the first call of Breadth
}

// maxOrders is how many orders of a cover are looked at. The first ones are its best guesses.
const maxOrders = 4

// Edge is a pair of cells that options cover.
type Edge struct {
	Black, White int32
	Options      []int // of the cover, ascending; at least one
}

// Read makes the graph of a valid problem. The error wraps ErrNotDimers and tells in one
// line what stands against it, or it is ctx's. Whether the graph is planar is not looked at.
func Read(ctx context.Context, p *cover.Problem) (*Graph, error) {
	r, err := settle(ctx, p)
	if err != nil {
		return nil, err
	}
	if err := r.findPairs(); err != nil {
		return nil, err
	}
	if err := r.checkBounds(); err != nil {
		return nil, err
	}
	side, err := r.twoColour()
	if err != nil {
		return nil, err
	}
	return r.graph(side), nil
}

// reader is a problem on its way to a graph.
type reader struct {
	*settled
	looks interrupt.Watch
	pairs []pair // of the options that are left
	cells int
}

// pair is an option and the two items that it covers.
type pair struct {
	option int32
	cell   [2]int32
}

// cell reports whether what is left of an item is to be used exactly once.
func (r *reader) cell(item int) bool { return r.least[item] == 1 && r.most[item] == 1 }

// findPairs finds the two cells of each option that is left.
func (r *reader) findPairs() error {
	for i := range r.p.Items {
		if r.cell(i) {
			r.cells++
		}
	}
	r.pairs = make([]pair, 0, len(r.p.Options))
	var cells []int
	for o, option := range r.p.Options {
		if err := r.looks.Work(len(option)); err != nil {
			return err
		}
		if !r.left[o] {
			continue
		}
		cells = r.cellsOf(cells[:0], option)
		if len(cells) != 2 {
			return r.notAPair(o, cells)
		}
		r.pairs = append(r.pairs, pair{int32(o), [2]int32{int32(cells[0]), int32(cells[1])}})
	}
	return nil
}

// cellsOf appends the cells of an option.
func (r *reader) cellsOf(cells []int, o cover.Option) []int {
	for _, u := range o {
		if r.cell(u.Item) {
			cells = append(cells, u.Item)
		}
	}
	return cells
}

// notAPair says what is wrong with an option that does not cover two cells.
func (r *reader) notAPair(o int, cells []int) error {
	for _, u := range r.p.Options[o] {
		if r.least[u.Item] == 0 && r.most[u.Item] == 1 && len(cells) < 2 {
			return fmt.Errorf("%w: %s need not be covered, and %s covers it",
				ErrNotDimers, r.name(u.Item), r.option(o))
		}
	}
	if len(cells) == 0 {
		return fmt.Errorf("%w: %s covers no cell that must be covered exactly once",
			ErrNotDimers, r.option(o))
	}
	many := "1 cell"
	if len(cells) > 1 {
		many = fmt.Sprintf("%d cells", len(cells))
	}
	return fmt.Errorf("%w: %s covers %s and not two", ErrNotDimers, r.option(o), many)
}

// mostNamed items of an option are named in an error.
const mostNamed = 12

// option is one with its items: on a board they tell the cells and the piece.
func (r *reader) option(o int) string {
	text := fmt.Sprintf("option %d", o)
	for k, u := range r.p.Options[o] {
		switch k {
		case 0:
			text += ", of "
		case mostNamed:
			return text + " …"
		default:
			text += " "
		}
		text += r.name(u.Item)
	}
	return text + ","
}

// checkBounds looks at the items beside the cells: none of them may bind. A solution has as
// many options as there are pairs of cells.
func (r *reader) checkBounds() error {
	uses := make([]span, len(r.p.Items))
	for _, at := range r.pairs {
		for _, u := range r.p.Options[at.option] {
			if !r.repeats(u) {
				uses[u.Item].add(u)
			}
		}
	}
	half := int64(r.cells / 2)
	for i, s := range uses {
		if r.cell(i) {
			continue
		}
		low, high := s.total(int64(len(r.pairs)), half)
		if low < r.least[i] || high > r.most[i] {
			return fmt.Errorf("%w: the bounds %s of %s may bind",
				ErrNotDimers, r.p.Items[i].Bounds(), r.name(i))
		}
	}
	return nil
}

// span is how often options use an item.
type span struct {
	options     int64 // that use it
	sum         int64 // of their uses
	least, most int64 // uses by one of them
	colour      int32 // of all of them, 0 for none
}

func (s *span) add(u cover.Use) {
	times := int64(u.Times)
	if s.options == 0 {
		s.least, s.most, s.colour = times, times, u.Colour
	}
	if s.colour != u.Colour {
		s.colour = 0
	}
	s.options, s.sum = s.options+1, s.sum+times
	s.least, s.most = min(s.least, times), max(s.most, times)
}

// total bounds the uses of the item by so many of all options.
func (s *span) total(all, taken int64) (low, high int64) {
	if s.options == all {
		low = s.least * taken
	}
	if s.colour != 0 { // uses with the same colour are one
		return min(low, 1), min(s.sum, 1)
	}
	return low, min(s.sum, s.most*taken)
}

// twoColour gives each cell a side, 0 or 1, so that every option covers one cell of each.
func (r *reader) twoColour() ([]int8, error) {
	start, next := r.neighbours()
	side := slices.Repeat([]int8{-1}, len(r.p.Items))
	var queue []int
	for i := range r.p.Items {
		if !r.cell(i) || side[i] >= 0 {
			continue
		}
		side[i] = 0
		for queue = append(queue[:0], i); len(queue) > 0; {
			at := queue[len(queue)-1]
			queue = queue[:len(queue)-1]
			for _, to := range next[start[at]:start[at+1]] {
				switch {
				case side[to] < 0:
					side[to] = 1 - side[at]
					queue = append(queue, int(to))
				case side[to] == side[at]:
					return nil, fmt.Errorf("%w: the cells have no two colours, a cycle of odd length leads over %s and %s", ErrNotDimers, r.name(at), r.name(int(to)))
				}
			}
			if err := r.looks.Look(); err != nil {
				return nil, err
			}
		}
	}
	return side, nil
}

// neighbours lists for each item the cells that some option covers together with it.
func (r *reader) neighbours() (start []int32, next []int32) {
	start = make([]int32, len(r.p.Items)+2)
	for _, at := range r.pairs {
		start[at.cell[0]+2]++
		start[at.cell[1]+2]++
	}
	for i := 2; i < len(start); i++ {
		start[i] += start[i-1]
	}
	next = make([]int32, 2*len(r.pairs))
	for _, at := range r.pairs {
		for k, c := range at.cell {
			next[start[c+1]] = at.cell[1-k]
			start[c+1]++
		}
	}
	return start[:len(r.p.Items)+1], next
}

// graph numbers the cells of each side and puts the options of a pair together.
func (r *reader) graph(side []int8) *Graph {
	g := &Graph{Forced: r.forced}
	number := make([]int32, len(side))
	for i, s := range side {
		if s >= 0 {
			number[i] = int32(len(g.Item[s]))
			g.Item[s] = append(g.Item[s], i)
		}
	}
	g.Black, g.White = len(g.Item[0]), len(g.Item[1])
	for k, at := range r.pairs { // black first
		if side[at.cell[0]] == 1 {
			r.pairs[k].cell = [2]int32{at.cell[1], at.cell[0]}
		}
	}
	pairs := byCell(byCell(r.pairs, 1, len(side)), 0, len(side))
	options := make([]int, len(pairs))
	g.Edges = make([]Edge, 0, len(pairs))
	first := 0 // of the pairs of the last edge
	for k, at := range pairs {
		options[k] = int(at.option)
		if k == 0 || at.cell != pairs[k-1].cell {
			g.Edges = append(g.Edges, Edge{Black: number[at.cell[0]], White: number[at.cell[1]]})
			first = k
		}
		g.Edges[len(g.Edges)-1].Options = options[first : k+1 : k+1]
	}
	for _, order := range r.p.Orders[:min(maxOrders, len(r.p.Orders))] {
		var rows []int32
		for _, i := range order {
			if side[i] == 0 {
				rows = append(rows, number[i])
			}
		}
		if len(rows) == g.Black {
			g.Orders = append(g.Orders, rows)
		}
	}
	return g
}

// byCell sorts pairs by one of their cells, by counting: the order of pairs with the same cell stays as it was.
func byCell(pairs []pair, which, items int) []pair {
	next := make([]int32, items+1) // where the next pair of each cell goes
	for i := range pairs {
		next[pairs[i].cell[which]+1]++
	}
	for i := range items {
		next[i+1] += next[i]
	}
	sorted := make([]pair, len(pairs))
	for i := range pairs {
		at := &next[pairs[i].cell[which]]
		sorted[*at] = pairs[i]
		*at++
	}
	return sorted
}

func (r *reader) name(item int) string {
	if n := r.p.Items[item].Name; n != "" {
		return fmt.Sprintf("%q", n)
	}
	return fmt.Sprintf("item %d", item)
}
