package render

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pavage/pavage/tiling"
)

// Label says what is written on the placements of a picture.
type Label string

// What a Label may be. Nothing is the same as NoLabel.
const (
	NoLabel Label = "none"
	Letters Label = "letters" // one to three letters for each piece, and a legend
	Names   Label = "names"   // those of the pieces
	Numbers Label = "numbers" // of the pieces in their puzzle, from 1
)

// LabelChoices are what a Label may be, as help has them.
var LabelChoices = []Label{Letters, Names, Numbers, NoLabel}

// some reports whether there are any labels.
func (l Label) some() bool { return l != "" && l != NoLabel }

// of are the labels of the pieces.
func (l Label) of(pieces []tiling.Piece) []string {
	if l != Names && l != Numbers {
		return labels(pieces, 3)
	}
	all := make([]string, len(pieces))
	for k, p := range pieces {
		all[k] = strconv.Itoa(k + 1)
		if l == Names {
			all[k] = strings.Map(printable, p.Name)
		}
	}
	return all
}

// ColorBy says what has a colour of its own on a picture.
type ColorBy string

// What a ColorBy may be. Nothing is ByPiece where there are several pieces, and ByCopy
// where there is one.
const (
	// Each piece: the same on every picture of every puzzle
	ByPiece ColorBy = "piece"
	// Neighbours: few colours, and no two neighbours share one if it can be had
	ByCopy        ColorBy = "copy"
	ByOrientation ColorBy = "orientation" // each orientation of each piece
	// Each orientation on each colour of a chessboard under the board: see kinds
	ByKind    ColorBy = "kind"
	ByNothing ColorBy = "none" // all is white
)

// ColorChoices are what a ColorBy may be, as help has them.
var ColorChoices = []ColorBy{ByPiece, ByCopy, ByOrientation, ByKind, ByNothing}

// checkChoice reports a choice that there is not.
func checkChoice[C ~string](what string, c C, all []C) error {
	if c == "" || slices.Contains(all, c) {
		return nil
	}
	return fmt.Errorf("%s: %.40q, want one of %v", what, string(c), all)
}
