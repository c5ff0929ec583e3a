package dimer

import (
	"errors"
	"slices"
)

// signs directs the edges of a plane graph so that the terms of its Pfaffian, one for each
// perfect matching, all have the same sign (Kasteleyn): on the walk around each face an odd number
// of darts go with the direction of their edge. A hole of the board is a face like others, and
// a bridge goes once with its direction on the walk around its face. If every edge of a graph of two
// colours is directed from black to white, and those with a - the other way, then the product of the
// signs along a face of L darts is (-1)^(L/2+1).
//
//	a───b───c       + everywhere but at ┃: each square of 4 edges has one -,
//	│   ┃   │       and the outer face of 6 edges has none
//	d───e───f
//
// Each connected part must have an even number of vertices: others have no such directions.
// of is the face of each dart, and dart d is one of edge d/2. The result tells which edges are directed
// from their second end to their first.
//
// The edges of a spanning tree lead from the first end to the second. Those beside it connect the
// faces. In the plane they are a spanning tree of these, so a face with one such edge left, a leaf,
// says how that edge is directed. On a torus two edges are left over beside the tree of faces, and
// each of the four choices for them is a result (see [Matrix.total]).
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
			return nil, errors.New("dimer: the faces are not those of a graph with a perfect matching")
		}
		all[choice] = s.reversed
	}
	return all, nil
}

// leaves is a tree of faces whose edges are directed from the leaves on.
type leaves struct {
	of       []int32 // the face of each dart
	reversed []bool  // of each edge
	// The edges of a face that have no direction yet: whether an odd number of them is to be reversed,
	// how many they are, and their exclusive or.
	odd         []bool
	left, edges []int32
}

func (s *leaves) reverse(e int32) {
	s.reversed[e] = true
	for _, face := range s.of[2*e : 2*e+2] {
		s.odd[face] = !s.odd[face]
	}
}

// settle directs the edges. It reports false if that cannot be done.
func (s *leaves) settle() bool {
	for face := range int32(len(s.left)) {
		for s.left[face] == 1 { // and then perhaps the face beyond its last edge
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

// union puts vertices together in parts: the classical forest, with halved paths.
type union []int32

func newUnion(n int) union {
	u := make(union, n)
	for v := range u {
		u[v] = int32(v)
	}
	return u
}

// join joins two parts, and reports whether they were different.
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
