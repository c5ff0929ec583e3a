package tiling

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pavage/pavage/internal/kit/wording"
)

// figureSides says how many sides a figure may be told by: the last of them stands for those
// that are left out.
var figureSides = map[string][]string{"diamond": {"1"}, "hexagon": {"1", "3"}, "triangle": {"1"}, "rhombus": {"1", "2"}}

// Figure returns a board on l in the shape that name names, such as hexagon. The lengths of its
// sides are 1 to [MaxSide] each. If l is nil, the board is on [Square] if Square has the shape, or
// else on [Triangle]. The board is not validated.
func Figure(l *Lattice, name string, lengths []int) (*Board, error) {
	if l == nil && Square.figures[name] != nil {
		l = Square
	}
	b := &Board{Lattice: cmp.Or(l, Triangle)}
	f := b.Lattice.figures[name]
	switch {
	case figureSides[name] == nil:
		return nil, fmt.Errorf("unknown shape of a board %s, want %s", wording.Quote(name), wording.List(slices.Sorted(maps.Keys(figureSides))))
	case f == nil:
		var on []string
		for _, l := range lattices {
			if l.figures[name] != nil {
				on = append(on, l.name)
			}
		}
		return nil, fmt.Errorf("a board in the shape of a %s on the %s lattice, want lattice: %s", name, b.Lattice, strings.Join(on, " or lattice: "))
	case !slices.Contains(figureSides[name], strconv.Itoa(len(lengths))):
		return nil, fmt.Errorf("%d sides of a %s, want %s", len(lengths), name, wording.List(figureSides[name]))
	}
	var s sides
	for i := range s {
		s[i] = lengths[min(i, len(lengths)-1)]
	}
	if err := CheckBox(s, math.MaxInt64); err != nil { // its sides: the area is checked below
		return nil, err
	}
	rows, ends := f(s)
	area := 0
	for r := range rows {
		first, last := ends(r)
		area += last - first + 1
	}
	if err := checkCount(int64(area), MaxCells); err != nil {
		return nil, fmt.Errorf("a %s with these sides has %w in all", name, err)
	}
	for r := range rows {
		first, last := ends(r)
		for c := first; c <= last; c++ {
			b.Cells = append(b.Cells, Cell{0, r, c})
		}
	}
	b.Optional = make([]bool, len(b.Cells))
	b.fit()
	return b, nil
}
