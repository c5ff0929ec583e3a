package dimer

import "errors"

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
// The edges of a spanning tree lead from the first end to the second. Those beside it are a spanning tree of
// the faces; so a face with one such edge left, a leaf, says how that edge is directed.
func (g *Graph) signs(of []int32, faces int) ([]bool, error) {
	u := make(union, g.Vertices)
	for v := range u {
		u[v] = int32(v)
	}
	tree := make([]bool, len(g.Edges)) // the edges of one that spans each connected part
	for e := range g.Edges {
		a, b := u.part(g.Edges[e].Ends[0]), u.part(g.Edges[e].Ends[1])
		u[max(a, b)] = min(a, b)
		tree[e] = a != b
	}
	reversed := make([]bool, len(g.Edges))
	// The edges of a face that have no direction yet: whether an odd number of them is to be reversed,
	// how many they are, and their exclusive or.
	odd, left, edges := make([]bool, faces), make([]int32, faces), make([]int32, faces)
	for face := range odd {
		odd[face] = true
	}
	for d, face := range of {
		odd[face] = odd[face] != (d%2 == 0) // the dart goes with its edge
		if !tree[d/2] {
			left[face]++
			edges[face] ^= int32(d / 2)
		}
	}
	for first := range int32(faces) {
		for face := first; left[face] == 1; { // and then perhaps the face beyond its last edge
			e := edges[face]
			reversed[e] = odd[face]
			beyond := of[2*e] ^ of[2*e+1] ^ face
			left[face], odd[face] = 0, false
			left[beyond]--
			edges[beyond] ^= e
			odd[beyond] = odd[beyond] != reversed[e]
			face = beyond
		}
	}
	for face := range left {
		if left[face] != 0 || odd[face] {
			return nil, errors.New("dimer: the faces are not those of a plane graph")
		}
	}
	return reversed, nil
}

// union puts vertices together in parts: the classical forest, with halved paths.
type union []int32

func (u union) part(v int32) int32 {
	for u[v] != v {
		u[v] = u[u[v]]
		v = u[v]
	}
	return v
}
