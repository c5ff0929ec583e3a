package dimer

import (
	"context"

	"github.com/pavage/pavage/internal/kit/interrupt"
)

// elementary finds the edges that are in some but not all perfect matchings.
//
// Walk from a black vertex along an edge, then along the matched edge of its white end:
//
//	b ─── w ═══ b'        ═ matched
//
// The matched edges of a closed walk of this kind can be exchanged for its other edges, and two
// matchings differ only by such cycles. So an edge is in some but not all matchings if both ends
// are in one strongly connected part of this directed graph. Tarjan's algorithm finds these parts.
func (g *Bipartite) elementary(ctx context.Context, matched []int32) (*parts, error) {
	t := tarjan{
		g: g, looks: interrupt.Context(ctx), rows: g.rows(), mate: make([]int32, g.White),
		number: make([]int32, g.Black), low: make([]int32, g.Black), next: make([]int32, g.Black),
		parts: &parts{of: make([]int32, g.Black)},
	}
	for b, e := range matched {
		t.mate[g.Edges[e].White] = int32(b)
	}
	copy(t.next, t.rows)
	for b := range t.parts.of {
		t.parts.of[b] = none
	}
	for b := range int32(g.Black) {
		if t.number[b] == 0 {
			if err := t.from(b); err != nil {
				return nil, err
			}
		}
	}
	t.parts.white = make([]int32, g.White)
	for w, b := range t.mate {
		t.parts.white[w] = t.parts.of[b]
	}
	return t.parts, nil
}

type parts struct {
	of     []int32
	white  []int32
	blacks []int32 // the number of black vertices of each part
}

func (p *parts) changes(e *Link) bool {
	return p.of[e.Black] == p.white[e.White] && p.blacks[p.of[e.Black]] > 1
}

type tarjan struct {
	g     *Bipartite
	looks interrupt.Watch
	rows  []int32
	mate  []int32
	parts *parts

	number []int32 // rank of each vertex in the order in which they were met, from 1; 0 if not met
	low    []int32 // the least rank of the open vertices that are known to be reached from each vertex
	next   []int32 // the next edge that the search tries from each vertex
	met    int32
	open   []int32 // the vertices that were met and have no part yet
	path   []int32
}

func (t *tarjan) from(b int32) error {
	t.meet(b)
	for len(t.path) > 0 {
		if err := t.looks.Look(); err != nil {
			return err
		}
		at := t.path[len(t.path)-1]
		if t.next[at] == t.rows[at+1] {
			t.leave(at)
			continue
		}
		to := t.mate[t.g.Edges[t.next[at]].White]
		t.next[at]++
		switch {
		case t.number[to] == 0:
			t.meet(to)
		case t.parts.of[to] == none:
			t.low[at] = min(t.low[at], t.number[to])
		}
	}
	return nil
}

func (t *tarjan) meet(b int32) {
	t.met++
	t.number[b], t.low[b] = t.met, t.met
	t.open = append(t.open, b)
	t.path = append(t.path, b)
}

// leave ends the visit of b. If no open vertex met before b can be reached from b, then b and the
// open vertices met after b are one part.
func (t *tarjan) leave(b int32) {
	t.path = t.path[:len(t.path)-1]
	if len(t.path) > 0 {
		before := t.path[len(t.path)-1]
		t.low[before] = min(t.low[before], t.low[b])
	}
	if t.low[b] != t.number[b] {
		return
	}
	part := int32(len(t.parts.blacks))
	t.parts.blacks = append(t.parts.blacks, 0)
	for {
		last := t.open[len(t.open)-1]
		t.open = t.open[:len(t.open)-1]
		t.parts.of[last] = part
		t.parts.blacks[part]++
		if last == b {
			return
		}
	}
}
