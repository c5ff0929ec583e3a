package planar

import "fmt"

// Embedding is a graph with the order in which edges leave each vertex. An edge e has two darts:
// 2e goes from Edges[e][0] to Edges[e][1], and 2e+1 goes back.
type Embedding struct {
	Edges [][2]int32
	Next  []int32 // next dart around the tail of each dart, clockwise at all vertices or at none
}

func (m *Embedding) tail(dart int32) int32 { return m.Edges[dart>>1][dart&1] }

// After returns the dart that comes after the given one on the walk around its face.
func (m *Embedding) After(dart int32) int32 { return m.Next[dart^1] }

// Faces returns the face on one side of each dart, always the same side, and the number of faces. A
// vertex without edges has no face. The two darts of a bridge have the same face.
func (m *Embedding) Faces() (of []int32, number int) { return cycles(len(m.Next), m.After) }

func cycles(size int, next func(int32) int32) (of []int32, number int) {
	of = make([]int32, size)
	for i := range of {
		of[i] = none
	}
	for i := range int32(size) {
		if of[i] != none {
			continue
		}
		for j := i; of[j] == none; j = next(j) {
			of[j] = int32(number)
		}
		number++
	}
	return of, number
}

// Check returns an error unless m is an embedding in the plane: Next turns once around each vertex,
// and Euler's formula holds. Check uses no code of [Embed].
func (m *Embedding) Check() error {
	vertices, err := m.checkTurns()
	if err != nil {
		return err
	}
	// Each connected part has vertices - edges + faces = 2 - 2·genus, and no genus is negative.
	// So the sum is twice the number of parts only if every genus is 0.
	_, faces := m.Faces()
	if euler, parts := vertices-len(m.Edges)+faces, m.parts(); euler != 2*parts {
		return fmt.Errorf("planar: %d vertices - %d edges + %d faces = %d, expected %d: twice the number of parts",
			vertices, len(m.Edges), faces, euler, 2*parts)
	}
	return nil
}

// checkTurns returns the number of vertices with darts. Next must have one cycle for each vertex.
func (m *Embedding) checkTurns() (vertices int, err error) {
	if len(m.Next) != 2*len(m.Edges) {
		return 0, fmt.Errorf("planar: %d darts, expected two darts for each of %d edges", len(m.Next), len(m.Edges))
	}
	isNext := make([]bool, len(m.Next))
	for dart, next := range m.Next {
		if next < 0 || int(next) >= len(m.Next) || isNext[next] || m.tail(next) != m.tail(int32(dart)) {
			return 0, fmt.Errorf("planar: dart %d has the next dart %d, expected another dart of the same vertex, which is next only once", dart, next)
		}
		isNext[next] = true
	}
	turns := make([]bool, m.limit())
	of, _ := cycles(len(m.Next), func(dart int32) int32 { return m.Next[dart] })
	for dart, cycle := range of {
		if int(cycle) < vertices {
			continue
		}
		v := m.tail(int32(dart))
		if turns[v] {
			return 0, fmt.Errorf("planar: the darts of vertex %d are several cycles, expected one cycle", v)
		}
		turns[v] = true
		vertices++
	}
	return vertices, nil
}

func (m *Embedding) limit() int {
	limit := int32(0)
	for _, ends := range m.Edges {
		limit = max(limit, ends[0]+1, ends[1]+1)
	}
	return int(limit)
}

func (m *Embedding) parts() int {
	parent := upTo(m.limit())
	find := func(v int32) int32 {
		for parent[v] != v {
			parent[v] = parent[parent[v]]
			v = parent[v]
		}
		return v
	}
	parts := 0
	seen := make([]bool, len(parent))
	for _, ends := range m.Edges {
		for _, v := range ends {
			if !seen[v] {
				seen[v] = true
				parts++
			}
		}
		if a, b := find(ends[0]), find(ends[1]); a != b {
			parent[a] = b
			parts--
		}
	}
	return parts
}
