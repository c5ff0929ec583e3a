package tiling

import (
	"cmp"
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"sync"
)

// Cube is the cube lattice. A cell is (layer, row, column). A flat piece has thickness 1.
var Cube = &Lattice{
	name:       "cube",
	axes:       axisWords[:],
	byDefault:  OneSided, // no motion of a solid body gives its mirror image
	reflective: false,

	motions:   cubeMotions(),
	groupName: func(g []motion) string { return solidGroups[kindsOf(g)] },

	Steps:   func(Cell) []Cell { return gridSteps },
	Outline: gridOutline,
	unit:    [2]float64{1, 1},

	BoardMarks: boardMarks,
	typedSize:  art.size,
	typedCells: art.cells,
	TypedAt:    func(c Cell) (line, column int) { return c[1], c[2] },

	drawn:     polyominoRows,
	pieceSets: solidSets,
}

// solidSets returns the sets of pieces on cubes. A mirror image of a solid piece is another piece.
func solidSets(l *Lattice) map[string]PieceSet {
	all := maps.Clone(Square.Sets())
	all["solid-pentominoes"] = PieceSet{Shapes: l.sized(5)}
	for i, piece := range []string{"tetracube", "pentacube", "hexacube", "heptacube", "octacube"} {
		all[plural(piece)] = PieceSet{Shapes: sync.OnceValue(func() []NamedShape {
			return numbered(piece, l.connected(4+i, l.group(OneSided)))
		}), OneSided: true}
	}
	all["soma"] = PieceSet{Shapes: soma}
	all["bedlam"] = PieceSet{Shapes: bedlam}
	return all
}

// solids returns one piece for each mask. Bit column + side·row + side²·layer of the mask is set if
// the piece has the cell (layer, row, column).
func solids(side int, names []string, masks []uint64) []NamedShape {
	var all []NamedShape
	for i, mask := range masks {
		var cells []Cell
		for bit, c := range boxCells([3]int{side, side, side}) {
			if mask>>bit&1 != 0 {
				cells = append(cells, c)
			}
		}
		all = append(all, NamedShape{Name: names[i], Shape: Square.Shape(cells...)})
	}
	return all
}

// soma returns Piet Hein's seven pieces (1936). A and B are mirror images of each other.
func soma() []NamedShape {
	return solids(3,
		[]string{"soma-V", "soma-L", "soma-T", "soma-Z", "soma-A", "soma-B", "soma-P"},
		[]uint64{0o13, 0o17, 0o27, 0o63, 0o2013, 0o10013, 0o1013})
}

// bedlam returns Bruce Bedlam's thirteen pieces of a 4x4x4 cube.
func bedlam() []NamedShape {
	masks := []uint64{
		0x4E4, 0x136, 0x263, 0x10027, 0x20027, 0x20063, 0x10063,
		0x30062, 0x10047, 0x100017, 0x10017, 0x20072, 0x10031,
	}
	names := make([]string, len(masks))
	for i := range names {
		names[i] = fmt.Sprintf("bedlam-%02d", i+1)
	}
	return solids(4, names, masks)
}

func cubeMotions() []namedMotion {
	var all []namedMotion
	for _, axis := range axisOrders {
		for negative := range uint(8) {
			m := permuted(axis, signs(negative))
			all = append(all, namedMotion{m, solidWords(axis, signs(negative), kindOf(m))})
		}
	}
	slices.SortStableFunc(all, func(a, b namedMotion) int { return cmp.Compare(kindOf(a.motion), kindOf(b.motion)) })
	return all
}

// axisOrders has the permutations of the three axes, even permutations first.
var axisOrders = [6][3]int{{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}}

func signs(negative uint) [3]int {
	var s [3]int
	for axis := range s {
		s[axis] = 1 - 2*bits.OnesCount(negative>>axis&1)
	}
	return s
}

var inversion = permuted(identityAxes, [3]int{-1, -1, -1})

// motionKind is the kind of a motion, in Schoenflies notation.
type motionKind uint8

