package tiling

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// figure is a board that is told by the lengths of its sides, such as {hexagon: [2, 3, 4]}.
type figure struct {
	area  func(sides) int64  // in cells
	cells func(sides) []Cell // by rows, from any origin; only of figures that are not too large
}

// sides are the lengths of the sides of a figure: of a hexagon, with the sides a, b, c, a, b, c
// clockwise from the top; of a rhombus, its rows and columns; of a triangle, the first.
type sides [3]int

func (s sides) sum() int64 { return int64(s[0]) + int64(s[1]) + int64(s[2]) }

// pairs is the sum of the products of any two.
func (s sides) pairs() int64 {
	a, b, c := int64(s[0]), int64(s[1]), int64(s[2])
	return a*b + b*c + c*a
}

// edges tells where line i of a hexagon begins, and how far the right side is out there. The
// right side goes out for b lines, and then in; the left one for c.
//
//	  __a__
//	c╱     ╲b
//	╱       ╲
//	╲       ╱
//	b╲_____╱c
//	    a
func (s sides) edges(i, b, c int) (left, right int) {
	left, right = c-i, c+i
	if i > c {
		left = i - c
	}
	if i > b {
		right = c + 2*b - i
	}
	return left, right
}

// fromRows are the cells of rows that each go from first to last, in units of which a cell
// has so many. All firsts are multiples of the unit.
func fromRows(rows, unit int, row func(int) (first, last int)) (cells []Cell) {
	for r := range rows {
		first, last := row(r)
		for x := first; x <= last; x += unit {
			cells = append(cells, Cell{0, r, x / unit})
		}
	}
	return cells
}

// figureSides says how many sides a figure may be told by: the last of them stands for those
// that are left out.
var figureSides = map[string][]int{"hexagon": {1, 3}, "triangle": {1}, "rhombus": {1, 2}}

// figureForm is what a figure looks like, for errors.
const figureForm = "{hexagon: [4, 4, 4]}, {triangle: 5} or {rhombus: [4, 9]}"

// setFigure makes the board a figure of its lattice.
func (b *Board) setFigure(name string, lengths []int) error {
	f, ok := b.Lattice.figures[name]
	switch {
	case figureSides[name] == nil:
		return fmt.Errorf("unknown shape of a board %s, want %s", quote(name), list(figureNames()))
	case !ok:
		return fmt.Errorf("a board in the shape of a %s on the %s lattice, want lattice: hexagon or lattice: triangle", name, b.Lattice)
	case !slices.Contains(figureSides[name], len(lengths)):
		return fmt.Errorf("%d sides of a %s, want %s", len(lengths), name, list(numerals(figureSides[name])))
	}
	var s sides
	for i := range s {
		s[i] = lengths[min(i, len(lengths)-1)]
	}
	if err := checkCount(f.area(s), MaxCells); err != nil {
		return fmt.Errorf("a %s with these sides has %w in all", name, err)
	}
	b.Cells = f.cells(s)
	b.Optional = make([]bool, len(b.Cells))
	b.fit()
	return nil
}

func figureNames() []string { return slices.Sorted(maps.Keys(figureSides)) }

func numerals(numbers []int) (words []string) {
	for _, n := range numbers {
		words = append(words, fmt.Sprint(n))
	}
	return words
}

// splitFigure splits a figure as an argument has it, such as hexagon:4,4,4 or rhombus:4x9.
func splitFigure(text string) (name, lengths string, ok bool) {
	name, lengths, ok = strings.Cut(text, ":")
	return strings.Trim(name, " "), lengths, ok
}

// parseSides reads the lengths of sides, with commas or x between them.
func parseSides(text string) (lengths []int, err error) {
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == 'x' }) {
		n, ok := parseNumber(strings.Trim(word, " "), MaxSide)
		if !ok || n == 0 {
			return nil, fmt.Errorf("bad side %s, want a side of 1..%d", quote(word), MaxSide)
		}
		lengths = append(lengths, n)
	}
	return lengths, nil
}
