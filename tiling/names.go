package tiling

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// namedShape is a shape and the name it goes by.
type namedShape struct {
	name  string
	shape Shape
}

// set is a named set of pieces.
type set struct {
	shapes   func() []namedShape // made when first asked for
	oneSided bool                // comes with its mirror pairs, so its pieces are not turned over
}

// family are the sets of the shapes that a function makes: of the shapes themselves, and of
// them with their mirror images as shapes of their own.
func (l *Lattice) family(all map[string]set, name string, shapes func() []namedShape) {
	all[name] = set{shapes: sync.OnceValue(shapes)}
	all["one-sided-"+name] = set{shapes: sync.OnceValue(func() []namedShape { return l.mirrored(all[name].shapes()) }), oneSided: true}
}

// generated makes all shapes of n cells, with numbers for names.
func (l *Lattice) generated(name string, n int) func() []namedShape {
	return func() []namedShape { return numbered(name, l.freeShapes(n)) }
}

// families are the sets of all shapes of n cells, of n+1 cells and so on, by the names of their
// pieces.
func (l *Lattice) families(all map[string]set, n int, pieces ...string) {
	for i, piece := range pieces {
		l.family(all, plural(piece), l.generated(piece, n+i))
	}
}

// plural is the name of a set of pieces: hexominoes, pentahexes, octiamonds.
func plural(piece string) string {
	if strings.HasSuffix(piece, "o") || strings.HasSuffix(piece, "x") {
		return piece + "es"
	}
	return piece + "s"
}

// polyominoRows are the planar pieces with names, row after row, by Golomb's
// letters. The hexominoes have no generally agreed names and are generated: hexomino-01 …
// hexomino-35, in the order of their cells.
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

// polyominoes are the planar pieces with names, in the order of their table.
var polyominoes = sync.OnceValue(func() []namedShape {
	return drawnPieces(polyominoRows, art.cells, anywhere)
})

// namedRows is a piece and its drawing, with / between rows.
type namedRows struct{ name, rows string }

// drawnPieces are the pieces of drawings.
func drawnPieces(table []namedRows, read func(art) ([]Cell, []bool, error), floor func(Cell) Cell) (all []namedShape) {
	for _, p := range table {
		cells, _, _ := read(art{strings.Split(p.rows, "/")})
		all = append(all, namedShape{p.name, shapeOf(cells, floor)})
	}
	return all
}

// ofSize are the named pieces of n cells.
func ofSize(n int) func() []namedShape { return sized(polyominoes, n) }

// sized are those of n cells.
func sized(shapes func() []namedShape, n int) func() []namedShape {
	return func() []namedShape {
		return slices.DeleteFunc(slices.Clone(shapes()), func(p namedShape) bool { return len(p.shape) != n })
	}
}

// numbered names shapes by numbers of as many digits as the last has: hexomino-01.
func numbered(name string, shapes []Shape) (all []namedShape) {
	digits := len(strconv.Itoa(len(shapes)))
	for i, s := range shapes {
		all = append(all, namedShape{fmt.Sprintf("%s-%0*d", name, digits, i+1), s})
	}
	return all
}

// mirrored puts after each piece that differs from its mirror image that
// image, named with an m for mirrored: L4 and L4m.
func (l *Lattice) mirrored(shapes []namedShape) []namedShape {
	mirrors := l.group(Free)
	mirrors = mirrors[len(l.group(OneSided)):][:1] // they come last
	var all []namedShape
	for _, p := range shapes {
		all = append(all, p)
		turned := l.orientations(p.shape, l.group(OneSided))
		image := l.orientations(p.shape, mirrors)[0]
		if !slices.ContainsFunc(turned, func(s Shape) bool { return slices.Equal(s, image) }) {
			all = append(all, namedShape{p.name + "m", image})
		}
	}
	return all
}

// solids are the pieces of a solid puzzle, each a mask of the cells of a cube
// of the side given: bit column + side·row + side²·layer.
func solids(side int, names []string, masks []uint64) []namedShape {
	var all []namedShape
	for i, mask := range masks {
		var cells []Cell
		for bit, c := range boxCells([3]int{side, side, side}) {
			if mask>>bit&1 != 0 {
				cells = append(cells, c)
			}
		}
		all = append(all, namedShape{names[i], NewShape(cells...)})
	}
	return all
}

// soma are Piet Hein's seven pieces (1936): the irregular ones of at most four
// cubes. Three stand on a V: A and B are mirror images of one another, P has
// its fourth cube on the corner.
func soma() []namedShape {
	return solids(3,
		[]string{"soma-V", "soma-L", "soma-T", "soma-Z", "soma-A", "soma-B", "soma-P"},
		[]uint64{0o13, 0o17, 0o27, 0o63, 0o2013, 0o10013, 0o1013})
}

// bedlam are Bruce Bedlam's thirteen pieces of a 4x4x4 cube: twelve of five
// cubes and one of four.
func bedlam() []namedShape {
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

// polyominoSets are the sets of flat pieces.
func polyominoSets(l *Lattice) map[string]set {
	all := map[string]set{"trominoes": {shapes: ofSize(3)}}
	l.family(all, "tetrominoes", ofSize(4))
	l.family(all, "pentominoes", ofSize(5))
	l.families(all, 6, "hexomino", "heptomino", "octomino", "nonomino", "decomino", "undecomino")
	all["dodecominoes"] = set{shapes: sync.OnceValue(l.generated("dodecomino", 12))} // one-sided, they are 126,759
	return all
}

// allSets are the named sets of all lattices.
var allSets = sync.OnceValue(func() map[string]set {
	all := map[string]set{}
	for _, l := range slices.Backward(lattices) {
		maps.Copy(all, l.knownSets())
	}
	return all
})

// home is the first lattice that has the set.
func home(set string) *Lattice {
	for _, l := range lattices {
		if _, has := l.knownSets()[set]; has {
			return l
		}
	}
	return nil
}

// homes are the lattices that have a piece of that name.
func homes(piece string) (all []*Lattice) {
	for _, l := range lattices {
		if _, has := l.findNamed(piece); has {
			all = append(all, l)
		}
	}
	return all
}

// setNames are the names of the sets of all lattices, sorted.
func setNames() []string { return slices.Sorted(maps.Keys(allSets())) }

// PieceNames are the names of all pieces and sets, of any lattice, sorted.
func PieceNames() []string {
	names := setNames()
	for _, l := range lattices {
		for _, p := range l.named() {
			names = append(names, p.name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// findNamed returns the lattice's piece of that name.
func (l *Lattice) findNamed(name string) (Shape, bool) {
	for _, p := range l.named() {
		if p.name == name {
			return p.shape, true
		}
	}
	return nil, false
}
