package frontier

import (
	"slices"

	"github.com/pavage/pavage/cover"
)

// Orders are the orders worth compiling: the problem's own and breadth-first
// walks of its graph from both ends, which suit boards without straight axes.
func Orders(p *cover.Problem) [][]int {
	orders := slices.Clone(p.Orders)
	swept := sweepable(p)
	g := newGraph(p, swept)
	if len(swept) == 0 {
		return append(orders, []int{})
	}
	far := g.walk(swept, swept[0])
	there := g.walk(swept, far[len(far)-1])
	back := g.walk(swept, there[len(there)-1])
	return append(orders, there, back)
}

// sweepable is the items of the problem's first order or, if it has none, all
// items that may be used at most once.
func sweepable(p *cover.Problem) []int {
	if len(p.Orders) > 0 {
		return p.Orders[0]
	}
	var items []int
	for i, it := range p.Items {
		if it.Max == 1 {
			items = append(items, i)
		}
	}
	return items
}

// graph has an edge between two swept items where a move from one to the
// other keeps within an option: every option is connected in it, and it has
// few edges. On a board of connected pieces it is the graph of neighbours,
// but no geometry is asked: two neighbours share more options than two cells
// apart do, so the heaviest spanning tree of each option finds them.
type graph struct {
	near [][]int // by item, sorted
}

func newGraph(p *cover.Problem, swept []int) graph {
	isSwept := make([]bool, len(p.Items))
	for _, i := range swept {
		isSwept[i] = true
	}
	cells := make([][]int, len(p.Options))
	shared := map[[2]int]int{}
	for o, option := range p.Options {
		if len(option) > 2*MaxWords*64 {
			continue // its window is too wide for any key: no need to be quadratic
		}
		for _, u := range option {
			if isSwept[u.Item] {
				for _, c := range cells[o] {
					shared[[2]int{c, u.Item}]++
				}
				cells[o] = append(cells[o], u.Item)
			}
		}
	}
	g := graph{near: make([][]int, len(p.Items))}
	for _, c := range cells {
		g.span(c, shared)
	}
	for i := range g.near {
		slices.Sort(g.near[i])
		g.near[i] = slices.Compact(g.near[i])
	}
	return g
}

// span adds the edges of a heaviest spanning tree of cells (Prim's).
func (g *graph) span(cells []int, shared map[[2]int]int) {
	in := make([]bool, len(cells))
	best := make([]int, len(cells)) // heaviest edge into the tree, by its other end
	for n := 0; n < len(cells); n++ {
		next, weight := -1, -1
		for k := range cells {
			if !in[k] {
				if w := weightOf(shared, cells, k, best[k]); w > weight {
					next, weight = k, w
				}
			}
		}
		in[next] = true
		if n > 0 {
			a, b := cells[next], cells[best[next]]
			g.near[a] = append(g.near[a], b)
			g.near[b] = append(g.near[b], a)
		}
		for k := range cells {
			if !in[k] && (n == 0 || weightOf(shared, cells, k, next) > weightOf(shared, cells, k, best[k])) {
				best[k] = next
			}
		}
	}
}

func weightOf(shared map[[2]int]int, cells []int, a, b int) int {
	return shared[[2]int{min(cells[a], cells[b]), max(cells[a], cells[b])}]
}

// walk visits all items breadth first, from start on, then from the first
// item not yet seen.
func (g *graph) walk(items []int, start int) []int {
	seen := make([]bool, len(g.near))
	var order []int
	from := func(i int) {
		if seen[i] {
			return
		}
		seen[i] = true
		order = append(order, i)
		for k := len(order) - 1; k < len(order); k++ {
			for _, j := range g.near[order[k]] {
				if !seen[j] {
					seen[j] = true
					order = append(order, j)
				}
			}
		}
	}
	from(start)
	for _, i := range items {
		from(i)
	}
	return order
}
