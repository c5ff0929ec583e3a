package tiling

import (
	"cmp"
	"errors"
	"fmt"
)

// hinted adds to what is wrong with a drawing the lattices of which it is one: that of hexagons
// where no lattice is said and the rows are like those of hexagons, others where the marks are theirs.
func hinted(err error, l *Lattice, text, marks string, colours *colourReader) error {
	if err == nil {
		return nil
	}
	said := l != nil
	l = cmp.Or(l, Square)
	letters, wrong := colours.letters(l)
	switch {
	case wrong != nil:
		return err
	case !said && drawnIn(text, marks+letters) && staggered(text, letters):
		return hint(err, "or lattice: hexagon")
	}
	if drawnIn(text, marks+letters) {
		return err
	}
	var others []*Lattice
	for _, o := range lattices {
		if o != l && (o.Dimensions() == 2 || l.Dimensions() == 3) && o.boardMarks != l.boardMarks && drawnIn(text, o.boardMarks+letters) {
			others = append(others, o)
		}
	}
	if others == nil {
		return err
	}
	return hint(err, "or lattice: "+list(latticeNames(others)))
}

// hint adds what else may have been meant to an error, which keeps its row.
func hint(err error, words string) error {
	text := fmt.Sprintf("%v (%s)", err, words)
	var row *rowError
	if errors.As(err, &row) {
		return &rowError{row.row, row.at, text}
	}
	return errors.New(text)
}

// staggered reports whether a text is a drawing of hexagons: marks two characters apart, each
// row one character beside the row above.
func staggered(text, letters string) bool {
	drawing, err := parseArt(text, Hexagon.boardMarks+letters)
	if err == nil {
		_, _, err = Hexagon.typedCells(drawing)
	}
	return err == nil
}
