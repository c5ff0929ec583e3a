package render

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pavage/pavage/tiling"
)

// Label is what is written on the placements of a picture: "none", "letters", "names" or
// "numbers". The empty Label is "none".
type Label string

const (
	noLabel      Label = "none"
	letterLabels Label = "letters" // one to three letters for each piece, and a legend
	nameLabels   Label = "names"   // those of the pieces
	numberLabels Label = "numbers" // of the pieces in their puzzle, from 1
)

// LabelChoices are what a Label may be, as help has them.
var LabelChoices = []Label{letterLabels, nameLabels, numberLabels, noLabel}

// some reports whether there are any labels.
func (l Label) some() bool { return l != "" && l != noLabel }

// of are the labels of the pieces.
func (l Label) of(pieces []tiling.Piece) []string {
	if l != nameLabels && l != numberLabels {
		return labels(pieces, 3)
	}
	all := make([]string, len(pieces))
	for k, p := range pieces {
		all[k] = strconv.Itoa(k + 1)
		if l == nameLabels {
			all[k] = strings.Map(printable, p.Name)
		}
	}
	return all
}

// ColorBy is what has a colour of its own on a picture: "piece", "copy", "orientation",
// "kind" or "none". The empty ColorBy is "piece" where the puzzle has several pieces, and
// "copy" where it has one.
type ColorBy string

const (
	// Each piece: the same on every picture of every puzzle
	byPiece ColorBy = "piece"
	// Neighbours: few colours, and no two neighbours share one if it can be had
	byCopy        ColorBy = "copy"
	byOrientation ColorBy = "orientation" // each orientation of each piece
	// Each orientation on each colour of a chessboard under the board: see kinds
	byKind    ColorBy = "kind"
	byNothing ColorBy = "none" // all is white
)

// ColorChoices are what a ColorBy may be, as help has them.
var ColorChoices = []ColorBy{byPiece, byCopy, byOrientation, byKind, byNothing}

// checkChoice reports a choice that there is not.
func checkChoice[C ~string](what string, c C, all []C) error {
	if c == "" || slices.Contains(all, c) {
		return nil
	}
	return fmt.Errorf("%s: %.40q, want one of %v", what, string(c), all)
}
