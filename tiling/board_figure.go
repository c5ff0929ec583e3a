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

// Figure returns a board in the named shape, such as hexagon, without validating it. It fails if a
// length is not in 1..[MaxSide]. A nil l means [Square] or, if squares lack the shape, [Triangle].
func Figure(l *Lattice, name string, lengths []int, cells CellLimit) (*Board, error) {
	known := map[string]bool{}
	var homes []string // the lattices that have the shape
	for _, on := range lattices {
		for figure := range on.figures {
			if known[figure] = true; figure == name {
				homes = append(homes, on.name)
			}
		}
	}
	if l == nil && slices.Contains(homes, Square.name) {
		l = Square
	}
	b := &Board{Lattice: cmp.Or(l, Triangle)}
	f, has := b.Lattice.figures[name]
	switch {
	case strings.EqualFold(name, "aztec"):
		return nil, fmt.Errorf("unknown shape of a board %s, did you mean diamond?", wording.Quote(name))
	case homes == nil:
		return nil, fmt.Errorf("unknown shape of a board %s, expected %s", wording.Quote(name), wording.List(slices.Sorted(maps.Keys(known))))
	case !has:
		return nil, fmt.Errorf("the %s lattice has no boards in the shape of a %s, expected lattice: %s", b.Lattice, name, strings.Join(homes, " or lattice: "))
	case !slices.Contains(f.lengths, strconv.Itoa(len(lengths))):
		return nil, fmt.Errorf("the size of a %s has %d numbers, expected %s", name, len(lengths), wording.List(f.lengths))
	}
	var s sides
	for i := range s {
		s[i] = lengths[min(i, len(lengths)-1)]
	}
	if err := CheckBox(s, math.MaxInt64); err != nil { // checks the sides; the area is checked below
		return nil, err
	}
	rows, ends := f.rows(s)
	area := 0
	for r := range rows {
		first, last := ends(r)
		area += last - first + 1
	}
	if err := cells.Check("a "+name+" with these sides has", int64(area)); err != nil {
		return nil, err
	}
	b.Cells = make([]Cell, 0, area)
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
