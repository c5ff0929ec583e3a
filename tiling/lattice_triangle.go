package tiling

import (
	"math"
	"strings"
)

// Triangle is the lattice of regular triangles. A cell is (0, row, column), and points up if
// row + column is even. A size such as 2x4 has two rows of four triangles each.
//
//	╱╲‾╱╲‾        steps        corners        typed
//	‾‾╲╱‾‾        2 △ 0         0      0   1   ^v^v
//	‾╲╱‾╲╱          1         2   1      2     v^v^
//
// If row + column has the wrong parity for the first '^' or 'v', 1 is added to all columns of the
// drawing. A translation adds an even number to row + column. An odd number would move triangles
// that point up to triangles that point down. Motions act on the middles of triangles.
var Triangle = &Lattice{
	name:       "triangle",
	axes:       []string{"row", "column"},
	byDefault:  Free,
	reflective: true,

	motions:   dihedral(flat(1, -1, 1, 0), flat(0, 1, 1, 0), 90),
	groupName: flatGroup,

	point: trianglePoint,
	cell:  triangleAt,
	floor: triangleFloor,

	Steps: func(c Cell) []Cell { return triangleSteps[odd(c)] },
	Outline: func(c Cell) []Corner {
		x, y := c[2], c[1]
		if odd(c) == 0 {
			return []Corner{{x + 1, y}, {x + 2, y + 1}, {x, y + 1}}
		}
		return []Corner{{x, y}, {x + 2, y}, {x + 1, y + 1}}
	},
	unit: [2]float64{0.5, math.Sqrt(3) / 2},

	BoardMarks: "^vo. ",
	mark:       func(c Cell) byte { return "^v"[odd(c)] },
	typedCells: typedTriangles,
	TypedAt:    func(c Cell) (line, column int) { return c[1], c[2] },
	figures:    triangleFigures,

	drawn:     polyiamondRows,
	pieceSets: polyiamondSets,
}

func triangleFloor(c Cell) Cell { return Cell{c[0], c[1], c[2] - odd(c)} }

// odd returns 1 for a triangle that points down and 0 for one that points up.
func odd(c Cell) int { return (c[1] + c[2]) & 1 }

var triangleSteps = [2][]Cell{
	{{0, 0, 1}, {0, 1, 0}, {0, 0, -1}},
	{{0, -1, 0}, {0, 0, 1}, {0, 0, -1}},
}

// trianglePoint returns the middle of a triangle in the coordinates (y+x)/2 and (y-x)/2, in which
// the matrix of a turn has integers. Here x is the column. A row is 3 units of y high, and y is
// 3·row + 2, or 3·row + 1 if the triangle points down. So x and y are both odd or both even.
func trianglePoint(c Cell) Cell {
	x, y := c[2], 3*c[1]+2-odd(c)
	return Cell{c[0], (y + x) / 2, (y - x) / 2}
}

func triangleAt(p Cell) Cell {
	x, y := p[1]-p[2], p[1]+p[2]
	return Cell{p[0], (y - 1 - ((y-1)%3+3)%3) / 3, x}
}

// typedTriangles returns the cells of a drawing. The first '^' or 'v' determines which places point
// up. If the drawing has none, the first place of the first row points up.
func typedTriangles(a art) (cells []Cell, err error) {
	beside := -1 // 0 or 1, which is added to the column of each mark; -1 until it is known
	for m := range a.marks {
		which := strings.IndexByte("^v", m.char) // -1 for a mark without a direction
		if which < 0 {
			continue
		}
		if beside < 0 {
			beside = which ^ odd(m.at)
		}
		if points := odd(m.at) ^ beside; points != which {
			return nil, m.errorf("where triangles point %s, expected %q: '^' and 'v' alternate in a row, and below a '^' stands a 'v'",
				[]string{"up", "down"}[points], "^v"[points])
		}
	}
	for m := range a.marks {
		if m.char != '.' {
			cells = append(cells, m.at.Plus(Cell{0, 0, max(beside, 0)}))
		}
	}
	return cells, nil
}

// The unit of the lengths in triangleFigures is the side of a triangle. Row r lies between line r,
// which is above the row, and line r+1. A row ends at the outermost ends of these two lines.
var triangleFigures = map[string]figure{
	"hexagon": {[]string{"1", "3"}, hexagonOfTriangles},
	"triangle": {[]string{"1"}, func(s sides) (int, rowEnds) {
		return s[0], func(row int) (first, last int) { return -row, row }
	}},
	"rhombus": {[]string{"1", "2"}, func(s sides) (int, rowEnds) {
		return hexagonOfTriangles(sides{s[1], s[0], 0})
	}},
}

func hexagonOfTriangles(s sides) (int, rowEnds) {
	return s[1] + s[2], func(row int) (first, last int) {
		left, right := edges(row, s[1], s[2])
		below, beyond := edges(row+1, s[1], s[2])
		up := (s[2] + 1) & 1 // added to all columns, so that the triangles point the right way
		return min(left, below) + up, max(right, beyond) + 2*s[0] - 2 + up
	}
}

// polyiamondRows has T. H. O'Beirne's names of hexiamonds (New Scientist, 1961).
var polyiamondRows = []namedRows{
	{"moniamond", "^"},
	{"diamond", "^v"},
	{"lozenge", "^v"},
	{"triamond", "^v^"},
	{"bar", "^v^v^v"},
	{"crook", "^v^v^/v"},
	{"crown", "^v^v^/  v"},
	{"sphinx", "^/v^/^v^"},
	{"snake", "^v^/  v^v"},
	{"yacht", "^v^v/v v"},
	{"chevron", "^/v^/^v/v"},
	{"signpost", "^v^v/  v^"},
	{"lobster", "^v^v/ ^v"},
	{"hook", "^v^v/v^"},
	{"hexagon", "^v^/v^v"},
	{"butterfly", "v^v/^v^"},
}

func polyiamondSets(l *Lattice) map[string]PieceSet {
	all := map[string]PieceSet{}
	l.families(all, 4, "tetriamond", "pentiamond")
	l.family(all, "hexiamonds", l.sized(6))
	l.families(all, 7, "heptiamond", "octiamond", "enneiamond", "deciamond")
	return all
}
