package dimer

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pavage/pavage/internal/test/testkit"
)

// spiral returns the faces of a triangulation. Its vertices, of the given degrees, are a spiral:
// each is joined to the vertex before it and the first vertex that needs more edges (Manolopoulos,
// May and Down 1991).
func spiral(degrees []int) (faces [][]int32) {
	left, rim := slices.Clone(degrees), []int32{0, 1} // the vertices that have edges left
	left[0]--
	left[1]--
	last := int32(len(degrees) - 1)
	for k := int32(2); k < last; k++ {
		join := func(a, b int32) {
			faces = append(faces, []int32{a, b, k})
			left[k]--
		}
		first, before := rim[0], rim[len(rim)-1]
		join(before, first)
		left[k]--
		left[first]--
		left[before]--
		for ; left[rim[0]] == 0; left[rim[0]]-- {
			join(rim[0], rim[1])
			rim = rim[1:]
		}
		for end := len(rim) - 1; left[rim[end]] == 0; left[rim[end]]-- {
			join(rim[end], rim[end-1])
			rim, end = rim[:end], end-1
		}
		rim = append(rim, k)
	}
	for i, v := range rim {
		faces = append(faces, []int32{v, rim[(i+1)%len(rim)], last})
	}
	return faces
}

// fullerene returns a graph of n vertices whose faces are hexagons and twelve pentagons. The
// pentagons have these numbers in a spiral, from 1.
func fullerene(n int, pentagons ...int) *Graph {
	degrees := slices.Repeat([]int{6}, n/2+2)
	for _, k := range pentagons {
		degrees[k-1] = 5
	}
	return dual(spiral(degrees))
}

// dual has a vertex for each face.
func dual(faces [][]int32) *Graph {
	g := &Graph{Vertices: len(faces)}
	beside := map[[2]int32]int{}
	for k, f := range faces {
		for i, a := range f {
			b := f[(i+1)%len(f)]
			if other, seen := beside[[2]int32{min(a, b), max(a, b)}]; seen {
				g.Edges = append(g.Edges, Edge{[2]int32{int32(other), int32(k)}, []int{len(g.Edges)}})
			}
			beside[[2]int32{min(a, b), max(a, b)}] = k
		}
	}
	return g
}

func countGraph(t testing.TB, g *Graph, weights []*big.Int) *big.Int {
	t.Helper()
	m, err := NewMatrix(t.Context(), g, weights)
	if err != nil {
		t.Fatal(err)
	}
	n, err := m.Count(t.Context(), Config{Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestFullerenes counts Kekulé structures. C20 is the dodecahedron, C60 the truncated icosahedron.
// (D. J. Klein, T. G. Schmalz, G. E. Hite, W. A. Seitz, "Resonance in C60 buckminsterfullerene",
// 1986; P. W. Fowler and D. E. Manolopoulos, "An Atlas of Fullerenes", 1995: the spirals)
func TestFullerenes(t *testing.T) {
	for _, c := range []struct {
		graph *Graph
		want  int64
	}{
		{fullerene(20, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12), 36},
		{fullerene(60, 1, 7, 9, 11, 13, 15, 18, 20, 22, 24, 26, 32), 12500},
		{fullerene(70, 1, 7, 9, 11, 13, 15, 27, 29, 31, 33, 35, 37), 52168},
	} {
		if n := countGraph(t, c.graph, nil); n.Cmp(big.NewInt(c.want)) != 0 {
			t.Errorf("C%d: %v, want %d", c.graph.Vertices, n, c.want)
		}
	}
}

// triangulated returns a random part of a grid with diagonals in some squares.
func triangulated(rng *rand.Rand, rows, columns int) *Graph {
	g := &Graph{}
	number := map[[2]int]int32{}
	holes, cuts := rng.IntN(3), rng.IntN(4)
	for r := range rows {
		for c := range columns {
			if rng.IntN(12) >= holes {
				number[[2]int{r, c}] = int32(len(number))
			}
		}
	}
	g.Vertices = len(number)
	add := func(a, b [2]int) {
		from, here := number[a]
		to, there := number[b]
		if here && there && rng.IntN(12) >= cuts {
			g.Edges = append(g.Edges, Edge{[2]int32{from, to}, []int{len(g.Edges)}})
		}
	}
	for r := range rows {
		for c := range columns {
			at, right, down := [2]int{r, c}, [2]int{r, c + 1}, [2]int{r + 1, c}
			add(at, right)
			add(down, at)
			switch rng.IntN(4) {
			case 0:
				add(at, [2]int{r + 1, c + 1})
			case 1:
				add(down, right)
			}
		}
	}
	return g
}

// TestPlaneGraphs compares counts, remainders and marginals of random plane graphs with weights with
// all their matchings.
func TestPlaneGraphs(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 17))
	several := 0
	for range testkit.Size(1000, 10000) {
		g := triangulated(rng, 1+rng.IntN(4), 1+rng.IntN(5))
		weights := make([]*big.Int, len(g.Edges))
		for e := range weights {
			weights[e] = randomWeight(rng)
		}
		all := matchings(g)
		want, total := weigh(all, weights)
		if n := countGraph(t, g, nil); n.Cmp(big.NewInt(int64(len(all)))) != 0 {
			t.Fatalf("%v, want %d of %+v", n, len(all), g)
		}
		m, err := NewMatrix(t.Context(), g, weights)
		if err != nil {
			t.Fatal(err)
		}
		r, err := m.Marginals(t.Context(), Config{Threads: 1 + rng.IntN(3)})
		if err != nil || r.Total.Cmp(total) != 0 {
			t.Fatalf("%+v, %v, want %v of %+v", r, err, total, g)
		}
		for e := range r.Of {
			if r.Of[e].Cmp(want[e]) != 0 {
				t.Fatalf("edge %d: %v, want %v of %v, weights %v of %+v", e, r.Of[e], want[e], total, weights, g)
			}
		}
		for _, prime := range []uint64{3, 5, 65537} {
			p := new(big.Int).SetUint64(prime)
			if got, err := m.Modulo(t.Context(), prime, Config{}); err != nil || got != p.Mod(total, p).Uint64() {
				t.Fatalf("%d, %v, want %v modulo %d of %+v", got, err, total, prime, g)
			}
		}
		if c, err := g.colours(t.Context()); err == nil && len(c.odd) > 0 && len(all) > 1 {
			several++
		}
	}
	if several < 100 {
		t.Errorf("only %d graphs without two colours have several matchings", several)
	}
}
