package temperley

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/pavage/pavage/internal/engine/dimer"
	"github.com/pavage/pavage/internal/test/testkit"
)

func square(n int) (ends [][2]int32) {
	for v := range int32(n * n) {
		if int(v)%n+1 < n {
			ends = append(ends, [2]int32{v, v + 1})
		}
		if int(v)+n < n*n {
			ends = append(ends, [2]int32{v, v + int32(n)})
		}
	}
	return ends
}

// TestSpanningTreesAreFair draws spanning trees of small graphs: the 192 trees of the grid of 3x3
// vertices, and trees of graphs with parallel edges, loops and other degrees.
func TestSpanningTreesAreFair(t *testing.T) {
	src := rand.NewPCG(6, 17)
	for _, c := range []struct {
		vertices, trees int
		ends            [][2]int32
	}{
		{9, 192, square(3)},
		{2, 3, [][2]int32{{0, 1}, {1, 0}, {0, 1}, {1, 1}}},
		{4, 16, [][2]int32{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}},
		{5, 125, [][2]int32{{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 2}, {1, 3}, {1, 4}, {2, 3}, {2, 4}, {3, 4}}},
		{6, 2, [][2]int32{{0, 1}, {0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}}},
	} {
		g, err := NewGraph(c.vertices, c.ends)
		if err != nil {
			t.Fatal(err)
		}
		tallies := map[string]int{}
		draws := testkit.Size(100, 1000) * c.trees
		for range draws {
			edges, err := g.SpanningTree(t.Context(), dimer.Key(src))
			if err != nil || len(edges) != c.vertices-1 {
				t.Fatal(edges, err)
			}
			tallies[fmt.Sprint(edges)]++
		}
		checkLaw(t, c.ends, tallies, draws, c.trees)
		if n := kirchhoff(g); n.Int64() != int64(c.trees) {
			t.Errorf("%v: %v trees, expected %d", c.ends, n, c.trees)
		}
	}
}

func TestNewGraph(t *testing.T) {
	for _, c := range []struct {
		vertices int
		ends     [][2]int32
	}{
		{0, nil},
		{2, nil},
		{2, [][2]int32{{0, 0}, {1, 1}}},
		{2, [][2]int32{{0, 2}}},
		{2, [][2]int32{{-1, 0}}},
		{4, [][2]int32{{0, 1}, {2, 3}}},
	} {
		if _, err := NewGraph(c.vertices, c.ends); err == nil {
			t.Errorf("%d vertices, edges %v: no error", c.vertices, c.ends)
		}
	}
	g, err := NewGraph(1, nil)
	if err != nil {
		t.Fatal(err)
	}
	if edges, err := g.SpanningTree(t.Context(), [32]byte{}); err != nil || len(edges) != 0 {
		t.Errorf("one vertex: %v, %v", edges, err)
	}
}

func BenchmarkSpanningTree(b *testing.B) {
	for _, n := range []int{500, 1581, 3162} {
		b.Run(fmt.Sprintf("grid=%dx%d", n, n), func(b *testing.B) {
			g, err := NewGraph(n*n, square(n))
			if err != nil {
				b.Fatal(err)
			}
			src := rand.NewPCG(1, 17)
			for b.Loop() {
				if _, err := g.SpanningTree(b.Context(), dimer.Key(src)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
