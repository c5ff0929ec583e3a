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
		for _, n := range s.beside(cells[next]) {
			if s.border(cells[next], n) || seen[n[1]*s.columns()+n[2]] {
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
// nearest to the centre of gravity, first to the right and then down.
func (s *scene) anchor(p part) point {
	var sum point
	for _, c := range p.cells {
		m := s.middle(c)
		sum.x, sum.y = sum.x+m.x, sum.y+m.y
	}
	unitX, unitY := s.lattice.Unit()
	n := len(p.cells)
	least, best := math.Inf(1), point{}
	for _, spot := range s.spots(p) {
		dx, dy := spot.x*n-sum.x, spot.y*n-sum.y
		d := float64(unitX*float64(max(dx, -dx))) + float64(unitY*float64(max(dy, -dy)))
		if d < least {
			least, best = d, spot
		}
	}
	return best
}

// spots are the places in a part where a letter may go.
func (s *scene) spots(p part) []point {
	in := make(map[tiling.Cell]bool, len(p.cells))
	for _, c := range p.cells {
		in[c] = true
	}
	var all []point
	for _, c := range p.cells {
		all = append(all, s.middle(c))
		outline := s.lattice.Outline(c)
		for k, n := range s.beside(c) {
			if in[n] && before(c, n) {
				all = append(all, between(outline[k], outline[(k+1)%len(outline)]))
			}
		}
		for k, corner := range outline {
			if !slices.ContainsFunc(s.around(c, k), func(n tiling.Cell) bool { return !in[n] || before(n, c) }) {
				all = append(all, between(corner, corner))
			}
		}
	}
	return all
}

// middle is that of a cell, in twelfths.
func (s *scene) middle(c tiling.Cell) (m point) {
	outline := s.lattice.Outline(c)
	for _, corner := range outline {
		m.x, m.y = m.x+corner.X, m.y+corner.Y
	}
	return point{m.x * fine / len(outline), m.y * fine / len(outline)}
}

// between is half way from one corner to another, in twelfths.
func between(a, b tiling.Corner) point {
	return point{(a.X + b.X) * fine / 2, (a.Y + b.Y) * fine / 2}
}

// around are the cells that meet in corner k of c, without c.
func (s *scene) around(c tiling.Cell, k int) (all []tiling.Cell) {
	corner := s.lattice.Outline(c)[k]
	for n := s.beside(c)[k]; n != c; {
		all = append(all, n)
		n = s.beside(n)[slices.Index(s.lattice.Outline(n), corner)]
	}
	return all
}

func before(a, b tiling.Cell) bool { return slices.Compare(a[:], b[:]) < 0 }
