package planar

import (
	"context"
	"fmt"
	"slices"

	"github.com/pavage/pavage/internal/kit/interrupt"
)

// EmbedTorus embeds a connected graph in the torus: a board whose opposite sides are joined. The
// shortest cycles of even length are faces. Where none of them lies between neighbouring edges of a
// vertex, there is a further face, a hole. The error wraps [ErrNonplanar] if an edge is in more
// than two such cycles (as on a torus of four columns), or if vertices - edges + faces is not 0. So
// a wrong choice of faces gives an error, not a wrong embedding.
//
//	┌─╴a───b───c╶─┐      the shortest cycles have four edges:   faces   abed bcfe cafd …
//	│  │   │   │  │      c and a are neighbours, as are the first and the last row
//	└─╴d───e───f╶─┘
func EmbedTorus(ctx context.Context, vertices int, edges [][2]int32) (*Embedding, error) {
	if err := checkEnds(vertices, edges); err != nil {
		return nil, err
	}
	t := &toroidal{
		Embedding: Embedding{Edges: edges, Next: filled(2 * len(edges))}, looks: interrupt.Context(ctx),
		darts: gather(vertices, upTo(2*len(edges)), func(d int32) int32 { return edges[d>>1][d&1] }),
	}
	for v := range int32(vertices) {
		if n := len(t.darts.of(v)); n == 0 || n > mostDarts {
			return nil, fmt.Errorf("%w: a vertex has %d edges, expected 1 to %d edges", ErrNonplanar, n, mostDarts)
		}
	}
	for length := 4; length <= longestFace && len(t.cycles) == 0; length += 2 {
		if err := t.find(length); err != nil {
			return nil, err
		}
	}
	if !t.turn() || !t.join() {
		return nil, fmt.Errorf("%w: its shortest cycles are not the faces of a torus", ErrNonplanar)
	}
	t.close()
	m := &t.Embedding
	if n, err := m.checkTurns(); err != nil || n != vertices {
		return nil, fmt.Errorf("%w: its shortest cycles do not lie side by side around its vertices", ErrNonplanar)
	}
	if _, faces := m.Faces(); m.parts() != 1 || vertices-len(edges)+faces != 0 {
		return nil, fmt.Errorf("%w: %d vertices - %d edges + %d faces is not 0", ErrNonplanar, vertices, len(edges), faces)
	}
	return m, nil
}

const (
	// longestFace limits the edges of a face that is no hole: six on boards of triangles.
	longestFace = 6
	mostDarts   = 6
)

type toroidal struct {
	Embedding
	darts  *lists
	cycles [][]int32
	looks  interrupt.Watch
}

// find finds the cycles of a length. A cycle begins with its least vertex, and goes on to
// the lesser of the two neighbours in the cycle.
func (t *toroidal) find(length int) error {
	path, steps := make([]int32, 0, length), 0
	var on func(at, first int32)
	on = func(at, first int32) {
		for _, d := range t.darts.of(at) {
			to := t.tail(d ^ 1)
			steps++
			switch {
			case len(path) == length-1:
				if to == first && t.tail(path[1]) < at {
					t.cycles = append(t.cycles, append(slices.Clone(path), d))
				}
			case to > first && !slices.ContainsFunc(path, func(p int32) bool { return t.tail(p) == to }):
				path = append(path, d)
				on(to, first)
				path = path[:len(path)-1]
			}
		}
	}
	for v := range int32(len(t.darts.first) - 1) {
		steps = 0
		on(v, v)
		if err := t.looks.Work(steps); err != nil {
			return err
		}
	}
	return nil
}

// turn directs the cycles so that two cycles follow a common edge in opposite directions. If this
// is impossible, it returns false.
func (t *toroidal) turn() bool {
	of := filled(2 * len(t.Edges)) // for each edge, up to two cycles that have it
	for c, cycle := range t.cycles {
		for _, d := range cycle {
			e := d >> 1
			switch {
			case of[2*e] == none:
				of[2*e] = int32(c)
			case of[2*e+1] == none:
				of[2*e+1] = int32(c)
			default:
				return false
			}
		}
	}
	done := make([]bool, len(t.cycles))
	for first := range t.cycles {
		if done[first] {
			continue
		}
		done[first] = true
		queue := []int32{int32(first)}
		for len(queue) > 0 {
			c := queue[0]
			queue = queue[1:]
			for _, d := range t.cycles[c] {
				beside := of[d&^1] ^ of[d|1] ^ c
				if of[d|1] == none {
					continue
				}
				cycle := t.cycles[beside]
				if same := slices.Contains(cycle, d); same && done[beside] {
					return false
				} else if same {
					slices.Reverse(cycle)
					for k := range cycle {
						cycle[k] ^= 1
					}
				}
				if !done[beside] {
					done[beside] = true
					queue = append(queue, beside)
				}
			}
		}
	}
	return true
}

// join sets Next at the vertices of each cycle. If a dart has two next darts, join returns false.
func (t *toroidal) join() bool {
	for _, cycle := range t.cycles {
		for k, d := range cycle {
			next := &t.Next[d^1]
			if *next != none {
				return false
			}
			*next = cycle[(k+1)%len(cycle)]
		}
	}
	return true
}

// close joins the darts at each vertex into one ring. A dart for which it sets Next lies at a hole.
func (t *toroidal) close() {
	follows := make([]bool, len(t.Next))
	for _, d := range t.Next {
		if d != none {
			follows[d] = true
		}
	}
	for v := range int32(len(t.darts.first) - 1) {
		first, last := none, none
		for _, d := range t.darts.of(v) {
			if follows[d] {
				continue
			}
			if first == none {
				first = d
			} else {
				t.Next[last] = d
			}
			for last = d; t.Next[last] != none; last = t.Next[last] {
			}
		}
		if first != none {
			t.Next[last] = first
		}
	}
}
