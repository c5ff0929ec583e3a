package tiling

import (
	"fmt"
	"sync"
)

// Square is the square lattice. A cell is (0, row, column), and rows are drawn downwards:
//
//	         column →          steps      corners
//	row      . # .               0        0 ── 1
//	 ↓       # # .             3 # 1      │    │
//	                             2        3 ── 2
var Square = &Lattice{
	name:       "square",
	axes:       []string{"row", "column"},
	byDefault:  Free, // in the plane a piece may be turned over
	reflective: true,

	motions:   squareMotions,
	groupName: flatGroup,
	turnRows:  flat(-1, 0, 0, 1),

	Steps:   func(Cell) []Cell { return gridSteps[:4] },
	Outline: gridOutline,
	unit:    [2]float64{1, 1},

	BoardMarks: boardMarks,
	typedSize:  art.size,
	typedCells: art.cells,
	TypedAt:    func(c Cell) (line, column int) { return c[1], c[2] },

	figures: squareFigures,

	drawn:     polyominoRows,
	pieceSets: polyominoSets,
}

// Rotations are clockwise: the rotation by 90° moves the last row to the first column.
var squareMotions = []namedMotion{
	{identity, "identity"},
	{flat(0, 1, -1, 0), "rotation by 90°"},
	{flat(-1, 0, 0, -1), "rotation by 180°"},
	{flat(0, -1, 1, 0), "rotation by 270°"},
	{flat(1, 0, 0, -1), "reflection left-right"},
	{flat(-1, 0, 0, 1), "reflection top-bottom"},
	{flat(0, 1, 1, 0), "reflection in the main diagonal"},
	{flat(0, -1, -1, 0), "reflection in the other diagonal"},
}

// The sides of a diamond look like stairs. A diamond has one length, the number of steps of a side.
var squareFigures = map[string]figure{
	// The Aztec diamond, after N. Elkies, G. Kuperberg, M. Larsen and J. Propp (1992).
	"diamond": {[]string{"1"}, func(s sides) (int, rowEnds) {
		return 2 * s[0], func(row int) (first, last int) {
			half := min(row, 2*s[0]-1-row) + 1
			return -half, half - 1
		}
	}},
}

// flatGroup returns the name of a group: Cn has n rotations; Dn also has n reflections.
func flatGroup(g []motion) string {
	rotations := 0
	for _, m := range g {
		if !m.mirrors() {
			rotations++
		}
	}
	if rotations < len(g) {
		return fmt.Sprintf("D%d", rotations)
	}
	return fmt.Sprintf("C%d", rotations)
}

// gridSteps has the steps up, right, down, left, to the layer below, and to the layer above.
var gridSteps = []Cell{{0, -1, 0}, {0, 0, 1}, {0, 1, 0}, {0, 0, -1}, {-1, 0, 0}, {1, 0, 0}}

func gridOutline(c Cell) []Corner {
	x, y := c[2], c[1]
	return []Corner{{x, y}, {x + 1, y}, {x + 1, y + 1}, {x, y + 1}}
}

// polyominoRows has the polyominoes that Golomb named by letters. Larger ones have no usual names.
var polyominoRows = []namedRows{
	{"monomino", "#"},
	{"domino", "##"},
	{"I3", "###"},
	{"L3", "#./##"},
	{"I4", "####"},
	{"L4", "#../###"},
	{"O4", "##/##"},
	{"S4", ".##/##."},
	{"T4", ".#./###"},
	{"F5", ".##/##./.#."},
	{"I5", "#####"},
	{"L5", "#.../####"},
	{"N5", "##../.###"},
	{"P5", "##/##/#."},
	{"T5", "###/.#./.#."},
	{"U5", "#.#/###"},
	{"V5", "#../#../###"},
	{"W5", "#../##./.##"},
	{"X5", ".#./###/.#."},
	{"Y5", ".#../####"},
	{"Z5", "##./.#./.##"},
}

func polyominoSets(l *Lattice) map[string]PieceSet {
	all := map[string]PieceSet{"trominoes": {Shapes: l.sized(3)}}
	l.family(all, "tetrominoes", l.sized(4))
	l.family(all, "pentominoes", l.sized(5))
	l.families(all, 6, "hexomino", "heptomino", "octomino", "nonomino", "decomino", "undecomino")
	// A set of one-sided dodecominoes would have 126,759 pieces, more than MaxPieces.
	all["dodecominoes"] = PieceSet{Shapes: sync.OnceValue(l.generated("dodecomino", 12))}
	all["double-six"] = PieceSet{Shapes: sync.OnceValue(func() []NamedShape { return dominoes(6) })}
	all["double-nine"] = PieceSet{Shapes: sync.OnceValue(func() []NamedShape { return dominoes(9) })}
	return all
}

// dominoes returns the dominoes that have at most this number of pips on each half.
func dominoes(most int) (all []NamedShape) {
	for a := range most + 1 {
		for b := a; b <= most; b++ {
			all = append(all, NamedShape{fmt.Sprintf("%d-%d", a, b), Shape{{0, 0, 0}, {0, 0, 1}}, fmt.Sprint(a) + fmt.Sprint(b)})
		}
	}
	return all
}
