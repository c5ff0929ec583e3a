package render

import (
	"cmp"
	"math"
	"slices"

	"github.com/pavage/pavage/tiling"
)

// point is a corner of the lattice that a picture is drawn on, x to the right
// and y down, in that lattice's units.
type point struct{ x, y int }

func pointOf(c tiling.Corner) point { return point{c.X, c.Y} }

// edge is a piece of an outline: the inside is on its right.
type edge struct{ from, to point }

func (p point) compare(q point) int { return cmp.Or(cmp.Compare(p.y, q.y), cmp.Compare(p.x, q.x)) }

// trace chains edges into closed paths and leaves out the points where a path
// goes straight on. As many edges must start at every point as end there: the
// edges around any set of faces do. A path keeps as far to the right as it
// can, which takes it around one face at a time: where faces touch at a point
// they get a path each, and an edge that is there in both directions, between
// two faces, is drawn in both.
func trace(edges []edge) [][]point {
	slices.SortFunc(edges, func(a, b edge) int { return cmp.Or(a.from.compare(b.from), a.to.compare(b.to)) })
	used := make([]bool, len(edges))
	var paths [][]point
	for i := range edges {
		if !used[i] {
			path := follow(edges, used, i)
			var kept []point // without the points inside straight lines
			for k, p := range path {
				before, after := path[(k+len(path)-1)%len(path)], path[(k+1)%len(path)]
				if (p.x-before.x)*(after.y-p.y) != (p.y-before.y)*(after.x-p.x) {
					kept = append(kept, p)
				}
			}
			paths = append(paths, kept)
		}
	}
	return paths
}

// follow walks from edge i along unused edges until it is back at its start.
func follow(edges []edge, used []bool, i int) []point {
	start := edges[i].from
	var path []point
	for {
		used[i] = true
		path = append(path, edges[i].from)
		if edges[i].to == start {
			return path
		}
		i = rightmost(edges, used, edges[i])
	}
}

// chains joins edges, in whichever direction, to straight lines, each from one point to another.
func chains(edges []edge) (paths [][]point) {
	directed := make([]edge, 0, len(edges))
	for _, e := range edges {
		if e.to.compare(e.from) < 0 {
			e.from, e.to = e.to, e.from
		}
		directed = append(directed, e)
	}
	// The path that ends in a point, by it and the direction there
	ends := map[[2]point]int{}
	slices.SortFunc(directed, func(a, b edge) int { return cmp.Or(a.from.compare(b.from), a.to.compare(b.to)) })
	for _, e := range directed {
		way := point{e.to.x - e.from.x, e.to.y - e.from.y}
		i, goesOn := ends[[2]point{e.from, way}]
		if !goesOn {
			i = len(paths)
			paths = append(paths, []point{e.from, e.to})
		}
		delete(ends, [2]point{e.from, way})
		paths[i][1], ends[[2]point{e.to, way}] = e.to, i
	}
	return paths
}

// rightmost returns the unused edge that goes on from e furthest to the right.
func rightmost(edges []edge, used []bool, e edge) int {
	best, most := -1, 0.0
	i, _ := slices.BinarySearchFunc(edges, e.to, func(e edge, p point) int { return e.from.compare(p) })
	for ; i < len(edges) && edges[i].from == e.to; i++ {
		if t := turn(e, edges[i]); !used[i] && (best < 0 || t > most) {
			best, most = i, t
		}
	}
	return best
}

// turn is the angle, to the right, by which f turns off from e; going back is
// the least of all. The lattices of a picture are stretched differently, but
// that leaves the order of the directions around a point as it is.
func turn(e, f edge) float64 {
	ex, ey, fx, fy := e.to.x-e.from.x, e.to.y-e.from.y, f.to.x-f.from.x, f.to.y-f.from.y
	cross, dot := ex*fy-ey*fx, ex*fx+ey*fy
	if cross == 0 && dot < 0 {
		return -math.Pi
	}
	return math.Atan2(float64(cross), float64(dot))
}
