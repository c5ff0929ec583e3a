package dimer

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"github.com/pavage/pavage/internal/engine/planar"
)

// Matrix is a graph with signs of its edges and orders of elimination. It is immutable.
type Matrix struct {
	graph    *Graph
	edge     []int32    // edge of the graph of each entry
	mirrored []bool     // whether each entry is the second of the two entries of an edge
	negative []bool     // whether the sign of each entry is -
	values   []*big.Int // the distinct weights
	weight   []int32    // index in values of the weight of each entry
	parts    []*part
	torus    bool // whether the parts are four matrices of the whole graph, one for each choice of signs
	none     bool // whether there is no perfect matching
}

// NewMatrix prepares the determinant of a planar graph, or the four determinants of a bipartite
// graph on a torus. Weights are at least 0; nil means [Edge.Ways] of each edge. The error is the
// error of ctx, or wraps ErrNotDimers.
func NewMatrix(ctx context.Context, g *Graph, weights []*big.Int) (*Matrix, error) {
	c, err := g.colours(ctx)
	if err != nil {
		return nil, err
	}
	embedding, err := g.Embed(ctx)
	if errors.Is(err, ErrNotDimers) {
		if len(c.odd) > 0 {
			return nil, fmt.Errorf("%w and has cycles of odd length", err)
		}
		embedding, err = g.embed(ctx, planar.EmbedTorus)
	}
	if err != nil {
		return nil, err
	}
	if !c.even {
		return &Matrix{graph: g, none: true}, nil
	}
	p := g.places(c)
	matched, err := p.Matching(ctx)
	if err != nil || matched == nil {
		return &Matrix{graph: g, none: true}, err
	}
	reversed, err := g.signs(embedding.Faces())
	if err != nil {
		return nil, err
	}
	m := &Matrix{graph: g, torus: len(reversed) > 1}
	of := m.weigh(weights)
	for _, reversed := range reversed {
		for i, e := range p.edge {
			row := p.vertex[0][p.Edges[i].Black]
			back := row == g.Edges[e].Ends[1]
			m.negative, m.weight = append(m.negative, reversed[e] != back), append(m.weight, of[e])
			m.edge, m.mirrored = append(m.edge, e), append(m.mirrored, back && c.of[row] == twofold)
		}
	}
	known := m.known(p, c, matched)
	return m, m.layOut(ctx, p.repeat(len(reversed)), known)
}

// with returns the matrix with other weights. No edge may have a greater weight than in m, since
// the number of primes stays the same.
func (m *Matrix) with(weights []*big.Int) *Matrix {
	w := *m
	w.values, w.weight = nil, make([]int32, len(m.weight))
	of := w.weigh(weights)
	for i, e := range m.edge {
		w.weight[i] = of[e]
	}
	return &w
}

func (m *Matrix) weights() []*big.Int {
	of := make([]*big.Int, len(m.graph.Edges))
	for i, e := range m.edge {
		of[e] = m.values[m.weight[i]]
	}
	return of
}

type term struct {
	column   []int32 // column of the entry of each row
	negative []bool  // whether the entry of each row is negative
	squared  []bool  // whether the part of each row has the square of the count as its determinant
}

// known returns the term of the determinant that belongs to a perfect matching. For a part with odd
// cycles it returns the entries of the diagonal, with the sign +, in place of this term.
func (m *Matrix) known(p *places, c *colours, matched []int32) *term {
	known := &term{}
	for copied := 0; copied < len(m.edge); copied += len(p.edge) {
		columns := int32(copied / len(p.edge) * p.White)
		for row, v := range p.vertex[0] {
			column, negative := p.column[v], false
			if c.of[v] != twofold {
				column, negative = p.Edges[matched[row]].White, m.negative[copied+int(matched[row])]
			}
			known.column = append(known.column, columns+column)
			known.negative = append(known.negative, negative)
			known.squared = append(known.squared, c.of[v] == twofold)
		}
	}
	return known
}

func (b *Bipartite) repeat(times int) *Bipartite {
	if times == 1 {
		return b
	}
	all := &Bipartite{Black: times * b.Black, White: times * b.White, Orders: make([][]int32, len(b.Orders))}
	for k := range int32(times) {
		rows, columns := k*int32(b.Black), k*int32(b.White)
		for _, e := range b.Edges {
			all.Edges = append(all.Edges, Link{rows + e.Black, columns + e.White, e.Options})
		}
		for i, order := range b.Orders {
			for _, row := range order {
				all.Orders[i] = append(all.Orders[i], rows+row)
			}
		}
	}
	return all
}

func (m *Matrix) layOut(ctx context.Context, b *Bipartite, known *term) error {
	o := newOrderer(ctx, b)
	orders, err := o.orders()
	if err != nil {
		return err
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
		square := m.bound(best)
		if m.torus { // a determinant may be negative, and its sign needs one more bit
			square.Lsh(square, 2)
		}
		best.primes = primesFor(square)
		best.squared = known.squared[some[0][0]]
		m.parts = append(m.parts, best)
	}
	return nil
}

// Embed embeds g in the plane. The error wraps ErrNotDimers if g is not planar.
func (g *Graph) Embed(ctx context.Context) (*planar.Embedding, error) {
	return g.embed(ctx, planar.Embed)
}

func (g *Graph) embed(ctx context.Context, on func(context.Context, int, [][2]int32) (*planar.Embedding, error)) (*planar.Embedding, error) {
	ends := make([][2]int32, len(g.Edges))
	for i := range g.Edges {
		ends[i] = g.Edges[i].Ends
	}
	m, err := on(ctx, g.Vertices, ends)
	if errors.Is(err, planar.ErrNonplanar) {
		return nil, fmt.Errorf("%w: the graph of cells is not planar", ErrNotDimers)
	}
	return m, err
}

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
