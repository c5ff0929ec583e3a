package render

import (
	"math"
	"slices"

	"github.com/pavage/pavage/tiling"
)

// part is what one layer shows of a placement, as far as it hangs together.
type part struct {
	placement int
	cells     []tiling.Cell
}

// parts returns the parts of all placements in one layer, by first cell.
func (s *scene) parts(layer int) []part {
	var all []part
	seen := make([]bool, s.rows()*s.columns())
	for c := range s.cells(layer) {
		if !seen[c[1]*s.columns()+c[2]] && s.placed(c) {
			all = append(all, part{s.at(c), s.spread(c, seen)})
		}
	}
	return all
}

// spread returns the cells of c's owner that can be reached from c within the
// layer, and marks them as seen.
func (s *scene) spread(c tiling.Cell, seen []bool) []tiling.Cell {
	cells := []tiling.Cell{c}
	seen[c[1]*s.columns()+c[2]] = true
	for next := 0; next < len(cells); next++ {
		for _, step := range s.sideSteps(cells[next]) {
			n := plus(cells[next], step)
			if s.at(n) != s.at(c) || seen[n[1]*s.columns()+n[2]] {
				continue
			}
			seen[n[1]*s.columns()+n[2]] = true
			cells = append(cells, n)
		}
	}
	return cells
}

// fine is how finely anchors are measured: the middle of a cell of 3, 4 or 6 corners
// is a whole number of twelfths of a corner's coordinates.
const fine = 12

// anchor is where a part's letter goes, in twelfths of the coordinates of corners: of
// the middles of its cells, of its inner sides and of its inner corners the one
// nearest to the centre of gravity, first to the right and then down. A long text has
// only the middles of cells: elsewhere it may stick out.
func (s *scene) anchor(p part, long bool) point {
	outlines := make([][]tiling.Corner, len(p.cells))
	var sum point
	for i, c := range p.cells {
		outlines[i] = s.lattice.Outline(c)
		m := middle(outlines[i])
		sum.x, sum.y = sum.x+m.x, sum.y+m.y
	}
	unitX, unitY := s.lattice.Unit()
	n := len(p.cells)
	least, best := math.Inf(1), point{}
	look := func(spot point) {
		dx, dy := spot.x*n-sum.x, spot.y*n-sum.y
		d := float64(unitX*float64(max(dx, -dx))) + float64(unitY*float64(max(dy, -dy)))
		if d < least {
			least, best = d, spot
		}
	}
	for i, c := range p.cells {
		if long {
			look(middle(outlines[i]))
		} else {
			// The first of the cells that share a place has it.
			outline := outlines[i]
			owner, steps := s.at(c), s.sideSteps(c)
			look(middle(outline))
			ours := func(n tiling.Cell) bool { return s.at(n) == owner && before(c, n) }
			for k, step := range steps {
				if ours(plus(c, step)) {
					look(between(outline[k], outline[(k+1)%len(outline)]))
				}
			}
			for k, corner := range outline {
				last := steps[(k+len(steps)-1)%len(steps)]
				if ours(plus(c, steps[k])) && ours(plus(c, last)) && s.all(c, k, corner, ours) {
					look(between(corner, corner))
				}
			}
		}
	}
	return best
}

// nearest is the cell of a part whose middle is nearest to where a picture has the letter.
func (s *scene) nearest(p part) tiling.Cell {
	at := s.anchor(p, false)
	unitX, unitY := s.lattice.Unit()
	far := func(c tiling.Cell) float64 {
		m := middle(s.lattice.Outline(c))
		x, y := float64(m.x-at.x)*unitX, float64(m.y-at.y)*unitY
		return float64(x*x) + float64(y*y)
	}
	return slices.MinFunc(p.cells, func(a, b tiling.Cell) int {
		switch fa, fb := far(a), far(b); {
		case fa < fb:
			return -1
		case fa > fb:
			return 1
		}
		return 0
	})
}

// all reports whether the cells that meet c in its corner k are all such.
func (s *scene) all(c tiling.Cell, k int, corner tiling.Corner, such func(tiling.Cell) bool) bool {
	for n := plus(c, s.sideSteps(c)[k]); n != c; {
		if !such(n) {
			return false
		}
		n = plus(n, s.sideSteps(n)[slices.Index(s.lattice.Outline(n), corner)])
	}
	return true
}

// middle is that of a cell, in twelfths.
func middle(outline []tiling.Corner) (m point) {
	for _, corner := range outline {
		m.x, m.y = m.x+corner.X, m.y+corner.Y
	}
	return point{m.x * fine / len(outline), m.y * fine / len(outline)}
}

// between is half way from one corner to another, in twelfths.
func between(a, b tiling.Corner) point {
	return point{(a.X + b.X) * fine / 2, (a.Y + b.Y) * fine / 2}
}

func before(a, b tiling.Cell) bool { return slices.Compare(a[:], b[:]) < 0 }
