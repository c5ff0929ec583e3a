package temperley

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"

	"github.com/pavage/pavage/internal/kit/interrupt"
)

const none = int32(-1)

// Graph is a connected graph whose spanning trees are drawn. Several edges may have the same ends.
type Graph struct {
	first []int32 // first directed edge of each vertex, and at the end the number of directed edges
	to    []int32 // vertex to which each directed edge leads
	edge  []int32 // index of each directed edge in the list that NewGraph was given
	edges int     // length of this list
}

// maxEdges is the largest number of edges of a Graph, since directed edges are 32-bit numbers.
const maxEdges = 1<<30 - 1

// NewGraph returns the graph with the vertices 0, 1 … vertices-1 and the given edges. Edges from a
// vertex to itself are left out. The error is the reason why the graph has no spanning tree.
func NewGraph(vertices int, ends [][2]int32) (*Graph, error) {
	if vertices > maxEdges || len(ends) > maxEdges {
		return nil, fmt.Errorf("the graph has %d vertices and %d edges, expected each number to be at most %d", vertices, len(ends), maxEdges)
	}
	g := &Graph{first: make([]int32, vertices+2), edges: len(ends)}
	for e, of := range ends {
		if min(of[0], of[1]) < 0 || int(max(of[0], of[1])) >= vertices {
			return nil, fmt.Errorf("edge %d joins the vertices %d and %d, expected vertices below %d", e, of[0], of[1], vertices)
		}
		if of[0] != of[1] {
			g.first[of[0]+2]++
			g.first[of[1]+2]++
		}
	}
	for v := range vertices {
		g.first[v+2] += g.first[v+1]
	}
	g.to = make([]int32, g.first[vertices+1])
	g.edge = make([]int32, len(g.to))
	for e, of := range ends {
		if of[0] == of[1] {
			continue
		}
		for k, v := range of {
			at := &g.first[v+1] // moves from where the edges of v begin to where they end
			g.to[*at], g.edge[*at] = of[1-k], int32(e)
			*at++
		}
	}
	g.first = g.first[:vertices+1]
	if !g.connected() {
		return nil, errors.New("the graph is not connected")
	}
	return g, nil
}

func (g *Graph) vertices() int { return len(g.first) - 1 }

func (g *Graph) connected() bool {
	if g.vertices() == 0 {
		return false
	}
	met := make([]bool, g.vertices())
	met[0] = true
	number := 1
	for queue := []int32{0}; len(queue) > 0; {
		v := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for _, u := range g.to[g.first[v]:g.first[v+1]] {
			if !met[u] {
				met[u] = true
				number++
				queue = append(queue, u)
			}
		}
	}
	return number == g.vertices()
}

// SpanningTree returns the ascending edges of a random spanning tree, uniform if the key is
// uniform. The root is a random vertex, rarely near a corner, where walks need the most steps.
func (g *Graph) SpanningTree(ctx context.Context, key [32]byte) ([]int, error) {
	d := &dice{src: rand.NewChaCha8(key)}
	out, err := g.walk(ctx, d.below(int32(g.vertices())), d)
	if err != nil {
		return nil, err
	}
	tree := make(set, g.edges)
	for _, way := range out {
		if way != none {
			tree[g.edge[way]] = true
		}
	}
	return tree.list(g.vertices() - 1), nil
}

type set []bool

func (s set) list(size int) []int {
	all := make([]int, 0, size)
	for number, is := range s {
		if is {
			all = append(all, number)
		}
	}
	return all
}

// walk is Wilson's algorithm. out[v] is the edge by which vertex v leaves. out[root] is none.
func (g *Graph) walk(ctx context.Context, root int32, d *dice) (out []int32, err error) {
	looks := interrupt.Context(ctx)
	out = make([]int32, g.vertices()) // ^e, which is negative, means edge e of the tree
	out[root] = none
	for v := range out {
		for u := int32(v); out[u] >= 0; u = g.to[out[u]] {
			out[u] = g.first[u] + d.below(g.first[u+1]-g.first[u])
			if err := looks.Look(); err != nil {
				return nil, err
			}
		}
		for u := int32(v); out[u] >= 0; {
			way := out[u]
			out[u] = ^way
			u = g.to[way]
		}
	}
	for v := range out {
		out[v] = ^out[v]
	}
	out[root] = none
	return out, nil
}

// steps estimates the steps of walk on a grid: the sum, over the vertices, of degree times
// resistance to the root. The resistance is ln(breadth)/2π, plus about four times this value if the
// root has few edges, as in a corner, or plus 0 if it is a whole border.
func (g *Graph) steps(root int32) float64 {
	breadth := math.Sqrt(float64(g.vertices()))
	border := float64(g.first[root+1] - g.first[root])
	resistance := math.Log(breadth)/(2*math.Pi) + max(0, math.Log(4*breadth/border))*2/math.Pi
	return resistance * float64(len(g.to))
}

type dice struct {
	src  *rand.ChaCha8
	word uint64 // random bits; the lowest ones were not used yet
	left int    // the number of bits that were not used yet
}

func (d *dice) below(n int32) int32 {
	size := bits.Len32(uint32(n - 1))
	for {
		if d.left < size {
			d.word, d.left = d.src.Uint64(), 64
		}
		number := int32(d.word & (1<<size - 1))
		d.word >>= size
		d.left -= size
		if number < n {
			return number
		}
	}
}
