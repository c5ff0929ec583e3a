package planar

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pavage/pavage/internal/kit/interrupt"
	"github.com/pavage/pavage/internal/test/testkit"
)

type sketch struct {
	vertices int
	edges    [][2]int32
}

func (g *sketch) join(a, b int) { g.edges = append(g.edges, [2]int32{int32(a), int32(b)}) }

func (g *sketch) vertex() int {
	g.vertices++
	return g.vertices - 1
}

func (g *sketch) path(a, b, edges int) {
	for ; edges > 1; edges-- {
		v := g.vertex()
		g.join(a, v)
		a = v
	}
	g.join(a, b)
}

// grid returns the graph of a board, with some diagonals of its squares.
func grid(rows, columns int, diagonal func() bool) *sketch {
	g := &sketch{vertices: rows * columns}
	for v := range g.vertices {
		if v%columns > 0 {
			g.join(v-1, v)
		}
		if v >= columns {
			g.join(v-columns, v)
		}
		if v%columns > 0 && v >= columns && diagonal() {
			g.join(v-columns-1, v)
		}
	}
	return g
}

// stacked returns a triangle with vertices put into faces, each joined to the corners of its face.
func stacked(vertices int, rng *rand.Rand) *sketch {
	g := &sketch{vertices: 3}
	faces := [][3]int{{0, 1, 2}, {0, 1, 2}}
	g.join(0, 1)
	g.join(1, 2)
	g.join(2, 0)
	for g.vertices < vertices {
		at := rng.IntN(len(faces))
		f, v := faces[at], g.vertex()
		for _, corner := range f {
			g.join(corner, v)
		}
		faces[at] = [3]int{f[0], f[1], v}
		faces = append(faces, [3]int{f[1], f[2], v}, [3]int{f[2], f[0], v})
	}
	return g
}

// complete joins all pairs of vertices of different sorts.
func complete(vertices int, sort func(int) int) *sketch {
	g := &sketch{vertices: vertices}
	for a := range vertices {
		for b := range a {
			if sort(a) != sort(b) {
				g.join(a, b)
			}
		}
	}
	return g
}

func itself(v int) int { return v }
func even(v int) int   { return v % 2 }

// petersen is a five-pointed star in a pentagon.
func petersen() *sketch {
	g := &sketch{vertices: 10}
	for v := range 5 {
		g.join(v, (v+1)%5)
		g.join(v, v+5)
		g.join(v+5, (v+2)%5+5)
	}
	return g
}

// torus is a grid whose sides are glued both ways.
func torus(rows, columns int) *sketch {
	g := &sketch{vertices: rows * columns}
	for v := range g.vertices {
		r, c := v/columns, v%columns
		g.join(v, r*columns+(c+1)%columns)
		g.join(v, (r+1)%rows*columns+c)
	}
	return g
}

// subdivided puts vertices into the edges.
func (g *sketch) subdivided(rng *rand.Rand) *sketch {
	s := &sketch{vertices: g.vertices}
	for _, e := range g.edges {
		s.path(int(e[0]), int(e[1]), 1+rng.IntN(4))
	}
	return s
}

// thinned leaves edges out.
func (g *sketch) thinned(keep float64, rng *rand.Rand) *sketch {
	s := &sketch{vertices: g.vertices}
	for _, e := range g.edges {
		if rng.Float64() < keep {
			s.edges = append(s.edges, e)
		}
	}
	return s
}

// doubled adds some edges again.
func (g *sketch) doubled(rng *rand.Rand) *sketch {
	s := &sketch{vertices: g.vertices, edges: slices.Clone(g.edges)}
	for range rng.IntN(4) {
		if len(g.edges) > 0 {
			s.edges = append(s.edges, g.edges[rng.IntN(len(g.edges))])
		}
	}
	return s
}

// with returns both graphs; they share a vertex if both have vertices and shared is true.
func (g *sketch) with(h *sketch, shared bool) *sketch {
	s := &sketch{vertices: g.vertices + h.vertices, edges: slices.Clone(g.edges)}
	for _, e := range h.edges {
		s.join(int(e[0])+g.vertices, int(e[1])+g.vertices)
	}
	if shared && g.vertices > 0 && h.vertices > 0 {
		for i, e := range s.edges {
			for end, v := range e {
				if int(v) == g.vertices {
					s.edges[i][end] = int32(g.vertices - 1)
				}
			}
		}
	}
	return s
}

