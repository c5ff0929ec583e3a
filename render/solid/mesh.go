package solid

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/pavage/pavage/tiling"
)

// If two cells meet only in an edge, the middle of the edge moves into each cell by hair
// times the side of a cell. This is invisible, but larger than rounding errors of STL.
const hair = 1.0 / (1 << 14)

// node is a corner of a cell. Its coordinates grow to the right, down, and up.
type node [3]int

type side struct {
	cell   tiling.Cell
	number int
}

type face struct {
	side
	nodes []node // counter-clockwise as seen from outside
	slot  int    // index of the first corner of the face among the corners of all faces
}

type body struct {
	lattice *tiling.Lattice
	// line converts a coordinate of a node to a length; nil unless cells are divided into parts.
	line   func(int) float64
	inset  float64 // distance by which the sides of cells of a flat lattice move inwards
	cells  map[tiling.Cell]bool
	faces  []face
	number map[side]int    // index of each face in faces
	parent []int           // union-find: corners with the same root are one vertex
	uses   map[[2]node]int // number of faces that have each edge
}

// Build returns the surface of distinct cells. Lengths are in cell sides; gap is at most MaxGap(l).
func Build(l *tiling.Lattice, cells []tiling.Cell, gap float64) (*Mesh, error) {
	if most := MaxGap(l); !(gap >= 0 && gap <= most+1e-9) {
		return nil, fmt.Errorf("the gap is %.3g sides of a cell, expected 0 to %.3g sides", gap, most)
	}
	space := l.Dimensions() == 3 && gap > 0
	// A cell has at most eight triangles for each face or, if divided, 12 for each of eight parts.
	triangles := 8 * (len(l.Outline(tiling.Cell{})) + 2)
	if space {
		triangles = 8 * 12
	}
	if len(cells) > MaxTriangles/triangles {
		return nil, fmt.Errorf("%w: %d cells may need more than %d triangles",
			ErrTooLarge, len(cells), MaxTriangles)
	}
	b := &body{lattice: l, number: make(map[side]int), uses: make(map[[2]node]int)}
	if space {
		var parts []tiling.Cell
		have := make(map[tiling.Cell]bool, len(cells))
		for _, c := range cells {
			have[c] = true
		}
		for _, c := range cells {
			for k := range 8 {
				up := tiling.Cell{k & 1, k >> 1 & 1, k >> 2}
				if surrounded(have, c, up) {
					parts = append(parts, tiling.Cell{2*c[0] + 1 - up[0], 2*c[1] + 1 - up[1], 2*c[2] + 1 - up[2]})
				}
			}
		}
		cells = parts
		b.line = func(n int) float64 { return float64(n>>1) + float64(n&1*2-1)*gap/2 }
	} else {
		b.inset = gap / 2
	}
	b.fill(cells)
	for i := range b.faces {
		f := &b.faces[i]
		for k := range f.nodes {
			g, m := b.beside(f, k)
			b.unite(f.slot+k, g.slot+(m+1)%len(g.nodes))
			b.unite(f.slot+(k+1)%len(f.nodes), g.slot+m)
		}
	}
	return b.mesh(space || gap > 0), nil
}

// surrounded reports whether all cells c - s are in have. Each coordinate of s is 0 or as in up.
func surrounded(have map[tiling.Cell]bool, c, up tiling.Cell) bool {
	for k := range 8 {
		if !have[tiling.Cell{c[0] - up[0]*(k&1), c[1] - up[1]*(k>>1&1), c[2] - up[2]*(k>>2)}] {
			return false
		}
	}
	return true
}

// fill sets b.faces. A face is a side of a cell without a cell on the other side.
func (b *body) fill(cells []tiling.Cell) {
	b.cells = make(map[tiling.Cell]bool, len(cells))
	for _, c := range cells {
		b.cells[c] = true
	}
	cells = slices.SortedFunc(slices.Values(cells), func(a, c tiling.Cell) int { return slices.Compare(a[:], c[:]) })
	slots := 0
	for _, c := range cells {
		for number := range b.sides(c) {
			s := side{c, number}
			if b.cells[b.behind(s)] {
				continue
			}
			b.number[s] = len(b.faces)
			f := face{side: s, nodes: b.nodes(s), slot: slots}
			b.faces = append(b.faces, f)
			slots += len(f.nodes)
			for k := range f.nodes {
				b.uses[undirected(f.edge(k))]++
			}
		}
	}
	b.parent = make([]int, slots)
	for i := range b.parent {
		b.parent[i] = i
	}
}

func (b *body) sides(c tiling.Cell) int { return len(b.lattice.Outline(c)) + 2 }

func (b *body) behind(s side) tiling.Cell {
	step := tiling.Cell{1, 0, 0}
	switch n := b.sides(s.cell) - 2; {
	case s.number < n:
		step = b.lattice.Steps(s.cell)[s.number]
	case s.number == n:
		step = tiling.Cell{-1, 0, 0}
	}
	return tiling.Cell{s.cell[0] + step[0], s.cell[1] + step[1], s.cell[2] + step[2]}
}

// nodes returns the corners of a side, counter-clockwise as seen from outside.
func (b *body) nodes(s side) (nodes []node) {
	outline, z := b.lattice.Outline(s.cell), s.cell[0]
	at := func(k, z int) node { c := outline[k%len(outline)]; return node{c.X, c.Y, z} }
	switch n := len(outline); s.number {
	case n:
		for k := range n {
			nodes = append(nodes, at(k, z))
		}
	case n + 1:
		for k := range n {
			nodes = append(nodes, at(n-1-k, z+1))
		}
	default:
		k := s.number
		nodes = []node{at(k+1, z), at(k, z), at(k, z+1), at(k+1, z+1)}
	}
	return nodes
}

