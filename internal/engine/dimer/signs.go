package dimer

import "errors"

// signs gives the edges of a plane graph signs so that the terms of its determinant, one for
// each perfect matching, all have the same sign (Kasteleyn): along a face of L darts the product
// of the signs is to be (-1)^(L/2+1). A hole of the board is a face like others, and a bridge
// is counted twice on the walk around its face.
//
//	a───b───c       + everywhere but at ┃: each square of 4 edges has one -,
//	│   ┃   │       and the outer face of 6 edges has none
//	d───e───f
//
// There must be a perfect matching: a graph with an odd number of vertices has no such signs.
// of is the face of each dart, and dart d is one of edge d/2. The result tells which edges have -.
//
// The edges of a spanning tree have +. Those beside it are a spanning tree of the faces; so a
// face with one such edge left, a leaf, says what the sign of that edge is.
func (g *Graph) signs(of []int32, faces int) ([]bool, error) {
	u := make(union, g.Black+g.White)
	for v := range u {
		u[v] = int32(v)
	}
	tree := make([]bool, len(g.Edges)) // the edges of one that spans each connected part
	for e := range g.Edges {
		a, b := u.part(g.Edges[e].Black), u.part(int32(g.Black)+g.Edges[e].White)
		u[max(a, b)] = min(a, b)
		tree[e] = a != b
	}
	negative := make([]bool, len(g.Edges))
	// The edges of a face that have no sign yet: whether they need an odd number of -, how many
	// they are, and their exclusive or.
	odd, left, edges := make([]bool, faces), make([]int32, faces), make([]int32, faces)
	length := make([]int32, faces)
	for d, face := range of {
		length[face]++
		if !tree[d/2] {
			left[face]++
			edges[face] ^= int32(d / 2)
		}
	}
	for face, l := range length {
		odd[face] = l%4 == 0
	}
	for first := range int32(faces) {
		for face := first; left[face] == 1; { // and then perhaps the face beyond its last edge
			e := edges[face]
			negative[e] = odd[face]
			beyond := of[2*e] ^ of[2*e+1] ^ face
			left[face], odd[face] = 0, false
			left[beyond]--
			edges[beyond] ^= e
			odd[beyond] = odd[beyond] != negative[e]
			face = beyond
		}
	}
	for face := range left {
		if left[face] != 0 || odd[face] || length[face]%2 == 1 {
			return nil, errors.New("dimer: the faces are not those of a plane bipartite graph")
		}
	}
	return negative, nil
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
