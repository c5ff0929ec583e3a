package puzzlefile

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/tiling"
)

// hinted adds to an error about a drawing the lattices on which the drawing might be valid. If the
// marks and letters of l suffice for the text, the only such lattice is Hexagon, for staggered rows
// in a file without a lattice (l is nil). Otherwise it is each lattice whose marks suffice.
func hinted(err error, l *tiling.Lattice, text, marks, letters string) error {
	if err == nil {
		return nil
	}
	if drawnIn(text, marks+letters) {
		if l == nil && staggered(text, letters) {
			return fmt.Errorf("%w (or lattice: hexagon)", err)
		}
		return err
	}
	l = cmp.Or(l, tiling.Square)
	var others []string
	for _, o := range tiling.Lattices() {
		fits := o.Dimensions() == 2 || l.Dimensions() == 3
		if fits && o.BoardMarks() != l.BoardMarks() && drawnIn(text, o.BoardMarks()+letters) {
			others = append(others, o.String())
		}
	}
	if others == nil {
		return err
	}
	return fmt.Errorf("%w (or lattice: %s)", err, wording.List(others))
}

// staggered reports whether a text is a drawing of hexagons: the marks of a row are two characters
// apart, and each row is shifted by one character against the row above it.
func staggered(text, letters string) bool {
	_, err := tiling.Hexagon.ReadBoard(text, letters)
	return err == nil
}

// everyMark has the marks of all lattices.
const everyMark = "#^vo. "

// drawnIn reports whether a text consists of marks and line ends only.
func drawnIn(text, marks string) bool { return strings.Trim(text, marks+"\r\n") == "" }
