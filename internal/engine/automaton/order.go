package automaton

import (
	"context"
	"slices"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/interrupt"
)

// Orders returns the orders worth compiling: the orders of the problem, and two breadth-first walks
// that begin far apart. To a problem without orders, it adds orders of order_partial.go. If the
// problem has colours, it adds only orders of order_colours.go. It returns the error of ctx.
func Orders(ctx context.Context, p *cover.Problem) ([][]int, error) {
	orders := slices.Clone(p.Orders)
	if p.Coloured() {
		more, err := colouredOrders(ctx, p)
		return append(orders, more...), err
	}
	swept := sweepable(p)
	if len(swept) == 0 {
		return append(orders, []int{}), nil
	}
	walks, err := walksOf(ctx, p, swept)
	if orders = append(orders, walks...); err != nil || len(p.Orders) > 0 {
		return orders, err
	}
	grown, err := grownOrders(ctx, p, swept, walks)
	return append(orders, grown...), err
}

func walksOf(ctx context.Context, p *cover.Problem, swept []int) ([][]int, error) {
	g, err := newGraph(ctx, p, swept)
	if err != nil {
		return nil, err
	}
	far := g.walk(swept, swept[0])
	there := g.walk(swept, far[len(far)-1])
	back := g.walk(swept, there[len(there)-1])
	return [][]int{there, back}, nil
}

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

// graph has, for each option, the edges of a heaviest spanning tree of its items. The weight of an
// edge is the number of options with both items, so that trees share edges, and the graph has few.
type graph struct {
	near [][]int
}

func newGraph(ctx context.Context, p *cover.Problem, swept []int) (*graph, error) {
	cells := sweptItems(p, swept)
	l, err := countLinks(ctx, cells, len(p.Items))
	if err != nil {
		return nil, err
	}
	return l.graph(ctx, cells)
}

func (l links) graph(ctx context.Context, cells [][]int32) (*graph, error) {
	w := interrupt.Context(ctx)
	pairs := l.pairs()
	for _, c := range cells {
		if err := w.Look(); err != nil {
			return nil, err
		}
		pairs.span(c)
	}
	g := &graph{near: make([][]int, len(l))}
	for i := range l { // ascending, so that every list in g.near is sorted
		for _, x := range l[i] {
			if x.inTree {
				g.near[i] = append(g.near[i], int(x.to))
				g.near[x.to] = append(g.near[x.to], i)
			}
		}
	}
	return g, nil
}

func usersOf(cells [][]int32, items int) [][]int32 {
	count, all := make([]int, items), 0
	for _, c := range cells {
		for _, i := range c {
			count[i]++
		}
		all += len(c)
	}
	users, room := make([][]int32, items), make([]int32, all)
	for i, n := range count {
		users[i], room = room[:0:n], room[n:]
	}
	for o, c := range cells {
		for _, i := range c {
			users[i] = append(users[i], int32(o))
		}
	}
	return users
}

func sweptItems(p *cover.Problem, swept []int) [][]int32 {
	isSwept := make([]bool, len(p.Items))
	for _, i := range swept {
		isSwept[i] = true
	}
	cells := make([][]int32, len(p.Options))
	for o, option := range p.Options {
		cells[o] = make([]int32, 0, len(option))
		for _, u := range option {
			if isSwept[u.Item] {
				cells[o] = append(cells[o], int32(u.Item))
			}
		}
	}
	return cells
}

// links has the pairs of items that share options: l[i] has the pairs (i, j) with j > i, sorted.
type links [][]link

type link struct {
	to     int32
	shared int32 // number of options that use both items
	inTree bool  // the pair is in the spanning tree of some option
}

// For an option with more than maxSpanned items, only consecutive items are linked, not all pairs.
const maxSpanned = 64

func countLinks(ctx context.Context, cells [][]int32, items int) (links, error) {
	rest := slices.Clone(cells)
	l := make(links, items)
	shared := make([]int32, items)
	var met []int32
	for i, options := range usersOf(cells, items) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		met = met[:0]
		for _, o := range options {
			rest[o] = rest[o][1:]
			linked := rest[o]
			if len(cells[o]) > maxSpanned && len(linked) > 1 {
				linked = linked[:1]
			}
			for _, j := range linked {
				if shared[j]++; shared[j] == 1 {
					met = append(met, j)
				}
			}
		}
		slices.Sort(met)
		l[i] = make([]link, len(met))
		for k, j := range met {
			l[i][k] = link{to: j, shared: shared[j]}
			shared[j] = 0
		}
	}
	return l, nil
}

type pairs struct {
	links
	at []int32 // links[a][at[a*items+b]] links a and b; nil if there are too many items
}

// mostInTable is the largest number of items for which the table pairs.at, of up to 4 MB, is made.
const mostInTable = 1 << 10

func (l links) pairs() *pairs {
	if len(l) > mostInTable {
		return &pairs{links: l}
	}
	at := make([]int32, len(l)*len(l))
	for i := range l {
		for k, x := range l[i] {
			at[i*len(l)+int(x.to)] = int32(k)
		}
	}
	return &pairs{l, at}
}

func (p *pairs) find(a, b int32) *link {
	a, b = min(a, b), max(a, b)
	from := p.links[a]
	if p.at != nil {
		return &from[p.at[int(a)*len(p.links)+int(b)]]
	}
	at, _ := slices.BinarySearchFunc(from, b, func(x link, to int32) int { return int(x.to - to) })
	return &from[at]
}

// span marks the links of a heaviest spanning tree of cells (Prim's algorithm).
func (p *pairs) span(cells []int32) {
	if len(cells) > maxSpanned {
		for i := range cells[1:] {
			p.find(cells[i], cells[i+1]).inTree = true
		}
		return
	}
	var in [maxSpanned]bool
	var best [maxSpanned]*link // heaviest link of each cell to the tree
	for n, next := 1, 0; n < len(cells); n++ {
		in[next] = true
		heaviest := -1
		for k, c := range cells {
			if in[k] {
				continue
			}
			if x := p.find(cells[next], c); best[k] == nil || x.shared > best[k].shared {
				best[k] = x
			}
			if heaviest < 0 || best[k].shared > best[heaviest].shared {
				heaviest = k
			}
		}
		best[heaviest].inTree = true
		next = heaviest
	}
}

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
