package tiling

import "math"

// Hexagon is the lattice of regular hexagons that stand on a corner. A cell is (0, row, column),
// and row r begins half a cell further right than row r-1. A turn by 60° moves (row, column) to
// (row + column, -row). These are Amit Patel's axial coordinates, "Hexagonal Grids" (2013).
//
//	 ╱╲╱╲╱╲          steps       corners       typed
//	│  │  │  │        5 0           0          # # #
//	 ╲╱╲╱╲╱╲╱        4 # 1        5   1         # # #
//	  │  │  │  │      3 2         4   2
//	   ╲╱╲╱╲╱                       3
//
// A drawing has a blank between cells, and each row is shifted by one character.
var Hexagon = &Lattice{
	name:       "hexagon",
	axes:       []string{"row", "column"},
	byDefault:  Free,
	reflective: true,

	motions:   dihedral(flat(1, 1, -1, 0), flat(0, 1, 1, 0), 30),
	groupName: flatGroup,
	turnRows:  flat(-1, 0, 1, 1),

	Steps: func(Cell) []Cell { return hexagonSteps },
	Outline: func(c Cell) []Corner {
		x, y := 2*c[2]+c[1], 3*c[1]
		return []Corner{{x + 1, y}, {x + 2, y + 1}, {x + 2, y + 3}, {x + 1, y + 4}, {x, y + 3}, {x, y + 1}}
	},
	unit: [2]float64{math.Sqrt(3) / 2, 0.5},

	BoardMarks: boardMarks,
	typedCells: typedHexagons,
	TypedAt:    func(c Cell) (line, column int) { return c[1], 2*c[2] + c[1] },
	figures:    hexagonFigures,

	drawn:     polyhexRows,
	pieceSets: polyhexSets,
}

var hexagonSteps = []Cell{{0, -1, 1}, {0, 0, 1}, {0, 1, 0}, {0, 1, -1}, {0, 0, -1}, {0, -1, 0}}

func typedHexagons(a art) (cells []Cell, err error) {
	first := math.MaxInt // for the first mark, its column minus its row; MaxInt until there is one
	for m := range a.marks {
		slant := m.at[2] - m.at[1]
		if first == math.MaxInt {
			first = slant
		}
		if (slant-first)%2 != 0 {
			return nil, m.errorf("in a wrong column, expected marks two characters apart, and each row shifted by one character from the row above")
		}
		if m.char != '.' {
			cells = append(cells, Cell{m.at[0], m.at[1], (slant - first) / 2})
		}
	}
	return cells, nil
}

var hexagonFigures = map[string]figure{
	"hexagon": {[]string{"1", "3"}, func(s sides) (int, rowEnds) {
		return s[1] + s[2] - 1, func(row int) (first, last int) {
			left, right := edges(row, s[1]-1, s[2]-1)
			here := row + s[2] - 1 // position of column 0; left and right, too, are in half cells
			return (left - here) / 2, (right-here)/2 + s[0] - 1
		}
	}},
	"triangle": {[]string{"1"}, func(s sides) (int, rowEnds) {
		return s[0], func(row int) (first, last int) { return -row, 0 }
	}},
	"rhombus": {[]string{"1", "2"}, func(s sides) (int, rowEnds) {
		return s[0], func(int) (first, last int) { return 0, s[1] - 1 }
	}},
}

// polyhexRows has Martin Gardner's names of tetrahexes (Mathematical Magic Show, 1977).
var polyhexRows = []namedRows{
	{"monohex", "#"},
	{"dihex", "# #"},
	{"trihex-I", "# # #"},
	{"trihex-V", "# #/   #"},
	{"trihex-A", " #/# #"},
	{"bar", "# # # #"},
	{"worm", "# # #/     #"},
	{"pistol", "# # #/ #"},
	{"propeller", "#/ # #/#"},
	{"arch", "# #/   #/  #"},
	{"bee", "# #/ # #"},
	{"wave", "# #/   # #"},
}

func polyhexSets(l *Lattice) map[string]PieceSet {
	all := map[string]PieceSet{}
	l.family(all, "trihexes", l.sized(3))
	l.family(all, "tetrahexes", l.sized(4))
	l.families(all, 5, "pentahex", "hexahex", "heptahex", "octahex", "nonahex", "decahex")
	return all
}
