package temperley

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/dimer"
)

// drawn returns the graph of dominoes on the '#' of a drawing. Its items are 10·row + column on
// boards of at most ten columns. No cell is settled beforehand, unlike in dimer.Read. Options are
// edges.
func drawn(rows ...string) *dimer.Bipartite {
	g := &dimer.Bipartite{}
	number := map[[2]int]int32{}
	for r, row := range rows {
		for c := range len(row) {
			if row[c] == '#' {
				side := (r + c) % 2
				number[[2]int{r, c}] = int32(len(g.Item[side]))
				g.Item[side] = append(g.Item[side], 10*r+c)
			}
		}
	}
	g.Black, g.White = len(g.Item[0]), len(g.Item[1])
	for at, black := range number {
		for _, to := range east {
			if white, is := number[[2]int{at[0] + to[0], at[1] + to[1]}]; is && (at[0]+at[1])%2 == 0 {
				g.Edges = append(g.Edges, dimer.Link{Black: black, White: white})
			}
		}
	}
	return numbered(g)
}

// numbered sorts the edges and gives each an option.
func numbered(g *dimer.Bipartite) *dimer.Bipartite {
	slices.SortFunc(g.Edges, func(x, y dimer.Link) int {
		return slices.Compare([]int32{x.Black, x.White}, []int32{y.Black, y.White})
	})
	for e := range g.Edges {
		g.Edges[e].Options = []int{e}
	}
	return g
}

var east = [4][2]int{{0, 1}, {-1, 0}, {0, -1}, {1, 0}} // and counterclockwise from there

// rectangle is a drawing of h rows of w cells, without some cells.
func rectangle(h, w int, without ...[2]int) []string {
	rows := slices.Repeat([]string{strings.Repeat("#", w)}, h)
	for _, at := range without {
		rows[at[0]] = rows[at[0]][:at[1]] + "." + rows[at[0]][at[1]+1:]
	}
	return rows
}

// cell reports whether a drawing has a cell.
func cell(rows []string, r, c int) bool {
	return r >= 0 && r < len(rows) && c >= 0 && c < len(rows[r]) && rows[r][c] == '#'
}

// randomRows grows a board of n cells in a square of 7x7, by squares of 2x2 or by single cells.
func randomRows(rng *rand.Rand) []string {
	const size = 7
	n, large := 4+rng.IntN(17), rng.IntN(2) == 0
	board := slices.Repeat([]byte{'.'}, size*size)
	board[size*(size/2)+size/2] = '#'
	for cells := 1; cells < n; {
		r, c := rng.IntN(size), rng.IntN(size)
		beside := board[size*r+c] == '#'
		for _, to := range east {
			at := [2]int{r + to[0], c + to[1]}
			beside = beside || min(at[0], at[1]) >= 0 && max(at[0], at[1]) < size && board[size*at[0]+at[1]] == '#'
		}
		if !beside {
			continue
		}
		most := 1
		if large {
			most = 2
		}
		for i := r; i < min(size, r+most); i++ {
			for k := c; k < min(size, c+most); k++ {
				if board[size*i+k] == '.' {
					board[size*i+k] = '#'
					cells++
				}
			}
		}
	}
	var rows []string
	for r := range size {
		rows = append(rows, string(board[size*r:size*(r+1)]))
	}
	return rows
}

// isTemperleyan tests the condition of the package comment on a drawing: alternating kinds, and
// missing ends at all corners of the outer face.
func isTemperleyan(rows []string) bool {
	return isTemperleyanWith(rows, 0) || isTemperleyanWith(rows, 1)
}

func isTemperleyanWith(rows []string, colour int) bool {
	cells, edges, squares, sum := 0, 0, 0, 0
	for r := range rows {
		for c := range rows[r] {
			if !cell(rows, r, c) {
				continue
			}
			cells++
			sum += 1 - 2*((r+c)%2)
			corners, ends := 0, 0 // corners in the outer face
			for k, to := range east {
				next := east[(k+1)%4]
				if cell(rows, r+to[0], c+to[1]) {
					ends++
				}
				if cell(rows, r+to[0], c+to[1]) && cell(rows, r+next[0], c+next[1]) && cell(rows, r+to[0]+next[0], c+to[1]+next[1]) {
					squares++
				}
			}
			edges += ends
			if (r+c)%2 == colour {
				corners = ends
				for k, to := range east {
					next := east[(k+1)%4]
					if cell(rows, r+to[0], c+to[1]) && cell(rows, r+next[0], c+next[1]) && cell(rows, r+to[0]+next[0], c+to[1]+next[1]) {
						corners--
					}
				}
				if corners > 4-ends {
					return false
				}
			}
		}
	}
	// Connected boards without holes: cells - edges + squares = 1.
	return sum == 0 && cells-edges/2+squares/4 == 1 && isConnected(rows)
}

