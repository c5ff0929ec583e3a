package dimer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/pavage/pavage/internal/engine/planar"
)

// The cells v₁, v₂ … that have an option without another cell lie around a face. A cell is alone in
// a solution that covers it by such an option. Inside the face is a chain of additional vertices p
// and q. If an even number of cells are alone, these cells and the vertices of the chain have
// exactly one perfect matching:
//
//	v₁    v₂    v₃    v₄         v₁ and v₃ alone: v₁p₁, q₁p₂, q₂p₃, q₃v₃, p₄q₄
//	╱ ╲   ╱ ╲   ╱ ╲   ╱ ╲
//	p₁━q₁─p₂━q₂─p₃━q₃─p₄━q₄     none alone: all pq
//
// Go from left to right. If p₂ is matched with q₁, then q₂ is matched with v₂ if v₂ is alone, else
// with p₃. If p₂ is not matched with q₁, but v₂ is alone, then p₂ is matched with v₂, and q₂ with
// p₃. Otherwise p₂ is matched with q₂. If the part of the graph has an odd number of cells, one
// more vertex ends the chain. The edges vp and vq both have the options of cell v.
//
// The order of the cells around the face comes from an embedding of the graph with one more vertex,
// the apex, which is joined to each of these cells.
//
// (A. Giuliani, I. Jauslin, E. Lieb, "A Pfaffian formula for monomer–dimer partition functions",
// 2016: boundary monomers. Dominoes across the axis of a folded board cover one cell.)

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
	after := make([][]int32, g.Vertices) // the vertices p and q of each cell
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

// rim has the cells of a part that an option can cover alone, in their order around a face.
type rim struct {
	alone []int32
	odd   bool // whether the part has an odd number of cells
}

func (g *Graph) around(ctx context.Context, options [][]int) ([]rim, error) {
	u := newUnion(g.Vertices)
	edges := make([][2]int32, 0, len(g.Edges)+len(options))
	for i := range g.Edges {
		ends := g.Edges[i].Ends
		edges = append(edges, ends)
		u.join(ends[0], ends[1])
	}
	size, rims := make([]int, g.Vertices), make([]rim, g.Vertices) // number of cells and rim of each part, indexed by u.part
	apex := int32(g.Vertices)
	for v := range int32(g.Vertices) {
		size[u.part(v)]++
		if options[v] != nil {
			edges = append(edges, [2]int32{apex, v})
		}
	}
	m, err := planar.Embed(ctx, g.Vertices+1, edges)
	if errors.Is(err, planar.ErrNonplanar) {
		if _, err := g.Embed(ctx); err != nil {
			return nil, err
		}
		return nil, fmt.Errorf("%w: the cells that an option covers alone do not lie around one face", ErrNotDimers)
	}
	if err != nil {
		return nil, err
	}
	start := int32(2 * (len(edges) - 1)) // a dart (a directed edge) from the apex
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
