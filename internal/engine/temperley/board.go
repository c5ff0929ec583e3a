package temperley

import (
	"errors"
	"fmt"
	"slices"

	"github.com/pavage/pavage/internal/engine/dimer"
	"github.com/pavage/pavage/internal/kit/interrupt"
)

type cells struct {
	*dimer.Bipartite
	ends  [2][]int32 // the black and the white vertex of each edge
	first [2][]int32 // by colour, the index in edges at which the edges of each vertex begin
	edges [2][]int32 // by colour, the edges of its vertices, one vertex after another
}

func newCells(g *dimer.Bipartite) *cells {
	c := &cells{Bipartite: g, ends: [2][]int32{make([]int32, len(g.Edges)), make([]int32, len(g.Edges))}}
	for i := range g.Edges {
		c.ends[0][i], c.ends[1][i] = g.Edges[i].Black, g.Edges[i].White
	}
	for colour, vertices := range [2]int{g.Black, g.White} {
		c.first[colour], c.edges[colour] = rows(vertices, c.ends[colour])
	}
	return c
}

// rows sorts the indices of the list row by its values: all[first[r]:first[r+1]] have the value r.
func rows(number int, row []int32) (first, all []int32) {
	first = make([]int32, number+2)
	for _, r := range row {
		first[r+2]++
	}
	for r := range number {
		first[r+2] += first[r+1]
	}
	all = make([]int32, len(row))
	for i, r := range row {
		at := &first[r+1]
		all[*at] = int32(i)
		*at++
	}
	return first[:number+1], all
}

// board is a graph in which all vertices that stand for edges have one colour. The darts are
// the edges of the embedded cells, with the same indices.
type board struct {
	*cells
	colour int // the colour of the edge vertices, 0 for black
	looks  interrupt.Watch

	links  []uint8    // for each edge vertex, the sum of pairBit for the linked pairs of its darts
	beside [][2]int32 // for each dart, the darts to the same vertex that share a square with it
	linked int        // the number of links, two for each square
}

var pairBit = [4][4]uint8{{0, 1, 2, 4}, {1, 0, 8, 16}, {2, 8, 0, 32}, {4, 16, 32, 0}}

// complete has, for each number of darts of an edge vertex, the values that board.links may have
// for it. Four darts are linked in a ring, three in a row, and two are linked or not.
var complete = [5][]uint8{1: {0}, 2: {1, 0}, 3: {1 | 2, 1 | 8, 2 | 8}, 4: {63 - 1 - 32, 63 - 2 - 16, 63 - 4 - 8}}

func (b *board) edgeVertices() int { return len(b.first[b.colour]) - 1 }
func (b *board) others() int       { return len(b.first[1-b.colour]) - 1 }

func (b *board) at(v int32) []int32 {
	first := b.first[b.colour]
	return b.edges[b.colour][first[v]:first[v+1]]
}

func (b *board) around(v int32) []int32 {
	first := b.first[1-b.colour]
	return b.edges[1-b.colour][first[v]:first[v+1]]
}

func (b *board) checkDegrees() error {
	for v := range int32(b.edgeVertices()) {
		if n := len(b.at(v)); n == 0 || n > 4 {
			return fmt.Errorf("item %d has %d neighbours, expected 1 to 4 neighbours", b.Item[b.colour][v], n)
		}
	}
	return nil
}

func (b *board) clear() {
	b.links, b.beside, b.linked = make([]uint8, b.edgeVertices()), make([][2]int32, len(b.Edges)), 0
	for dart := range b.beside {
		b.beside[dart] = [2]int32{none, none}
	}
}

// errAmbiguous is returned if there are more cycles of four darts than squares.
var errAmbiguous = errors.New("not all cycles of four cells are faces")

func (b *board) link(v int32, i, k int, besideI, besideK int32) error {
	if b.links[v]&pairBit[i][k] != 0 {
		return errAmbiguous
	}
	b.links[v] |= pairBit[i][k]
	b.linked++
	for _, at := range [2][2]int32{{b.at(v)[i], besideI}, {b.at(v)[k], besideK}} {
		beside := &b.beside[at[0]]
		switch none {
		case beside[0]:
			beside[0] = at[1]
		case beside[1]:
			beside[1] = at[1]
		default:
			return errAmbiguous
		}
	}
	return nil
}

