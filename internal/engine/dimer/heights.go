package dimer

import (
	"context"
	"fmt"
	"math/big"
	"slices"

	"github.com/pavage/pavage/internal/kit/interrupt"
)

// plane has the edges of a graph that are in some but not all matchings, and the faces of these
// edges. A matching is stored as the heights of the faces.
//
// Directed from black to white, each edge has a face on its left and a face on its right. Let x be
// 1 for an edge in the matching and 0 for others, and m the same for some first matching. The
// differences x-m are a flow: at each vertex they add up to 0. So there are heights h of the faces,
// 0 at one face of each part, the root, with
//
//	h(left) - h(right) = x - m        for every edge
//
// If whole numbers on the faces differ by -m or 1-m across each edge, they are the heights of a
// matching. A rotation raises a face by one: the edges with the face on the left enter the
// matching, and the edges with the face on the right leave it.
//
//	●━━━○          ●   ○          ●━━○ matched     ● black    ○ white
//	  h      ──►   ┃h+1┃
//	○━━━●          ○   ●
//
// The maximum and the minimum of the heights of two matchings are heights of matchings. So heights
// are a distributive lattice (Thurston 1990; Propp 2002; Lam and Zhang, "A distributive lattice on
// the set of perfect matchings of a plane bipartite graph", 2003). Its top and its bottom are found
// as shortest distances from the root. Since no edge is in all matchings or in none, rotations of
// single faces lead from the bottom to every matching, and on to the top.
type plane struct {
	g       *piece
	matched []bool  // whether the first matching has each edge
	of      []int32 // the face of each dart: for 2e the face left of edge e, for 2e+1 right of it
	darts   []int32 // the darts of the faces, one face after another, each in the order around the face
	begin   []int32 // the index in darts at which each face begins, and the end of the last face
	root    []bool  // whether each face is a root, whose height is 0
}

func (p *plane) faces() int { return len(p.root) }

func (p *plane) long(face int32) int32 { return p.begin[face+1] - p.begin[face] }

func (p *plane) around(face int32) []int32 { return p.darts[p.begin[face]:p.begin[face+1]] }

// newPlane returns the plane of g, and the edges in every matching. Dart 2e leaves a black vertex.
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
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	p.walk()
	p.chooseRoots()
	return p, kept, ctx.Err()
}

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

// chooseRoots makes the longest face of each part a root, as long faces can be rotated least often.
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

// step returns by how much the face right of a dart may be higher than the face left of it: 0 or 1.
func (p *plane) step(dart int32) int32 {
	if p.matched[dart>>1] == (dart&1 == 0) { // a matched edge from black to white, or an unmatched edge from white to black
		return 1
	}
	return 0
}

// top returns the greatest heights: for each face, the least sum of steps from a root to the face.
func (p *plane) top(ctx context.Context) ([]int32, error) { return p.distances(ctx, 0) }

// bottom returns the least heights: minus the least sum of steps from the face to a root.
func (p *plane) bottom(ctx context.Context) ([]int32, error) {
	h, err := p.distances(ctx, 1)
	for f := range h {
		h[f] = -h[f]
	}
	return h, err
}

func (p *plane) distances(ctx context.Context, back int32) ([]int32, error) {
	looks := interrupt.Context(ctx)
	h := make([]int32, p.faces())
	var now, then []int32 // faces at the current height, and at the next height
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

// matchedAt reports whether an edge is matched if its faces have heights with these lowest bits.
func (p *plane) matchedAt(edge int, left, right int32) bool {
	return ((left-right)&1 == 1) != p.matched[edge]
}

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
			return fmt.Errorf("%w: some pairs of cells have more options than other pairs, so matchings of the cells are not equally likely", ErrNotDimers)
		}
	}
	return nil
}