// shuffled renames the vertices, reorders the edges, and swaps the ends of some edges.
func (g *sketch) shuffled(rng *rand.Rand) *sketch {
	s := &sketch{vertices: g.vertices, edges: slices.Clone(g.edges)}
	name := rng.Perm(g.vertices)
	for i, e := range s.edges {
		a, b := int32(name[e[0]]), int32(name[e[1]])
		if rng.IntN(2) == 0 {
			a, b = b, a
		}
		s.edges[i] = [2]int32{a, b}
	}
	rng.Shuffle(len(s.edges), func(i, j int) { s.edges[i], s.edges[j] = s.edges[j], s.edges[i] })
	return s
}

// isPlanar calls Embed and checks the embedding.
func (g *sketch) isPlanar(t *testing.T) bool {
	t.Helper()
	m, err := Embed(t.Context(), g.vertices, g.edges)
	if errors.Is(err, ErrNonplanar) {
		return false
	}
	if err == nil {
		err = m.Check()
	}
	if err != nil {
		t.Fatalf("%v\n%d vertices, edges %v", err, g.vertices, g.edges)
	}
	return true
}

func always() bool { return true }

func TestPlanarGraphs(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 1))
	coin := func() bool { return rng.IntN(2) == 0 }
	for i := range testkit.Size(600, 20_000) {
		var g *sketch
		switch i % 4 {
		case 0:
			g = grid(1+rng.IntN(9), 1+rng.IntN(9), coin)
		case 1:
			g = grid(1+rng.IntN(9), 1+rng.IntN(9), always)
		default:
			g = stacked(3+rng.IntN(60), rng)
		}
		if i%3 > 0 {
			g = g.thinned(rng.Float64(), rng)
		}
		if i%5 == 0 {
			g = g.with(stacked(3+rng.IntN(10), rng).thinned(0.8, rng), coin())
		}
		if i%7 == 0 {
			g = g.subdivided(rng)
		}
		if g = g.doubled(rng).shuffled(rng); !g.isPlanar(t) {
			t.Fatalf("graph %d is reported not to be planar: %d vertices, edges %v", i, g.vertices, g.edges)
		}
	}
}

func TestGraphsThatAreNotPlanar(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 2))
	kinds := map[string]func() *sketch{
		"K5":       func() *sketch { return complete(5, itself) },
		"K3,3":     func() *sketch { return complete(6, even) },
		"Petersen": petersen,
		"torus":    func() *sketch { return torus(3+rng.IntN(4), 3+rng.IntN(4)) },
		"dense":    func() *sketch { return complete(8+rng.IntN(12), itself).thinned(0.95, rng) },
	}
	for name, make := range kinds {
		for i := range testkit.Size(60, 2000) {
			g := make()
			if i%2 > 0 {
				g = g.subdivided(rng)
			}
			if i%3 > 0 {
				g = g.with(stacked(3+rng.IntN(30), rng).thinned(0.9, rng), i%6 > 2)
			}
			if g = g.doubled(rng).shuffled(rng); g.isPlanar(t) {
				t.Errorf("%s %d is reported to be planar: %d vertices, edges %v", name, i, g.vertices, g.edges)
			}
		}
	}
}

// TestOneEdgeTooMany: a triangulation is planar, and with any other edge it is not.
func TestOneEdgeTooMany(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 3))
	for range testkit.Size(100, 3000) {
		g := stacked(5+rng.IntN(40), rng)
		if !g.isPlanar(t) {
			t.Fatalf("a triangulation is reported not to be planar: %v", g.edges)
		}
		for a, b := 0, 0; a == b || g.has(a, b); {
			if a, b = rng.IntN(g.vertices), rng.IntN(g.vertices); a != b && !g.has(a, b) {
				g.join(a, b)
				break
			}
		}
		if g = g.subdivided(rng).shuffled(rng); g.isPlanar(t) {
			t.Fatalf("a triangulation with an edge more is reported to be planar: %v", g.edges)
		}
	}
}

// TestMaximal adds edges in random order, each if the graph stays planar. The result is a
// triangulation with 3n-6 edges: an edge that was refused by mistake would be missing.
func TestMaximal(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 6))
	for range testkit.Size(30, 2000) {
		n := 4 + rng.IntN(16)
		all := complete(n, itself).shuffled(rng)
		g := &sketch{vertices: n}
		for _, e := range all.edges {
			g.edges = append(g.edges, e)
			if !g.isPlanar(t) {
				g.edges = g.edges[:len(g.edges)-1]
			}
		}
		if len(g.edges) != 3*n-6 {
			t.Fatalf("%d vertices: %d edges, and no other can be added, want %d: %v", n, len(g.edges), 3*n-6, g.edges)
		}
	}
}

