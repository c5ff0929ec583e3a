package dimer

import (
	"context"
	"slices"

	"github.com/pavage/pavage/internal/kit/interrupt"
)

const none = -1

func (g *Bipartite) rows() []int32 {
	rows := make([]int32, g.Black+1)
	for i := range g.Edges {
		rows[g.Edges[i].Black+1]++
	}
	for b := range g.Black {
		rows[b+1] += rows[b]
	}
	return rows
}

// Matching returns the edge of each black vertex in a perfect matching, or nil if there is none. It
// uses the algorithm of Hopcroft and Karp (1973): each round augments a matching along disjoint
// shortest paths. There are at most about 2√V rounds.
func (g *Bipartite) Matching(ctx context.Context) ([]int32, error) {
	if g.Black != g.White {
		return nil, nil
	}
	m := &matcher{
		g: g, looks: interrupt.Context(ctx), rows: g.rows(),
		edge: slices.Repeat([]int32{none}, g.Black), mate: slices.Repeat([]int32{none}, g.White),
		layer: make([]int32, g.Black), next: make([]int32, g.Black),
	}
	m.begin()
	for m.matched < g.Black {
		before := m.matched
		if err := m.round(); err != nil {
			return nil, err
		}
		if m.matched == before {
			return nil, nil
		}
	}
	return m.edge, nil
}

type matcher struct {
	g       *Bipartite
	looks   interrupt.Watch
	rows    []int32
	edge    []int32 // matched edge of each black vertex; none if the vertex is free
	mate    []int32
	matched int

	layer []int32 // distance of each black vertex from a free one; none if it was not reached
	next  []int32 // next edge to try from each black vertex
	queue []int32
	path  []int32
}

func (m *matcher) begin() {
	for b := range m.edge {
		for e := m.rows[b]; e < m.rows[b+1]; e++ {
			if w := m.g.Edges[e].White; m.mate[w] == none {
				m.edge[b], m.mate[w] = e, int32(b)
				m.matched++
				break
			}
		}
	}
}

func (m *matcher) round() error {
	if err := m.layers(); err != nil {
		return err
	}
	copy(m.next, m.rows)
	for b := range m.edge {
		if m.edge[b] != none {
			continue
		}
		if err := m.turnOver(int32(b)); err != nil {
			return err
		}
	}
	return nil
}

func (m *matcher) layers() error {
	m.queue = m.queue[:0]
	for b, e := range m.edge {
		m.layer[b] = none
		if e == none {
			m.layer[b] = 0
			m.queue = append(m.queue, int32(b))
		}
	}
	for k := 0; k < len(m.queue); k++ {
		b := m.queue[k]
		for e := m.rows[b]; e < m.rows[b+1]; e++ {
			if to := m.mate[m.g.Edges[e].White]; to != none && m.layer[to] == none {
				m.layer[to] = m.layer[b] + 1
				m.queue = append(m.queue, to)
			}
		}
		if err := m.looks.Look(); err != nil {
			return err
		}
	}
	return nil
}

func (m *matcher) turnOver(free int32) error {
	m.path = append(m.path[:0], free)
	for len(m.path) > 0 {
		b := m.path[len(m.path)-1]
		if m.next[b] == m.rows[b+1] {
			m.path = m.path[:len(m.path)-1]
			continue
		}
		to := m.mate[m.g.Edges[m.next[b]].White]
		m.next[b]++
		switch {
		case to == none:
			for _, b := range m.path { // each vertex of the path is matched by the edge that it tried last
				m.edge[b] = m.next[b] - 1
				m.mate[m.g.Edges[m.edge[b]].White] = b
			}
			m.matched++
			return nil
		case m.layer[to] == m.layer[b]+1:
			m.path = append(m.path, to)
		}
		if err := m.looks.Look(); err != nil {
			return err
		}
	}
	return nil
}
