package dimer

import (
	"context"
	"fmt"
	"math/big"
	"slices"

	"github.com/pavage/pavage/internal/kit/interrupt"
)

// plane is the part of a graph that can change, in the plane: its faces, and the matchings as
// heights of faces.
//
// # Heights
//
// Look from the black end of an edge to its white end: one face lies on the left, one on the right.
// Let x be 1 for an edge that is matched and 0 for one that is not, and m the same for some first
// matching. Then the differences x-m flow through the graph: as much comes to a vertex as goes away
// from it. So there are heights h of the faces with
//
//	h(left) - h(right) = x - m        for every edge
//
// and there is one choice of them in which a certain face of each part, its root, has height 0.
// The other way round, all whole numbers that differ by -m or 1-m across each edge are the heights
// of a matching. A face is raised by one if its edges that have it on the left enter the matching,
// and those that have it on the right leave it: a rotation.
//
//	●━━━○          ●   ○          ●━━○ matched     ● black    ○ white
//	  h      ──►   ┃h+1┃
//	○━━━●          ○   ●
//
// Such inequalities between two numbers hold for the maximum and for the minimum of two solutions
// too: heights are a distributive lattice. It has a top and a bottom, which are distances from the
// root. No two faces are bound to each other, for each edge can be in and out; so rotations
// of single faces lead from the bottom to every matching, and from there to the top. None of this
// asks whether a face was a hole of the board.
//
// # References
//
// Propp, "Lattice structure for orientations of graphs" (2002); Lam and Zhang, "A distributive
// lattice on the set of perfect matchings of a plane bipartite graph" (2003); Thurston, "Conway's
// tiling groups" (1990).
type plane struct {
	g       *piece  // its edges are in some matchings, and not in others
	matched []bool  // of each edge, in the first matching
	of      []int32 // the face of each dart: on the left of 2e, on the right of 2e+1
	darts   []int32 // of the faces, one after another, each in the order around it
	begin   []int32 // where those of each face begin, and of the last one end
	root    []bool  // of each face: it keeps its height
}

func (p *plane) faces() int { return len(p.root) }

// long is how many darts a face has, an even number.
func (p *plane) long(face int32) int32 { return p.begin[face+1] - p.begin[face] }

// around are the darts of a face.
func (p *plane) around(face int32) []int32 { return p.darts[p.begin[face]:p.begin[face+1]] }

// newPlane takes a graph, the darts around each tail as an embedding has them, dart 2e leaving the
// black end of edge e, and one matching as the edge of each black vertex. It returns the edges
// that are in every matching too.
func newPlane(ctx context.Context, g *Bipartite, next, matched []int32) (p *plane, kept []int32, err error) {
	parts, err := g.elementary(ctx, matched)
	if err != nil {
		return nil, nil, err
	}
	p = &plane{g: g.only(func(e int) bool { return parts.changes(&g.Edges[e]) }, next)}
	p.matched = make([]bool, len(p.g.edges))
	for e, whole := range p.g.edges {
		p.matched[e] = matched[g.Edges[whole].Black] == whole
	}
	for _, e := range matched {
		if !parts.changes(&g.Edges[e]) {
			kept = append(kept, e)
		}
	}
	if err := ctx.Err(); err != nil { // a million cells take 0.3 s until here, and 0.1 s from here
		return nil, nil, err
	}
	p.walk()
	p.chooseRoots()
	return p, kept, ctx.Err()
}

// walk goes around each face.
func (p *plane) walk() {
	p.of = slices.Repeat([]int32{none}, len(p.g.next))
	for d := range int32(len(p.of)) {
		if p.of[d] != none {
			continue
		}
		p.begin = append(p.begin, int32(len(p.darts)))
		for at := d; p.of[at] == none; at = p.g.next[at^1] {
			p.of[at] = int32(len(p.begin) - 1)
			p.darts = append(p.darts, at)
		}
	}
	p.root = make([]bool, len(p.begin))
	p.begin = append(p.begin, int32(len(p.darts)))
}

// chooseRoots chooses the longest face of each connected part, the first of them: the longer a
// face is, the more seldom it can be rotated, so one that never has to be is best.
func (p *plane) chooseRoots() {
	met := make([]bool, p.faces())
	for f := range int32(p.faces()) {
		if met[f] {
			continue
		}
		met[f] = true
		best, queue := f, []int32{f}
		for len(queue) > 0 {
			at := queue[len(queue)-1]
			queue = queue[:len(queue)-1]
			if n := p.long(at) - p.long(best); n > 0 || n == 0 && at < best {
				best = at
			}
			for _, d := range p.around(at) {
				if g := p.of[d^1]; !met[g] {
					met[g] = true
					queue = append(queue, g)
				}
			}
		}
		p.root[best] = true
	}
}

// step is by how much a face across the dart may at most be higher than the dart's own face: across
// an edge left is at most 1-m above right, and right at most m above left.
func (p *plane) step(dart int32) int32 {
	if p.matched[dart>>1] == (dart&1 == 0) { // from left over a matched edge, or from right over another
		return 1
	}
	return 0
}

// top are the greatest heights: from the roots, each face is as high as the steps on the way
// there allow. Steps are 0 or 1, so the search goes level by level.
func (p *plane) top(ctx context.Context) ([]int32, error) { return p.distances(ctx, 0) }

// bottom are the least heights: from each face to the roots the same steps lead, in the other
// direction.
func (p *plane) bottom(ctx context.Context) ([]int32, error) {
	h, err := p.distances(ctx, 1)
	for f := range h {
		h[f] = -h[f]
	}
	return h, err
}

// distances are those of the faces from their roots, or with back = 1 to them.
func (p *plane) distances(ctx context.Context, back int32) ([]int32, error) {
	looks := interrupt.Context(ctx)
	h := make([]int32, p.faces())
	var now, then []int32 // faces at this height, and at the next
	for f := range h {
		h[f] = none
		if p.root[f] {
			now = append(now, int32(f))
		}
	}
	for height := int32(0); len(now) > 0; height++ {
		for len(now) > 0 {
			f := now[len(now)-1]
			now = now[:len(now)-1]
			if h[f] != none {
				continue
			}
			h[f] = height
			for _, d := range p.around(f) {
				if err := looks.Look(); err != nil {
					return nil, err
				}
				switch to := p.of[d^1]; {
				case h[to] != none:
				case p.step(d^back) == 0:
					now = append(now, to)
				default:
					then = append(then, to)
				}
			}
		}
		now, then = then, now
	}
	return h, nil
}

// matchedAt says whether an edge is matched, if its faces have these heights. The
// lowest bits of the heights say as much as the heights.
func (p *plane) matchedAt(edge int, left, right int32) bool {
	return ((left-right)&1 == 1) != p.matched[edge]
}

// checkFlat checks that all matchings stand for equally many solutions, as each does that takes one
// of the options of its edges: a rotation may not change the product of their numbers.
func (p *plane) checkFlat() error {
	if !slices.ContainsFunc(p.g.Edges, func(e Link) bool { return len(e.Options) > 1 }) {
		return nil
	}
	for f := range int32(p.faces()) {
		options := [2]*big.Int{big.NewInt(1), big.NewInt(1)}
		for _, d := range p.around(f) {
			n := options[d&1]
			n.Mul(n, big.NewInt(int64(len(p.g.Edges[d>>1].Options))))
		}
		if options[0].Cmp(options[1]) != 0 {
			return fmt.Errorf("%w that are all equally likely: some pairs of cells can be covered in more ways than others", ErrNotDimers)
		}
	}
	return nil
}