func (g *sketch) has(a, b int) bool {
	return slices.ContainsFunc(g.edges, func(e [2]int32) bool {
		return e == [2]int32{int32(a), int32(b)} || e == [2]int32{int32(b), int32(a)}
	})
}

// TestSmallGraphs tests Wagner's theorem: all graphs of up to six vertices, and some of seven.
func TestSmallGraphs(t *testing.T) {
	slow := wagner{}
	for n := range 7 {
		for g := range smallGraph(1) << (n * (n - 1) / 2) {
			slow.compare(t, n, g)
		}
	}
	rng := rand.New(rand.NewPCG(17, 4))
	for range testkit.Size(3000, 200_000) {
		slow.compare(t, 7, smallGraph(rng.Uint32N(1<<21)|rng.Uint32N(1<<21)&rng.Uint32N(1<<21)))
	}
}

// smallGraph is a graph of few vertices: bit b(b-1)/2 + a is the edge from a to b, for a < b.
type smallGraph uint32

func (g smallGraph) has(a, b int) bool {
	a, b = min(a, b), max(a, b)
	return a != b && g>>(b*(b-1)/2+a)&1 > 0
}

func (g *smallGraph) join(a, b int) {
	a, b = min(a, b), max(a, b)
	*g |= 1 << (b*(b-1)/2 + a)
}

// contracted returns g, a graph of n vertices, with a and b joined to one vertex.
func (g smallGraph) contracted(n, a, b int) smallGraph {
	name := func(v int) int {
		if v == b {
			v = a
		}
		if v > b {
			v--
		}
		return v
	}
	var c smallGraph
	for v := range n {
		for w := range v {
			if g.has(w, v) && name(v) != name(w) {
				c.join(name(v), name(w))
			}
		}
	}
	return c
}

// wagner stores which graphs are planar, by the number of vertices.
type wagner map[int]map[smallGraph]bool

// isPlanar: a graph is planar unless edges can be contracted so that it contains K5 or K3,3.
func (w wagner) isPlanar(n int, g smallGraph) bool {
	if n < 5 {
		return true
	}
	if w[n] == nil {
		w[n] = map[smallGraph]bool{}
	}
	if known, ok := w[n][g]; ok {
		return known
	}
	is := !g.hasForbidden(n)
	for b := 0; b < n && is; b++ {
		for a := 0; a < b && is; a++ {
			is = !g.has(a, b) || w.isPlanar(n-1, g.contracted(n, a, b))
		}
	}
	w[n][g] = is
	return is
}

// hasForbidden reports whether g contains K5 or K3,3.
func (g smallGraph) hasForbidden(n int) bool {
	var in []int
	var choose func(from, size int, ok func() bool) bool
	choose = func(from, size int, ok func() bool) bool {
		if size == 0 {
			return ok()
		}
		for v := from; v < n; v++ {
			in = append(in, v)
			found := choose(v+1, size-1, ok)
			if in = in[:len(in)-1]; found {
				return true
			}
		}
		return false
	}
	return choose(0, 5, func() bool { return g.joinsAll(in, in) }) ||
		choose(0, 3, func() bool { // three vertices with three common neighbours
			common := 0
			for v := range n {
				if !slices.Contains(in, v) && g.joinsAll(in, []int{v}) {
					common++
				}
			}
			return common >= 3
		})
}

func (g smallGraph) joinsAll(a, b []int) bool {
	for _, v := range a {
		for _, w := range b {
			if v != w && !g.has(v, w) {
				return false
			}
		}
	}
	return true
}

func (w wagner) compare(t *testing.T, n int, small smallGraph) {
	t.Helper()
	g := &sketch{vertices: n}
	for b := range n {
		for a := range b {
			if small.has(a, b) {
				g.join(a, b)
			}
		}
	}
	if is, want := g.isPlanar(t), w.isPlanar(n, small); is != want {
		t.Fatalf("%d vertices, edges %v: planar %v, want %v", n, g.edges, is, want)
	}
}