func isConnected(rows []string) bool {
	seen := map[[2]int]bool{}
	var visit func(r, c int)
	visit = func(r, c int) {
		if !cell(rows, r, c) || seen[[2]int{r, c}] {
			return
		}
		seen[[2]int{r, c}] = true
		for _, to := range east {
			visit(r+to[0], c+to[1])
		}
	}
	cells := 0
	for r, row := range rows {
		cells += strings.Count(row, "#")
		if c := strings.Index(row, "#"); c >= 0 && len(seen) == 0 {
			visit(r, c)
		}
	}
	return len(seen) == cells
}

// matchings returns all perfect matchings of a small graph, as ascending options.
func matchings(g *dimer.Bipartite) map[string]bool {
	all := map[string]bool{}
	covered := make([]bool, g.White)
	var taken []int
	var extend func(black int32)
	extend = func(black int32) {
		if int(black) == g.Black {
			sorted := slices.Sorted(slices.Values(taken))
			all[fmt.Sprint(sorted)] = true
			return
		}
		for _, e := range g.Edges {
			if e.Black != black || covered[e.White] {
				continue
			}
			covered[e.White] = true
			taken = append(taken, e.Options[0])
			extend(black + 1)
			taken = taken[:len(taken)-1]
			covered[e.White] = false
		}
	}
	if g.Black == g.White {
		extend(0)
	}
	return all
}

// problem returns a graph as a cover, for dimer.Read and the oracle.
func problem(g *dimer.Bipartite) *cover.Problem {
	p := &cover.Problem{Items: slices.Repeat([]cover.Item{{Min: 1, Max: 1}}, g.Black+g.White)}
	for _, e := range g.Edges {
		p.Options = append(p.Options, cover.Option{{Item: int(e.Black), Times: 1}, {Item: g.Black + int(e.White), Times: 1}})
	}
	return p
}

// superposed returns a random plane graph together with its dual, without a vertex and a face at
// this vertex. ok is false if two edges would have the same ends.
func superposed(t *testing.T, rng *rand.Rand) (g *dimer.Bipartite, ok bool) {
	vertices, edges := randomPlane(rng)
	m, err := planarEmbed(t, vertices, edges)
	if err != nil {
		t.Fatal(err)
	}
	of, faces := m.Faces()
	corner := rng.IntN(len(of))
	r, outer := m.Edges[corner>>1][corner&1], of[corner]
	g = &dimer.Bipartite{}
	numbers := make([]int32, vertices+faces)
	for v := range numbers {
		numbers[v] = int32(g.White)
		if v != int(r) && v != vertices+int(outer) {
			g.Item[1] = append(g.Item[1], len(edges)+g.White)
			g.White++
		}
	}
	for e := range edges {
		g.Item[0] = append(g.Item[0], e)
		g.Black++
		for _, end := range []int{int(edges[e][0]), int(edges[e][1]), vertices + int(of[2*e]), vertices + int(of[2*e+1])} {
			if end != int(r) && end != vertices+int(outer) {
				g.Edges = append(g.Edges, dimer.Link{Black: int32(e), White: numbers[end]})
			}
		}
	}
	numbered(g)
	for e := 1; e < len(g.Edges); e++ {
		if g.Edges[e].Black == g.Edges[e-1].Black && g.Edges[e].White == g.Edges[e-1].White {
			return nil, false
		}
	}
	return g, true
}

// randomPlane returns some edges of a small grid with diagonals, some of them twice, and all of a
// spanning tree.
func randomPlane(rng *rand.Rand) (vertices int, edges [][2]int32) {
	h, w := 1+rng.IntN(3), 2+rng.IntN(3)
	at := func(r, c int) int32 { return int32(w*r + c) }
	var all [][2]int32
	for r := range h {
		for c := range w {
			if c+1 < w {
				all = append(all, [2]int32{at(r, c), at(r, c+1)})
			}
			if r+1 < h {
				all = append(all, [2]int32{at(r, c), at(r+1, c)})
			}
			if r+1 < h && c+1 < w {
				all = append(all, [2]int32{at(r, c), at(r+1, c+1)})
			}
		}
	}
	parent := make([]int32, h*w)
	for v := range parent {
		parent[v] = int32(v)
	}
	var part func(v int32) int32
	part = func(v int32) int32 {
		if parent[v] == v {
			return v
		}
		return part(parent[v])
	}
	rng.Shuffle(len(all), func(i, k int) { all[i], all[k] = all[k], all[i] })
	for _, e := range all {
		a, b := part(e[0]), part(e[1])
		parent[a] = b
		times := []int{0, 1, 1, 1, 1, 1, 1, 2}[rng.IntN(8)]
		if a != b {
			times = max(1, times)
		}
		if len(edges) > 14 && a == b {
			continue
		}
		edges = append(edges, slices.Repeat([][2]int32{e}, times)...)
	}
	return h * w, edges
}

// isConnectedGraph reports whether a graph has one part.
func isConnectedGraph(g *dimer.Bipartite) bool {
	var ends [][2]int32
	for _, e := range g.Edges {
		ends = append(ends, [2]int32{e.Black, int32(g.Black) + e.White})
	}
	_, err := NewGraph(g.Black+g.White, ends)
	return err == nil
}
