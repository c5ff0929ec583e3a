package planar

import (
	"context"
	"errors"
	"fmt"
)

// ErrNonplanar is wrapped when a graph cannot be drawn without crossings.
var ErrNonplanar = errors.New("the graph is not planar")

// maxEdges is the largest number of edges of a graph, since darts are 32-bit numbers.
const maxEdges = 1<<30 - 1

const none = int32(-1)

// Embed embeds a graph, connected or not, in the plane. Several edges may have the same ends, but
// the two ends of an edge must differ. The error wraps [ErrNonplanar], or is the error of ctx. The
// embedding keeps the slice edges.
func Embed(ctx context.Context, vertices int, edges [][2]int32) (*Embedding, error) {
	if err := checkEnds(vertices, edges); err != nil {
		return nil, err
	}
	t, err := orient(ctx, vertices, edges)
	if err != nil {
		return nil, err
	}
	side, err := chooseSides(ctx, t)
	if err != nil {
		return nil, err
	}
	next, err := place(ctx, t, side)
	if err != nil {
		return nil, err
	}
	m := &Embedding{Edges: edges, Next: next}
	return m, m.Check()
}

func checkEnds(vertices int, edges [][2]int32) error {
	if len(edges) > maxEdges || vertices > maxEdges {
		return fmt.Errorf("planar: %d vertices and %d edges, expected each number to be at most %d",
			vertices, len(edges), maxEdges)
	}
	for e, ends := range edges {
		for _, v := range ends {
			if v < 0 || int(v) >= vertices {
				return fmt.Errorf("planar: edge %d ends at vertex %d, expected a vertex below %d", e, v, vertices)
			}
		}
		if ends[0] == ends[1] {
			return fmt.Errorf("planar: edge %d has both ends at vertex %d, expected two different vertices", e, ends[0])
		}
	}
	return nil
}

// lists distributes the numbers 0, 1, 2 … over lists, which are stored one after another.
type lists struct {
	first []int32 // index of the first number of each list in the field all, and the end of the last list
	all   []int32
}

func (l *lists) of(list int32) []int32 { return l.all[l.first[list]:l.first[list+1]] }

func gather(number int, order []int32, list func(int32) int32) *lists {
	l := &lists{first: make([]int32, number+1)}
	for _, x := range order {
		if at := list(x); at != none {
			l.first[at+1]++
		}
	}
	for i := range number {
		l.first[i+1] += l.first[i]
	}
	l.all = make([]int32, l.first[number])
	free := append([]int32(nil), l.first...)
	for _, x := range order {
		if at := list(x); at != none {
			l.all[free[at]] = x
			free[at]++
		}
	}
	return l
}

func upTo(n int) []int32 {
	all := make([]int32, n)
	for i := range all {
		all[i] = int32(i)
	}
	return all
}