// TestCheck: of the 16 ways to turn around the vertices of K4, two are in the plane, and mirror
// images of each other.
func TestCheck(t *testing.T) {
	k4 := complete(4, itself)
	darts := gather(4, upTo(12), func(d int32) int32 { return k4.edges[d>>1][d&1] })
	planar := 0
	for turns := range 16 {
		m := &Embedding{Edges: k4.edges, Next: make([]int32, 12)}
		for v := range int32(4) {
			ring := slices.Clone(darts.of(v))
			if turns>>v&1 > 0 {
				slices.Reverse(ring)
			}
			for i, d := range ring {
				m.Next[d] = ring[(i+1)%3]
			}
		}
		of, faces := m.Faces()
		if m.Check() != nil {
			continue
		}
		planar++
		size := make([]int, faces)
		for _, f := range of {
			size[f]++
		}
		if !slices.Equal(size, []int{3, 3, 3, 3}) {
			t.Errorf("faces of %v edges, want four of three", size)
		}
	}
	if planar != 2 {
		t.Errorf("%d of 16 are in the plane, want 2", planar)
	}
}

// TestCheckTurns: a permutation that does not turn once around each vertex is no embedding.
func TestCheckTurns(t *testing.T) {
	path, triangle := [][2]int32{{0, 1}, {1, 2}}, [][2]int32{{0, 1}, {1, 2}, {2, 0}}
	for _, c := range []struct {
		edges [][2]int32
		next  []int32
		ok    bool
	}{
		{path, []int32{0, 2, 1, 3}, true},
		{path, []int32{0, 1, 2, 3}, false}, // vertex 1 has two rings
		{path, []int32{0, 2, 2, 3}, false}, // two darts are followed by 2
		{path, []int32{3, 2, 1, 0}, false}, // from one vertex to another
		{path, []int32{0, 2, 1, 4}, false},
		{path, []int32{0, 2, 1, -1}, false},
		{path, []int32{0, 2, 1}, false},
		{triangle, []int32{5, 2, 1, 4, 3, 0}, true},
		{triangle, []int32{0, 2, 1, 4, 3, 5}, false}, // cut open at 0: a path, which is planar as well
	} {
		m := &Embedding{Edges: c.edges, Next: c.next}
		if err := m.Check(); (err == nil) != c.ok {
			t.Errorf("%v: %v", c.next, err)
		}
	}
}

// TestFaces: the two squares of the drawing in the package comment, a bridge beside them, and a
// vertex alone.
func TestFaces(t *testing.T) {
	//  0 ── 1 ── 2      6 ── 7     8
	//  │    │    │
	//  3 ── 4 ── 5
	g := &sketch{vertices: 9, edges: [][2]int32{{0, 1}, {1, 2}, {0, 3}, {1, 4}, {2, 5}, {3, 4}, {4, 5}, {6, 7}}}
	m, err := Embed(t.Context(), g.vertices, g.edges)
	if err != nil {
		t.Fatal(err)
	}
	of, number := m.Faces()
	size := make([]int, number)
	for _, f := range of {
		size[f]++
	}
	slices.Sort(size)
	if !slices.Equal(size, []int{2, 4, 4, 6}) {
		t.Errorf("faces of %v darts, want 2 of the bridge, 4 and 4 of the squares, 6 around them", size)
	}
	if of[14] != of[15] {
		t.Error("the bridge has two faces, expected one")
	}
}

func TestBadEdges(t *testing.T) {
	for _, edges := range [][][2]int32{{{0, 3}}, {{-1, 0}}, {{1, 1}}} {
		if _, err := Embed(t.Context(), 3, edges); err == nil || errors.Is(err, ErrNonplanar) {
			t.Errorf("edges %v: %v", edges, err)
		}
	}
	if m, err := Embed(t.Context(), 0, nil); err != nil || len(m.Next) != 0 {
		t.Errorf("no vertex: %v, %v", m, err)
	}
}

// TestStops: each of the three searches looks at the context.
func TestStops(t *testing.T) {
	g := grid(60, 60, always)
	whole := testkit.AfterLooks(t, 1000)
	if _, err := Embed(whole, g.vertices, g.edges); err != nil {
		t.Fatal(err)
	}
	steps := g.vertices + len(g.edges)
	if looks := whole.Made(); looks < 3*(steps/interrupt.Every) || looks == 0 {
		t.Errorf("%d looks, want one in %d of three times %d steps", looks, interrupt.Every, steps)
	}
	for n := range whole.Made() {
		if _, err := Embed(testkit.AfterLooks(t, n), g.vertices, g.edges); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("after %d looks: %v", n, err)
		}
	}
}

func BenchmarkEmbed(b *testing.B) {
	rng := rand.New(rand.NewPCG(17, 5))
	for name, g := range map[string]*sketch{
		"grid": grid(1000, 1000, func() bool { return false }), "shuffled": grid(1000, 1000, func() bool { return false }).shuffled(rng),
		"stacked": stacked(600_000, rng).shuffled(rng),
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := Embed(b.Context(), g.vertices, g.edges); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
