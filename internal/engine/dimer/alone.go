package dimer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/pavage/pavage/internal/engine/planar"
)

// Options that cover one cell: the cells v₁, v₂ … that have such options lie around a face, and a
// matching leaves some of them to these options. A chain of further vertices beside the
// face matches these cells, and any even number of them in one way only:
//
//	v₁    v₂    v₃    v₄         v₁ and v₃ alone: v₁p₁, q₁p₂, q₂p₃, q₃v₃, p₄q₄
//	╱ ╲   ╱ ╲   ╱ ╲   ╱ ╲
//	p₁━q₁─p₂━q₂─p₃━q₃─p₄━q₄     none alone: all pq
//
// Read from the left, each p is matched already or not. If it is, its q goes to the cell or to the next
// p; if it is not, p goes to the cell and q to the next p, or p to q. So there is no choice, and
// what comes out on the right is whether an odd number was alone. It is one more vertex if the part
// has an odd number of cells. Both edges of a cell have its options.
//
// Which face, and in which order the cells lie around it, is read off an embedding of the graph
// with one vertex more, the apex, which has an edge to each of these cells: the order of these
// edges around it. So the cells need not lie around a face of some embedding that was chosen
// before.
//
// (Boundary monomers: A. Giuliani, I. Jauslin, E. Lieb, "A Pfaffian formula for monomer–dimer partition
// functions", 2016, for matrices. The reflections of a board fold it so that the dominoes
// across the axis cover one cell of the fold.)

// close adds the chains.
func (r *reader) close(ctx context.Context, g *Graph) error {
	if len(r.alone) == 0 {
		return nil
	}
	first := r.alone[0]
	g.single = r.notAPair(first.option, []int{first.cell})
	number := func(item int) int32 {
		v, _ := slices.BinarySearch(g.Item, item)
		return int32(v)
	}
	slices.SortFunc(r.alone, func(a, b lone) int {
		return cmp.Or(cmp.Compare(a.cell, b.cell), cmp.Compare(a.option, b.option))
	})
	options := make([][]int, g.Vertices)
	for _, at := range r.alone {
		v := number(at.cell)
		options[v] = append(options[v], at.option)
	}
	around, err := g.around(ctx, options)
	if err != nil {
		return err
	}
	after := make([][]int32, g.Vertices) // of each cell, its vertices of the chain
	var ends []int32
	add := func(a, b int32, options []int) {
		g.Edges = append(g.Edges, Edge{[2]int32{a, b}, options})
	}
	vertex := func() int32 {
		g.Vertices++
		g.Item = append(g.Item, none)
		return int32(g.Vertices - 1)
	}
	for _, part := range around {
		last := int32(none)
		for _, v := range part.alone {
			p, q := vertex(), vertex()
			add(v, p, options[v])
			add(v, q, options[v])
			add(p, q, nil)
			if last != none {
				add(last, p, nil)
			}
			last = q
			after[v] = []int32{p, q}
		}
		if part.odd {
			end := vertex()
			add(last, end, nil)
			ends = append(ends, end)
		}
	}
	for k, order := range g.Orders {
		var whole []int32
		for _, v := range order {
			whole = append(append(whole, v), after[v]...)
		}
		g.Orders[k] = append(whole, ends...)
	}
	return nil
}

// rim is the cells of a part that may be covered alone, in the order in which they lie around a face.
type rim struct {
	alone []int32
	odd   bool // the part has an odd number of cells
}

// around finds the rims of the parts that have one. The cells with options may be covered alone.
func (g *Graph) around(ctx context.Context, options [][]int) ([]rim, error) {
	u := newUnion(g.Vertices)
	edges := make([][2]int32, 0, len(g.Edges)+len(options))
	for i := range g.Edges {
		ends := g.Edges[i].Ends
		edges = append(edges, ends)
		u.join(ends[0], ends[1])
	}
	size, rims := make([]int, g.Vertices), make([]rim, g.Vertices) // of each part, at its first vertex
	apex := int32(g.Vertices)
	for v := range int32(g.Vertices) {
		size[u.part(v)]++
		if options[v] != nil {
			edges = append(edges, [2]int32{apex, v})
		}
	}
	m, err := planar.Embed(ctx, g.Vertices+1, edges)
	if errors.Is(err, planar.ErrNonplanar) {
		return nil, fmt.Errorf("%w: the graph of cells is not planar, or the cells that options cover alone do not lie around one face", ErrNotDimers)
	}
	if err != nil {
		return nil, err
	}
	start := int32(2 * (len(edges) - 1)) // a dart from the apex
	for dart := start; ; {
		v := edges[dart/2][1]
		part := &rims[u.part(v)]
		part.alone = append(part.alone, v)
		if dart = m.Next[dart]; dart == start {
			break
		}
	}
	some := rims[:0]
	for v := range rims {
		if rims[v].odd = size[v]%2 == 1; rims[v].alone != nil {
			some = append(some, rims[v])
		}
	}
	return some, nil
}