const (
	kindE  motionKind = iota // the identity
	kindC2                   // rotation by 180°
	kindC3                   // rotation by 120°
	kindC4                   // rotation by 90°
	kindI                    // point reflection
	kindS                    // reflection in a plane
	kindS4                   // rotary reflection by 90°
	kindS6                   // rotary reflection by 60°
	kinds
)

func kindOf(m motion) motionKind {
	switch {
	case m == inversion:
		return kindI
	case !m.mirrors():
		return [...]motionKind{1: kindE, 2: kindC2, 3: kindC3, 4: kindC4}[m.order()]
	}
	return [...]motionKind{2: kindS, 4: kindS4, 6: kindS6}[m.order()]
}

// kindsOf returns the number of motions of each kind in the group g.
func kindsOf(g []motion) (have [kinds]int) {
	for _, m := range g {
		have[kindOf(m)]++
	}
	return have
}

// solidGroups has the names of 25 groups of motions. A key is the result of kindsOf for the group.
var solidGroups = map[[kinds]int]string{
	// In a key, the numbers belong to the kinds E, C2, C3, C4, I, S, S4, S6.
	{1}:                      "C1",
	{1, 1}:                   "C2",
	{1, 0, 2}:                "C3",
	{1, 1, 0, 2}:             "C4",
	{1, 3}:                   "D2",
	{1, 3, 2}:                "D3",
	{1, 5, 0, 2}:             "D4",
	{1, 3, 8}:                "T",
	{1, 9, 8, 6}:             "O",
	{1, 0, 0, 0, 1}:          "Ci",
	{1, 0, 0, 0, 0, 1}:       "Cs",
	{1, 1, 0, 0, 1, 1}:       "C2h",
	{1, 1, 0, 0, 0, 2}:       "C2v",
	{1, 3, 0, 0, 1, 3}:       "D2h",
	{1, 1, 0, 0, 0, 0, 2}:    "S4",
	{1, 1, 0, 2, 1, 1, 2}:    "C4h",
	{1, 1, 0, 2, 0, 4}:       "C4v",
	{1, 3, 0, 0, 0, 2, 2}:    "D2d",
	{1, 5, 0, 2, 1, 5, 2}:    "D4h",
	{1, 0, 2, 0, 1, 0, 0, 2}: "C3i",
	{1, 0, 2, 0, 0, 3}:       "C3v",
	{1, 3, 2, 0, 1, 3, 0, 2}: "D3d",
	{1, 3, 8, 0, 1, 3, 0, 8}: "Th",
	{1, 3, 8, 0, 0, 6, 6}:    "Td",
	{1, 9, 8, 6, 1, 9, 6, 8}: "Oh",
}

var axisWords = [3]string{"layer", "row", "column"}

func solidWords(axis, sign [3]int, kind motionKind) string {
	straight := axis == identityAxes
	lone := 0 // the axis that keeps its place; if all do, the one whose sign the others do not have
	for i, from := range axis {
		if straight && sign[i] != sign[(i+1)%3] && sign[i] != sign[(i+2)%3] || !straight && i == from {
			lone = i
		}
	}
	b, c := (lone+1)%3, (lone+2)%3
	quarter := 90 // degrees of the turn that moves axis b to c
	if sign[c] < 0 {
		quarter = 270
	}
	switch {
	case kind == kindE:
		return "identity"
	case kind == kindI:
		return "point reflection"
	case kind == kindC3:
		return "rotation by 120° about a space diagonal"
	case kind == kindS6:
		return "rotary reflection by 60° about a space diagonal"
	case kind == kindC4:
		return fmt.Sprintf("rotation by %d° about the %s axis", quarter, axisWords[lone])
	case kind == kindS4:
		return fmt.Sprintf("rotary reflection by %d° about the %s axis", quarter, axisWords[lone])
	case straight && kind == kindS:
		return fmt.Sprintf("reflection that reverses the %ss", axisWords[lone])
	case straight:
		return fmt.Sprintf("rotation by 180° about the %s axis", axisWords[lone])
	case kind == kindS:
		return fmt.Sprintf("reflection that swaps %ss and %ss", axisWords[min(b, c)], axisWords[max(b, c)])
	}
	return "rotation by 180° about a face diagonal"
}
