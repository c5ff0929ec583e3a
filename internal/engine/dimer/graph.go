package dimer

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/interrupt"
)

// ErrNotDimers is wrapped by the error for a problem that a determinant cannot count.
var ErrNotDimers = errors.New("not a problem of planar dimers")

// Graph is a graph whose perfect matchings are the solutions of a cover: vertices are cells, and an
// edge has all options that cover its two cells. A solution also has all options of Forced.
type Graph struct {
	Vertices int
	Edges    []Edge    // no two edges have the same ends
	Item     []int     // the item of each vertex; -1 for a vertex that is no cell
	Forced   []int     // ascending options that every solution has; their cells are no vertices
	Orders   [][]int32 // up to four orders of the cover, as lists of all vertices

	problem *cover.Problem // for error messages; nil if the graph was not read from a problem
	single  error          // the error of NewCoupling if an option covers one cell, else nil
	breadth int            // 0 before the first call of Breadth, which also sets parts
	parts   int
}

const maxOrders = 4

// Edge is a pair of cells that options cover.
type Edge struct {
	Ends    [2]int32 // two vertices
	Options []int    // ascending options of the cover; empty for an edge between vertices that are no cells
}

// Ways returns the number of options of the edge, or 1 if it has none.
func (e *Edge) Ways() int64 { return int64(max(1, len(e.Options))) }

// Read returns the graph of a valid problem. The error is the error of ctx, or it wraps
// ErrNotDimers and gives the reason in one line. Read does not check whether the graph is planar,
// unless an option covers one cell.
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
	g := r.graph()
	return g, r.close(ctx, g)
}

type reader struct {
	*settled
	looks interrupt.Watch
	pairs []pair // options that cover two cells
	alone []lone // options that cover one cell
	cells int
}

type pair struct {
	option int32
	cell   [2]int32
}

type lone struct{ option, cell int }

func (r *reader) cell(item int) bool { return r.least[item] == 1 && r.most[item] == 1 }

func (r *reader) secondary(item int) bool { return r.least[item] == 0 && r.most[item] == 1 }

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
		switch len(cells) {
		case 1:
			r.alone = append(r.alone, lone{o, cells[0]})
		case 2:
			r.pairs = append(r.pairs, pair{int32(o), [2]int32{int32(cells[0]), int32(cells[1])}})
		default:
			return r.notAPair(o, cells)
		}
	}
	return nil
}

func (r *reader) cellsOf(cells []int, o cover.Option) []int {
	for _, u := range o {
		if r.cell(u.Item) {
			cells = append(cells, u.Item)
		}
	}
	return cells
}

func (r *reader) notAPair(o int, cells []int) error {
	for _, u := range r.p.Options[o] {
		if r.secondary(u.Item) && len(cells) < 2 {
			return fmt.Errorf("%w: %s covers %s, which may stay uncovered, expected two items that must be covered exactly once",
				ErrNotDimers, r.option(o), r.name(u.Item))
		}
	}
	if len(cells) == 0 {
		return fmt.Errorf("%w: %s covers no item that must be covered exactly once, expected two items",
			ErrNotDimers, r.option(o))
	}
	many := "1 item"
	if len(cells) > 1 {
		many = fmt.Sprintf("%d items", len(cells))
	}
	return fmt.Errorf("%w: %s covers %s that must be covered exactly once, expected two items",
		ErrNotDimers, r.option(o), many)
}

const mostNamed = 12

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

