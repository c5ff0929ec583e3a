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
	t := &leaves{
		negative: make([]bool, len(g.Edges)), of: of,
		odd: make([]bool, faces), left: make([]int32, faces), edges: make([]int32, faces),
	}
	length := make([]int32, faces)
	for d, face := range of {
		length[face]++
		if !tree[d/2] {
			t.left[face]++
			t.edges[face] ^= int32(d / 2)
		}
	}
	for face, l := range length {
		t.odd[face] = l%4 == 0
	}
	for face := range int32(faces) {
		t.strip(face)
	}
	for face := range t.left {
		if t.left[face] != 0 || t.odd[face] || length[face]%2 == 1 {
			return nil, errors.New("dimer: the faces are not those of a plane bipartite graph")
		}
	}
	return t.negative, nil
}

// leaves are the faces of which edges have been signed already.
type leaves struct {
	negative []bool
	of       []int32 // of each dart, its face
	odd      []bool  // of each face: the edges that have no sign yet need an odd number of -
	left     []int32 // of each face: how many of its edges have no sign yet
	edges    []int32 // of each face: the exclusive or of these edges
}

// strip signs the last edge of a face, then perhaps that of the face beyond it, and so on.
func (t *leaves) strip(face int32) {
	for t.left[face] == 1 {
		e := t.edges[face]
		t.negative[e] = t.odd[face]
		beyond := t.of[2*e] ^ t.of[2*e+1] ^ face
		t.left[face], t.odd[face] = 0, false
		t.left[beyond]--
		t.edges[beyond] ^= e
		t.odd[beyond] = t.odd[beyond] != t.negative[e]
		face = beyond
	}
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
