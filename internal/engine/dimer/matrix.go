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
	negative []bool     // of each edge, its sign
	values   []*big.Int // of the weights, each once
	weight   []int32    // of each edge, the index of its weight
	parts    []*part
	none     bool // there is no perfect matching
}

// NewMatrix prepares the determinant of a planar graph. weights are those of the edges, at
// least 0; nil stands for the numbers of their options. Errors are ctx's, or wrap ErrNotDimers if the graph is not
// planar.
func NewMatrix(ctx context.Context, g *Graph, weights []*big.Int) (*Matrix, error) {
	embedding, err := g.Embed(ctx)
	if err != nil {
		return nil, err
	}
	matched, err := g.Matching(ctx)
	if err != nil || matched == nil {
		return &Matrix{graph: g, none: true}, err
	}
	m := &Matrix{graph: g}
	if m.negative, err = g.signs(embedding.Faces()); err != nil {
		return nil, err
	}
	m.weigh(weights)
	return m, m.layOut(ctx, matched)
}

// layOut takes the cheapest of some orders for each part.
func (m *Matrix) layOut(ctx context.Context, matched []int32) error {
	o := newOrderer(ctx, m.graph)
	orders, err := o.orders()
	if err != nil {
		return err
	}
	l := newLayouts(o)
	for _, some := range orders {
		var best *part
		for _, order := range some {
			if p := l.lay(order, matched, m.negative); best == nil || p.cost < best.cost {
				best = p
			}
			if err := o.looks.Work(len(order)); err != nil {
				return err
			}
		}
		best.primes = primesFor(m.bound(best))
		m.parts = append(m.parts, best)
	}
	return nil
}

// Embed embeds the graph in the plane: the white vertices are numbered after the black ones.
// The error wraps ErrNotDimers if that cannot be done.
func (g *Graph) Embed(ctx context.Context) (*planar.Embedding, error) {
	edges := make([][2]int32, len(g.Edges))
	for i, e := range g.Edges {
		edges[i] = [2]int32{e.Black, int32(g.Black) + e.White}
	}
	m, err := planar.Embed(ctx, g.Black+g.White, edges)
	if errors.Is(err, planar.ErrNonplanar) {
		return nil, fmt.Errorf("%w: the graph of cells is not planar", ErrNotDimers)
	}
	return m, err
}

// weigh puts equal weights together.
func (m *Matrix) weigh(weights []*big.Int) {
	m.weight = make([]int32, len(m.graph.Edges))
	index := map[string]int32{}
	for i, e := range m.graph.Edges {
		w := big.NewInt(int64(len(e.Options)))
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
		m.weight[i] = at
	}
}
