package tiling

import (
	"fmt"
	"strings"
)

// Two lattices that the program does not have, to see that a lattice is one
// value and nothing else.

// hexagons is the lattice of hexagons that stand on a corner. Row r begins half a cell
// further right than row r-1:
//
//	 ╱╲╱╲╱╲          steps       corners
//	│  │  │  │        5 0           0
//	 ╲╱╲╱╲╱╲╱        4 # 1        5   1
//	  │  │  │  │      3 2         4   2
//	   ╲╱╲╱╲╱                       3
var hexagons = &Lattice{
	name: "hexagon", axes: []string{"row", "column"}, adjective: "hexagon", byDefault: Free, reflective: true,
	motions: dihedral(6, flat(1, 1, -1, 0), flat(0, 1, 1, 0)), groupName: flatGroup,
	steps: func(Cell) []Cell { return hexagonSteps },
	outline: func(c Cell) []Corner {
		x, y := 2*c[2]+c[1], 3*c[1]
		return []Corner{{x + 1, y}, {x + 2, y + 1}, {x + 2, y + 3}, {x + 1, y + 4}, {x, y + 3}, {x, y + 1}}
	},
	unit:       [2]float64{0.8660254037844386, 0.5},
	boardMarks: "#o. ", shapeMarks: "#. ",
	typedSize:  func(a art) ([3]int, error) { return [3]int{1, len(a[0]), len(a[0][0])}, nil },
	typedCells: func(a art) ([]Cell, []bool) { return typed(a, func(r, x int) Cell { return Cell{0, r, (x - r) / 2} }) },
	typedAt:    func(c Cell) (line, column int) { return c[1], 2*c[2] + c[1] },
	named:      func() []namedShape { return nil },
	pieceSets: func(l *Lattice) map[string]set {
		return map[string]set{"tetrahexes": {shapes: numbered("tetrahex", l.freeShapes(4))}}
	},
}

var hexagonSteps = []Cell{{0, -1, 1}, {0, 0, 1}, {0, 1, 0}, {0, 1, -1}, {0, 0, -1}, {0, -1, 0}}

// triangles is the lattice of triangles: those point up whose row and column have an
// even sum.
//
//	╱╲‾╱╲‾        steps        corners
//	‾‾╲╱‾‾        2 △ 0         0      0   1
//	‾╲╱‾╲╱          1         2   1      2
var triangles = &Lattice{
	name: "triangle", axes: []string{"row", "column"}, adjective: "triangle", byDefault: Free, reflective: true,
	motions: dihedral(6, flat(1, -1, 1, 0), flat(0, 1, 1, 0)), groupName: flatGroup,
	// The middle of a triangle lies at x = column in half sides and y = 3·row + 2, or + 1
	// if it points down, in thirds of heights. Turns are whole in (y ± x)/2.
	point: func(c Cell) Cell {
		x, y := c[2], 3*c[1]+2-odd(c)
		return Cell{0, (y + x) / 2, (y - x) / 2}
	},
	cell: func(p Cell) Cell {
		x, y := p[1]-p[2], p[1]+p[2]
		return Cell{0, (y - 1 - ((y-1)%3+3)%3) / 3, x}
	},
	floor: func(c Cell) Cell { return Cell{c[0], c[1], c[2] - odd(c)} },
	steps: func(c Cell) []Cell {
		if odd(c) == 0 {
			return []Cell{{0, 0, 1}, {0, 1, 0}, {0, 0, -1}}
		}
		return []Cell{{0, -1, 0}, {0, 0, 1}, {0, 0, -1}}
	},
	outline: func(c Cell) []Corner {
		x, y := c[2], c[1]
		if odd(c) == 0 {
			return []Corner{{x + 1, y}, {x + 2, y + 1}, {x, y + 1}}
		}
		return []Corner{{x, y}, {x + 2, y}, {x + 1, y + 1}}
	},
	unit:       [2]float64{0.5, 0.8660254037844386},
	boardMarks: "^v. ", shapeMarks: "^v. ", mark: func(c Cell) byte { return "^v"[odd(c)] },
	typedSize:  func(a art) ([3]int, error) { return [3]int{1, len(a[0]), len(a[0][0])}, nil },
	typedCells: func(a art) ([]Cell, []bool) { return typed(a, func(r, x int) Cell { return Cell{0, r, x} }) },
	typedAt:    func(c Cell) (line, column int) { return c[1], c[2] },
	named:      func() []namedShape { return nil },
	pieceSets: func(l *Lattice) map[string]set {
		return map[string]set{"hexiamonds": {shapes: numbered("hexiamond", l.freeShapes(6))}}
	},
}

func odd(c Cell) int { return (c[1] + c[2]) & 1 }

// dihedral are n turns and as many reflections.
func dihedral(n int, turn, mirror motion) []namedMotion {
	var turns, mirrors []namedMotion
	m := identity
	for k := range n {
		turns = append(turns, namedMotion{m, fmt.Sprintf("rotation by %d°", 360*k/n)})
		mirrors = append(mirrors, namedMotion{m.after(mirror), fmt.Sprintf("reflection %d", k)})
		m = turn.after(m)
	}
	turns[0].words = "identity"
	return append(turns, mirrors...)
}

func typed(a art, at func(row, column int) Cell) (cells []Cell, optional []bool) {
	for r, row := range a[0] {
		for x := range row {
			if !strings.ContainsRune(". ", rune(row[x])) {
				cells, optional = append(cells, at(r, x)), append(optional, row[x] == 'o')
			}
		}
	}
	return cells, optional
}

func numbered(name string, shapes []Shape) (all []namedShape) {
	for i, s := range shapes {
		all = append(all, namedShape{fmt.Sprintf("%s-%d", name, i+1), s})
	}
	return all
}