func (f *face) edge(k int) (from, to node) { return f.nodes[k], f.nodes[(k+1)%len(f.nodes)] }

func undirected(a, b node) [2]node {
	if cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]), cmp.Compare(a[2], b[2])) > 0 {
		a, b = b, a
	}
	return [2]node{a, b}
}

// beside returns the face g that shares edge k of face f. Edge m of g is this edge in the reverse
// direction.
func (b *body) beside(f *face, k int) (g *face, m int) {
	from, to := f.edge(k)
	at := f.side
	for {
		at.number, m = b.turn(at, to, from)
		beyond := b.behind(at)
		if !b.cells[beyond] {
			return &b.faces[b.number[at]], m
		}
		at = b.reverse(at, beyond)
	}
}

func (b *body) turn(at side, from, to node) (number, edge int) {
	for number := range b.sides(at.cell) {
		f := face{nodes: b.nodes(side{at.cell, number})}
		for k := range f.nodes {
			if p, q := f.edge(k); p == from && q == to {
				return number, k
			}
		}
	}
	panic("a cell is not closed")
}

func (b *body) reverse(s side, behind tiling.Cell) side {
	for number := range b.sides(behind) {
		if back := (side{behind, number}); b.behind(back) == s.cell {
			return back
		}
	}
	panic("a neighbour is none the other way")
}

func (b *body) unite(i, j int) { b.parent[b.root(i)] = b.root(j) }

func (b *body) root(i int) int {
	for b.parent[i] != i {
		b.parent[i] = b.parent[b.parent[i]]
		i = b.parent[i]
	}
	return i
}

// mesh makes triangles. Unless apart is set, it splits edges of more than two faces: see hair.
func (b *body) mesh(apart bool) *Mesh {
	m := &Mesh{}
	vertices := make(map[int]int) // index of each vertex, by the root of its corners
	inset := b.insets()
	middles := make(map[[2]int]int) // vertex in the middle of an edge, by the slots of the edge in its two faces
	for i := range b.faces {
		f := &b.faces[i]
		var ring []int
		for k, n := range f.nodes {
			root := b.root(f.slot + k)
			v, known := vertices[root]
			if !known {
				v = m.add(b.place(n).plus(inset[root]))
				vertices[root] = v
			}
			ring = append(ring, v)
			if !apart && b.uses[undirected(f.edge(k))] > 2 {
				ring = append(ring, b.middle(m, middles, i, k))
			}
		}
		// A face with points on its edges is divided into triangles that meet at its middle:
		// none of them is a line.
		if len(ring) == len(f.nodes) {
			for k := 1; k+1 < len(ring); k++ {
				m.Triangles = append(m.Triangles, [3]int{ring[0], ring[k], ring[k+1]})
			}
			continue
		}
		var middle Point
		for _, v := range ring {
			middle = middle.plus(m.Vertices[v].times(1 / float64(len(ring))))
		}
		centre := m.add(middle)
		for k, v := range ring {
			m.Triangles = append(m.Triangles, [3]int{v, ring[(k+1)%len(ring)], centre})
		}
	}
	return m
}

func (m *Mesh) add(p Point) int {
	m.Vertices = append(m.Vertices, p)
	return len(m.Vertices) - 1
}

func (b *body) middle(m *Mesh, known map[[2]int]int, i, k int) int {
	f := &b.faces[i]
	g, e := b.beside(f, k)
	if v, ok := known[[2]int{g.slot + e, f.slot + k}]; ok {
		return v
	}
	from, to := f.edge(k)
	inwards := b.normal(f).plus(b.normal(g))
	inwards = inwards.times(-hair / math.Sqrt(inwards.dot(inwards)))
	v := m.add(b.place(from).plus(b.place(to)).times(0.5).plus(inwards))
	known[[2]int{f.slot + k, g.slot + e}] = v
	return v
}

func (b *body) place(n node) Point {
	if b.line != nil {
		return Point{b.line(n[0]), -b.line(n[1]), b.line(n[2])}
	}
	p := flat(b.lattice, tiling.Corner{X: n[0], Y: n[1]})
	p[2] = float64(n[2])
	return p
}

func (b *body) normal(f *face) Point {
	p := b.place(f.nodes[1])
	q := b.place(f.nodes[2]).Minus(p).cross(b.place(f.nodes[0]).Minus(p))
	return q.times(1 / math.Sqrt(q.dot(q)))
}

// insets maps the root of a vertex (see parent) to the vector by which the gap moves the vertex.
func (b *body) insets() map[int]Point {
	ways := make(map[int]Point)
	if b.inset == 0 {
		return ways
	}
	first := make(map[int]Point)
	for i := range b.faces {
		f := &b.faces[i]
		if f.number >= b.sides(f.cell)-2 {
			continue
		}
		normal := b.normal(f)
		for k := range f.nodes {
			root := b.root(f.slot + k)
			before, met := first[root]
			if !met {
				first[root] = normal
				continue
			}
			ways[root] = before.plus(normal).times(-b.inset / (1 + before.dot(normal)))
		}
	}
	return ways
}
