package dimer

import (
	"context"
	"fmt"

	"github.com/pavage/pavage/internal/kit/interrupt"
)

// Bipartite is a graph of two colours, or the pattern of a matrix of black rows and white columns.
type Bipartite struct {
	Black, White int       // numbers of vertices of each colour
	Edges        []Link    // sorted by Black; no two edges have the same ends
	Item         [2][]int  // the item of each black and of each white vertex; empty if Graph.Item is empty
	Forced       []int     // see Graph.Forced
	Orders       [][]int32 // orders in which the rows of the black vertices may be eliminated
}

// Link is an edge between a black vertex and a white vertex.
type Link struct {
	Black, White int32
	Options      []int
}

// Graph returns the same graph without colours. White vertices are numbered after black vertices.
func (b *Bipartite) Graph() *Graph {
	g := &Graph{Vertices: b.Black + b.White, Edges: make([]Edge, len(b.Edges)), Forced: b.Forced}
	for i, e := range b.Edges {
		g.Edges[i] = Edge{Ends: [2]int32{e.Black, int32(b.Black) + e.White}, Options: e.Options}
	}
	return g
}

// The colours of a vertex. In a part with an odd cycle, each vertex has both colours.
const (
	black int8 = 1 << iota
	white
	twofold = black | white
)

type colours struct {
	of   []int8
	odd  [][2]int32 // for each part with an odd cycle, the two ends of one edge of the cycle
	even bool       // whether each part has an even number of vertices
}

func (g *Graph) colours(ctx context.Context) (*colours, error) {
	looks := interrupt.Context(ctx)
	b := newBreadth(g)
	c := &colours{of: make([]int8, g.Vertices), even: true}
	var part []int32
	for first := range int32(g.Vertices) {
		if c.of[first] != 0 {
			continue
		}
		c.of[first] = black
		part = append(part[:0], first)
		odd := false
		for k := 0; k < len(part); k++ {
			at := part[k]
			for _, to := range b.next[b.rows[at]:b.rows[at+1]] {
				switch {
				case c.of[to] == 0:
					c.of[to] = twofold - c.of[at]
					part = append(part, to)
				case c.of[to] == c.of[at] && !odd:
					odd = true
					c.odd = append(c.odd, [2]int32{at, to})
				}
			}
			if err := looks.Look(); err != nil {
				return nil, err
			}
		}
		for _, v := range part {
			if odd {
				c.of[v] = twofold
			}
		}
		c.even = c.even && len(part)%2 == 0
	}
	return c, nil
}

// TwoColoured colours the graph. The error is the error of ctx, or wraps ErrNotDimers if there is a
// cycle of odd length.
func (g *Graph) TwoColoured(ctx context.Context) (*Bipartite, error) {
	if g.single != nil {
		return nil, g.single
	}
	c, err := g.colours(ctx)
	if err != nil {
		return nil, err
	}
	if len(c.odd) > 0 {
		ends := [2]string{}
		for k, v := range c.odd[0] {
			if ends[k] = fmt.Sprintf("vertex %d", v); g.problem != nil {
				ends[k] = g.Name(g.Item[v])
			}
		}
		return nil, fmt.Errorf("%w: the cells cannot be coloured black and white, since a cycle of odd length leads through %s and %s", ErrNotDimers, ends[0], ends[1])
	}
	return g.places(c).Bipartite, nil
}

// places has the entries of a matrix. In a part with an odd cycle, an edge has two entries.
type places struct {
	*Bipartite
	vertex [2][]int32 // the vertex of each row and of each column
	column []int32    // the column of each white vertex, and of each vertex with both colours
	edge   []int32    // the edge of the graph for each entry
}

func (g *Graph) places(c *colours) *places {
	p := &places{Bipartite: &Bipartite{Forced: g.Forced}, column: make([]int32, g.Vertices)}
	row := make([]int32, g.Vertices)
	for v, colour := range c.of {
		if colour&black != 0 {
			row[v] = int32(len(p.vertex[0]))
			p.vertex[0] = append(p.vertex[0], int32(v))
		}
		if colour&white != 0 {
			p.column[v] = int32(len(p.vertex[1]))
			p.vertex[1] = append(p.vertex[1], int32(v))
		}
	}
	p.Black, p.White = len(p.vertex[0]), len(p.vertex[1])
	if len(g.Item) == g.Vertices {
		for side, vertices := range p.vertex {
			p.Item[side] = make([]int, len(vertices))
			for k, v := range vertices {
				p.Item[side][k] = g.Item[v]
			}
		}
	}
	rows := make([]int32, p.Black+1) // the index of the first entry of each row
	entries := func(add func(row, column int32, e int)) {
		for e := range g.Edges {
			for k, v := range g.Edges[e].Ends {
				if c.of[v]&black != 0 {
					add(row[v], p.column[g.Edges[e].Ends[1-k]], e)
				}
			}
		}
	}
	entries(func(row, _ int32, _ int) { rows[row+1]++ })
	for k := range p.Black {
		rows[k+1] += rows[k]
	}
	p.Edges, p.edge = make([]Link, rows[p.Black]), make([]int32, rows[p.Black])
	entries(func(row, column int32, e int) {
		p.Edges[rows[row]], p.edge[rows[row]] = Link{row, column, g.Edges[e].Options}, int32(e)
		rows[row]++
	})
	for _, order := range g.Orders {
		hint := make([]int32, 0, p.Black)
		for _, v := range order {
			if c.of[v]&black != 0 {
				hint = append(hint, row[v])
			}
		}
		p.Orders = append(p.Orders, hint)
	}
	return p
}
