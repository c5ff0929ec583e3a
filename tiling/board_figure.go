package tiling

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// figureSides says how many sides a figure may be told by: the last of them stands for those
// that are left out.
var figureSides = map[string][]int{"diamond": {1}, "hexagon": {1, 3}, "triangle": {1}, "rhombus": {1, 2}}

// figureForm is what a figure looks like, for errors.
const figureForm = "{hexagon: [4, 4, 4]}, {triangle: 5}, {rhombus: [4, 9]} or {diamond: 6}"

// setFigure makes the board a figure of its lattice.
func (b *Board) setFigure(name string, lengths []int) error {
	f, ok := b.Lattice.figures[name]
	switch {
	case figureSides[name] == nil:
		return fmt.Errorf("unknown shape of a board %s, want %s", quote(name), list(figureNames()))
	case !ok:
		return fmt.Errorf("a board in the shape of a %s on the %s lattice, want lattice: %s", name, b.Lattice, strings.Join(latticesOf(name), " or lattice: "))
	case !slices.Contains(figureSides[name], len(lengths)):
		return fmt.Errorf("%d sides of a %s, want %s",
			len(lengths), name, list(numerals(figureSides[name])))
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
