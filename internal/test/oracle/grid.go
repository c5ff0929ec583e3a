package oracle

import (
	"math/rand/v2"
	"slices"

	"github.com/pavage/pavage/cover"
)

// RandomGrid returns a small valid cover like that of a puzzle, for tests of the pruning of
// pockets. It has a grid of at most 4x4 cells and up to five items that count copies. Its options
// are the pieces of up to three partitions of the grid into connected pieces.
func RandomGrid(rng *rand.Rand) *cover.Problem {
	g := grid{Rand: rng, rows: 1 + rng.IntN(4), columns: 1 + rng.IntN(4)}
	g.cells = g.rows * g.columns
	for range g.cells {
		g.problem.Items = append(g.problem.Items, cover.Item{Min: min(1, g.IntN(10)), Max: 1})
	}
	for range g.IntN(6) {
		bounds := []cover.Item{
			{Min: 0, Max: 1},
			{Min: 1, Max: 1},
			{Min: 0, Max: 1},
			{Min: 0, Max: 2},
			{Min: 1, Max: 3},
			{Min: 2, Max: cover.Unbounded},
			{Min: 1, Max: cover.Unbounded},
		}
		g.problem.Items = append(g.problem.Items, bounds[g.IntN(len(bounds))])
	}
	for range 1 + g.IntN(3) {
		g.cutUp()
	}
	g.order()
	return &g.problem
}

type grid struct {
	*rand.Rand
	problem              cover.Problem
	rows, columns, cells int
}

func (g *grid) cutUp() {
	taken := make([]bool, g.cells)
	for _, start := range g.Perm(g.cells) {
		if taken[start] {
			continue
		}
		taken[start] = true
		piece := []int{start}
		for range g.IntN(4) {
			near := g.neighbours(piece, taken)
			if len(near) == 0 {
				break
			}
			next := near[g.IntN(len(near))]
			taken[next] = true
			piece = append(piece, next)
		}
		g.add(piece)
	}
}

func (g *grid) neighbours(piece []int, taken []bool) (near []int) {
	for c := range g.cells {
		beside := func(p int) bool {
			rows, columns := c/g.columns-p/g.columns, c%g.columns-p%g.columns
			return rows*rows+columns*columns == 1
		}
		if !taken[c] && slices.ContainsFunc(piece, beside) {
			near = append(near, c)
		}
	}
	return near
}

func (g *grid) add(piece []int) {
	slices.Sort(piece)
	var option cover.Option
	for _, c := range piece {
		option = append(option, cover.Use{Item: c, Times: 1})
	}
	if counted := len(g.problem.Items) - g.cells; counted > 0 && g.IntN(10) > 0 {
		option = append(option, cover.Use{Item: g.cells + g.IntN(counted), Times: 1})
	}
	repeats := func(o cover.Option) bool { return cover.Compare(o, option) == 0 }
	if !slices.ContainsFunc(g.problem.Options, repeats) {
		g.problem.Options = append(g.problem.Options, option)
	}
}

func (g *grid) order() {
	order := make([]int, g.cells)
	for i := range order {
		order[i] = i
	}
	switch g.IntN(4) {
	case 0:
		g.Shuffle(len(order), func(i, k int) { order[i], order[k] = order[k], order[i] })
	case 1:
		order = order[:g.IntN(len(order)+1)]
	case 2:
		return
	}
	g.problem.Orders = [][]int{order}
}
