package puzzlefile

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/tiling"
)

// hinted adds the lattices that may have been meant to an error about a drawing. Hexagon is one if
// the file has no lattice, so that l is nil, and the rows are staggered. Others are those that
// have all marks of the text, if l does not.
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

// staggered reports whether a text is a drawing of hexagons: marks two characters apart, each
// row one character beside the row above.
func staggered(text, letters string) bool {
	_, err := tiling.Hexagon.ReadBoard(text, letters)
	return err == nil
}

// everyMark has the marks of drawings on any lattice, boardMarks those of squares and cubes.
const (
	everyMark  = "#^vo. "
	boardMarks = "#o. "
)

// drawnIn reports whether a text has nothing but marks and line ends.
func drawnIn(text, marks string) bool { return strings.Trim(text, marks+"\r\n") == "" }
