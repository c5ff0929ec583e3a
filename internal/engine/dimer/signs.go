package dimer

import (
	"errors"
	"slices"
)

// signs directs the edges of a plane graph so that the terms of its Pfaffian all have the same sign
// (Kasteleyn): on the walk around each face an odd number of darts go with the direction of their
// edge. In a graph of two colours let edges with a + be directed from black to white and edges with
// a - from white to black. Then the product of the signs along a face of L darts is (-1)^(L/2+1).
//
//	a───b───c       + everywhere but at ┃: each square of 4 edges has one -,
//	│   ┃   │       and the outer face of 6 edges has none
//	d───e───f
//
// Each connected part must have an even number of vertices. Dart d belongs to edge d/2, and
// of[d] is its face. A result has true for each edge that leads from its second end to its first.
//
// The edges of a spanning tree lead from the first end to the second. In the plane the other edges
// are a spanning tree of the faces. A leaf of this tree is a face with one edge that has no
// direction yet: the rule above gives this direction. On a torus two edges are in neither tree, and
// each of the four choices of their directions is a result (see [Matrix.total]).
func (g *Graph) signs(of []int32, faces int) ([][]bool, error) {
	tree, around := newUnion(g.Vertices), newUnion(faces)
	odd, left, edges := slices.Repeat([]bool{true}, faces), make([]int32, faces), make([]int32, faces)
	var free []int
	for e := range g.Edges {
		f := [2]int32{of[2*e], of[2*e+1]}
		odd[f[0]] = !odd[f[0]] // dart 2e goes with the edge
		if tree.join(g.Edges[e].Ends[0], g.Edges[e].Ends[1]) {
			continue
		}
		if !around.join(f[0], f[1]) {
			free = append(free, e)
			continue
		}
		for _, face := range f {
			left[face]++
			edges[face] ^= int32(e)
		}
	}
	all := make([][]bool, 1<<len(free))
	for choice := range all {
		s := &leaves{of, make([]bool, len(g.Edges)), slices.Clone(odd), slices.Clone(left), slices.Clone(edges)}
		for k, e := range free {
			if choice>>k&1 > 0 {
				s.reverse(int32(e))
			}
		}
		if !s.settle() {
			return nil, errors.New("dimer: a graph with these faces has no perfect matching")
		}
		all[choice] = s.reversed
	}
	return all, nil
}

type leaves struct {
	of          []int32
	reversed    []bool
	odd         []bool  // whether an odd number of open edges of each face must be reversed
	left, edges []int32 // number of open edges of each face, and xor of the indices of these edges
}

func (s *leaves) reverse(e int32) {
	s.reversed[e] = true
	for _, face := range s.of[2*e : 2*e+2] {
		s.odd[face] = !s.odd[face]
	}
}

// settle directs the edges. It reports whether such directions exist.
func (s *leaves) settle() bool {
	for face := range int32(len(s.left)) {
		for s.left[face] == 1 { // then go on with the face on the other side of its last edge
			e := s.edges[face]
			beyond := s.of[2*e] ^ s.of[2*e+1] ^ face
			if s.odd[face] {
				s.reverse(e)
			}
			s.left[face] = 0
			s.left[beyond]--
			s.edges[beyond] ^= e
			face = beyond
		}
	}
	return !slices.Contains(s.odd, true)
}

type union []int32

func newUnion(n int) union {
	u := make(union, n)
	for v := range u {
		u[v] = int32(v)
	}
	return u
}

func (u union) join(a, b int32) bool {
	a, b = u.part(a), u.part(b)
	u[max(a, b)] = min(a, b)
	return a != b
}

func (u union) part(v int32) int32 {
	for u[v] != v {
		u[v] = u[u[v]]
		v = u[v]
	}
	return v
}
