package dimer

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"github.com/pavage/pavage/internal/engine/planar"
)

// Matrix is a graph with signs, so that its determinant counts its perfect matchings, and with
// orders in which it is eliminated. It does not change.
type Matrix struct {
	graph    *Graph
	edge     []int32    // of each entry, the edge of the graph; none if another entry mirrors this one
	negative []bool     // of each entry, its sign
	values   []*big.Int // of the weights, each once
	weight   []int32    // of each entry, the index of its weight
	parts    []*part
	none     bool // there is no perfect matching
}

// NewMatrix prepares the determinant of a planar graph. weights are those of the edges, at
// least 0; nil stands for their [Edge.Ways]. Errors are ctx's, or wrap ErrNotDimers if the graph is not
// planar.
func NewMatrix(ctx context.Context, g *Graph, weights []*big.Int) (*Matrix, error) {
	embedding, err := g.Embed(ctx)
	if err != nil {
		return nil, err
	}
	c, err := g.colours(ctx)
	if err != nil {
		return nil, err
	}
	if !c.even {
		return &Matrix{graph: g, none: true}, nil
	}
	p := g.places(c)
	matched, err := p.matching(ctx)
	if err != nil || matched == nil {
		return &Matrix{graph: g, none: true}, err
	}
	reversed, err := g.signs(embedding.Faces())
	if err != nil {
		return nil, err
	}
	m := &Matrix{graph: g, edge: p.edge, negative: make([]bool, len(p.edge)), weight: make([]int32, len(p.edge))}
	of := m.weigh(weights)
	for i, e := range p.edge {
		m.weight[i] = of[e]
		row := p.vertex[0][p.Edges[i].Black]
		back := row == g.Edges[e].Ends[1]
		m.negative[i] = reversed[e] != back
		if back && c.of[row] == twofold {
			m.edge[i] = none
		}
	}
	return m, m.layOut(ctx, p, c, matched)
}

// term is a product of entries, one of each row, whose sign is known.
type term struct {
	column   []int32 // of each row
	negative []bool  // of each row, whether its entry is
}

// layOut takes the cheapest of some orders for each part.
func (m *Matrix) layOut(ctx context.Context, places *places, c *colours, matched []int32) error {
	o := newOrderer(ctx, places.bipartite)
	orders, err := o.orders()
	if err != nil {
		return err
	}
	known := &term{make([]int32, places.Black), make([]bool, places.Black)}
	for row, v := range places.vertex[0] {
		if c.of[v] == twofold {
			known.column[row] = places.column[v] // the diagonal: 0, and its sign is +
			continue
		}
		e := matched[row]
		known.column[row], known.negative[row] = places.Edges[e].White, m.negative[e]
	}
	l := newLayouts(o)
	for _, some := range orders {
		var best *part
		for _, order := range some {
			if p := l.lay(order, known); best == nil || p.cost < best.cost {
				best = p
			}
			if err := o.looks.Work(len(order)); err != nil {
				return err
			}
		}
		best.primes = primesFor(m.bound(best))
		best.squared = c.of[places.vertex[0][some[0][0]]] == twofold
		m.parts = append(m.parts, best)
	}
	return nil
}

// Embed embeds the graph in the plane. The error wraps ErrNotDimers if that cannot be done.
func (g *Graph) Embed(ctx context.Context) (*planar.Embedding, error) {
	edges := make([][2]int32, len(g.Edges))
	for i := range g.Edges {
		edges[i] = g.Edges[i].Ends
	}
	m, err := planar.Embed(ctx, g.Vertices, edges)
	if errors.Is(err, planar.ErrNonplanar) {
		return nil, fmt.Errorf("%w: the graph of cells is not planar", ErrNotDimers)
	}
	return m, err
}

// weigh puts equal weights together, and returns the index of each edge's.
func (m *Matrix) weigh(weights []*big.Int) []int32 {
	of := make([]int32, len(m.graph.Edges))
	index := map[string]int32{}
	for i, e := range m.graph.Edges {
		w := big.NewInt(e.Ways())
		if weights != nil {
			w = weights[i]
		}
		key := string(w.Bytes())
		at, seen := index[key]
		if !seen {
			at = int32(len(m.values))
			index[key] = at
			m.values = append(m.values, w)
		}
		of[i] = at
	}
	return of
}