// checkBounds returns an error if the bounds of an item that is no cell may exclude a matching. A
// solution of n cells has n/2 options. If k cells can be covered alone, it has up to (n+k)/2.
func (r *reader) checkBounds() error {
	uses := make([]span, len(r.p.Items))
	add := func(option int) {
		for _, u := range r.p.Options[option] {
			if !r.repeats(u) {
				uses[u.Item].add(u)
			}
		}
	}
	for _, at := range r.pairs {
		add(int(at.option))
	}
	for _, at := range r.alone {
		add(at.option)
	}
	alone, last := 0, none
	for _, at := range r.alone {
		if at.cell != last {
			alone++
		}
		last = at.cell
	}
	all, least, most := int64(len(r.pairs)+len(r.alone)), int64((r.cells+1)/2), int64((r.cells+alone)/2)
	for i, s := range uses {
		if r.cell(i) {
			continue
		}
		low, high := s.total(all, least, most)
		if low >= r.least[i] && high <= r.most[i] {
			continue
		}
		for _, at := range r.alone {
			if r.secondary(i) && slices.ContainsFunc(r.p.Options[at.option], func(u cover.Use) bool { return u.Item == i }) {
				return r.notAPair(at.option, []int{at.cell})
			}
		}
		return fmt.Errorf("%w: the bounds %s of %s may exclude some tilings",
			ErrNotDimers, r.p.Items[i].Bounds(), r.name(i))
	}
	return nil
}

type span struct {
	options     int64 // the number of options that use the item
	sum         int64 // the number of uses of the item by all options
	least, most int64 // least and largest number of uses by a single option
	colour      int32 // the common colour of all uses; 0 if they have none
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

func (s *span) total(all, least, most int64) (low, high int64) {
	if s.options == all {
		low = s.least * least
	}
	if s.colour != 0 { // uses with the same colour count as one use
		return min(low, 1), min(s.sum, 1)
	}
	return low, min(s.sum, s.most*most)
}

func (r *reader) graph() *Graph {
	g := &Graph{Forced: r.forced, problem: r.p}
	number := make([]int32, len(r.p.Items))
	for i := range number {
		if number[i] = none; r.cell(i) {
			number[i] = int32(len(g.Item))
			g.Item = append(g.Item, i)
		}
	}
	g.Vertices = len(g.Item)
	g.join(r.pairs, number)
	for _, order := range r.p.Orders[:min(maxOrders, len(r.p.Orders))] {
		var vertices []int32
		for _, i := range order {
			if number[i] != none {
				vertices = append(vertices, number[i])
			}
		}
		if len(vertices) == g.Vertices {
			g.Orders = append(g.Orders, vertices)
		}
	}
	return g
}

// FromPairs returns the graph of cells and of options that cover two cells each. Forced is empty.
func FromPairs(cells int, options [][2]int32) *Graph {
	g := &Graph{Vertices: cells, Item: make([]int, cells)}
	number := make([]int32, cells)
	for i := range cells {
		g.Item[i], number[i] = i, int32(i)
	}
	pairs := make([]pair, len(options))
	for o, ends := range options {
		pairs[o] = pair{int32(o), ends}
	}
	g.join(pairs, number)
	return g
}

func (g *Graph) join(pairs []pair, number []int32) {
	pairs = byCell(byCell(pairs, 1, len(number)), 0, len(number))
	options := make([]int, len(pairs))
	g.Edges = make([]Edge, 0, len(pairs))
	first := 0 // the first pair of the last edge
	for k, at := range pairs {
		options[k] = int(at.option)
		if k == 0 || at.cell != pairs[k-1].cell {
			g.Edges = append(g.Edges, Edge{Ends: [2]int32{number[at.cell[0]], number[at.cell[1]]}})
			first = k
		}
		g.Edges[len(g.Edges)-1].Options = options[first : k+1 : k+1]
	}
}

// byCell sorts pairs by the first or the second cell, with a counting sort. The sort is stable.
func byCell(pairs []pair, which, items int) []pair {
	next := make([]int32, items+1) // index in sorted for the next pair of each cell
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

func (r *reader) name(item int) string { return nameOf(r.p, item) }

// Name returns the name of an item of the cover.
func (g *Graph) Name(item int) string {
	if g.problem == nil {
		return fmt.Sprintf("item %d", item)
	}
	return nameOf(g.problem, item)
}

func nameOf(p *cover.Problem, item int) string {
	if n := p.Items[item].Name; n != "" {
		return fmt.Sprintf("%q", n)
	}
	return fmt.Sprintf("item %d", item)
}