func (b *board) linkCycles() error {
	b.clear()
	for v := range int32(b.edgeVertices()) {
		n := len(b.at(v))
		for i := range n {
			for k := i + 1; k < n; k++ {
				if err := b.linkCycle(v, i, k); err != nil {
					return err
				}
			}
		}
		if err := b.checkLinks(v); err != nil {
			return err
		}
	}
	return nil
}

func (b *board) linkCycle(v int32, i, k int) error {
	from, to := b.ends[b.colour], b.ends[1-b.colour]
	p, q := to[b.at(v)[i]], to[b.at(v)[k]]
	if len(b.around(p)) > len(b.around(q)) {
		i, k, p, q = k, i, q, p
	}
	all := b.around(p)
	for _, besideI := range all {
		u := from[besideI]
		if u == v {
			continue
		}
		for _, besideK := range b.at(u) {
			if to[besideK] != q {
				continue
			}
			if err := b.link(v, i, k, besideI, besideK); err != nil {
				return err
			}
		}
	}
	return b.looks.Work(len(all))
}

// checkLinks returns errAmbiguous if v has too many links, and another error if v has too few.
func (b *board) checkLinks(v int32) error {
	lacks := false
	for _, links := range complete[len(b.at(v))] {
		if b.links[v] == links {
			return nil
		}
		lacks = lacks || b.links[v]&^links == 0
	}
	if !lacks {
		return errAmbiguous
	}
	return fmt.Errorf("item %d has %d neighbours, but some faces of four cells between the neighbours are missing",
		b.Item[b.colour][v], len(b.at(v)))
}

// kinds returns the kind, 0 or 1, of each vertex that is no edge vertex. The error says why the
// board is not Temperleyan, or is the error of the context.
func (b *board) kinds() ([]int8, error) {
	vertices, squares := b.Black+b.White, b.linked/2
	if euler := vertices - len(b.Edges) + squares; euler != 1 {
		return nil, fmt.Errorf("the board wraps, has holes, or has faces that do not have four vertices: %d vertices - %d edges + %d faces = %d, expected 1",
			vertices, len(b.Edges), squares, euler)
	}
	if err := b.checkTurns(); err != nil {
		return nil, err
	}
	return b.spread()
}

// checkTurns checks, for each other vertex, that the squares around it are rows or one whole ring.
func (b *board) checkTurns() error {
	seen := make([]bool, len(b.Edges))
	turn := func(dart int32) (length int) { // follows b.beside and returns the number of darts on the way
		for dart != none {
			seen[dart] = true
			length++
			next := b.beside[dart]
			dart = none
			for _, to := range next {
				if to != none && !seen[to] {
					dart = to
				}
			}
		}
		return length
	}
	for v := range int32(b.others()) {
		all, inRows := b.around(v), 0
		for _, dart := range all {
			if b.beside[dart][1] == none && !seen[dart] {
				inRows += turn(dart)
			}
		}
		if inRows < len(all) && (inRows > 0 || turn(all[0]) < len(all)) {
			return fmt.Errorf("the faces at item %d are not side by side", b.Item[1-b.colour][v])
		}
		if err := b.looks.Work(len(all)); err != nil {
			return err
		}
	}
	return nil
}

// spread gives kind 0 to the first of the other vertices, and derives the kinds of the rest.
func (b *board) spread() ([]int8, error) {
	from, to := b.ends[b.colour], b.ends[1-b.colour]
	kind := make([]int8, b.others())
	for v := range kind {
		kind[v] = int8(none)
	}
	kind[0] = 0
	met := 1
	for queue := []int32{0}; len(queue) > 0; {
		other := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for _, dart := range b.around(other) {
			v := from[dart]
			i := slices.Index(b.at(v), dart)
			for k, dart := range b.at(v) {
				want := kind[other]
				if b.links[v]&pairBit[i][k] != 0 {
					want = 1 - want
				}
				switch next := to[dart]; kind[next] {
				case int8(none):
					kind[next] = want
					met++
					queue = append(queue, next)
				case want:
				default:
					return nil, errors.New("primal and dual vertices do not alternate")
				}
			}
		}
		if err := b.looks.Look(); err != nil {
			return nil, err
		}
	}
	if met < len(kind) {
		return nil, errors.New("the cells are not connected")
	}
	return kind, nil
}
