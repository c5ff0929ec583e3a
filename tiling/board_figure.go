package tiling

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/pavage/pavage/internal/kit/wording"
)

// figureSides says how many sides a figure may be told by: the last of them stands for those
// that are left out.
var figureSides = map[string][]int{"diamond": {1}, "hexagon": {1, 3}, "triangle": {1}, "rhombus": {1, 2}}

// Figure returns a board on l in the shape that name names, such as hexagon. The lengths of its
// sides are 1 to [MaxSide] each. If l is nil, the board is on [Square] if Square has the shape, or
// else on [Triangle]. The board is not validated.
func Figure(l *Lattice, name string, lengths []int) (*Board, error) {
	if _, square := squareFigures[name]; l == nil && square {
		l = Square
	}
	b := &Board{Lattice: cmp.Or(l, Triangle)}
	f, ok := b.Lattice.figures[name]
	switch {
	case figureSides[name] == nil:
		return nil, fmt.Errorf("unknown shape of a board %s, want %s", wording.Quote(name), wording.List(figureNames()))
	case !ok:
		return nil, fmt.Errorf("a board in the shape of a %s on the %s lattice, want lattice: %s", name, b.Lattice, strings.Join(latticesOf(name), " or lattice: "))
	case !slices.Contains(figureSides[name], len(lengths)):
		return nil, fmt.Errorf("%d sides of a %s, want %s",
			len(lengths), name, wording.List(numerals(figureSides[name])))
	}
	var s sides
	for i := range s {
		s[i] = lengths[min(i, len(lengths)-1)]
	}
	if err := CheckBox(s, math.MaxInt64); err != nil { // its sides: the area is checked below
		return nil, err
	}
	if err := checkCount(f.area(s), MaxCells); err != nil {
		return nil, fmt.Errorf("a %s with these sides has %w in all", name, err)
	}
	b.Cells = f.cells(s)
	b.Optional = make([]bool, len(b.Cells))
	b.fit()
	return b, nil
}

// latticesOf are the names of the lattices that have a figure.
func latticesOf(figure string) (names []string) {
	for _, l := range lattices {
		if _, has := l.figures[figure]; has {
			names = append(names, l.name)
		}
	}
	return names
}

func figureNames() []string { return slices.Sorted(maps.Keys(figureSides)) }

func numerals(numbers []int) (words []string) {
	for _, n := range numbers {
		words = append(words, fmt.Sprint(n))
	}
	return words
}
