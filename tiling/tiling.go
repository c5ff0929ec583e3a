// Package tiling is the geometry of Pavage: lattices, boards, pieces, puzzles,
// and the way from a puzzle to an exact cover and back.
//
// puzzlefile.Parse reads a puzzle, and puzzlefile.Inline makes one. [Puzzle.Model] lists the
// placements of a puzzle. Package count counts the solutions of Model.Problem, and [Model.Tiling]
// turns a solution back into placements.
//
// # Purpose
//
// A [Puzzle] is a [Board], which is a set of cells of a lattice, and pieces, which are shapes with
// bounds on their copies. The motions of a piece are free (rotations and reflections), one-sided
// (rotations) or fixed (translations). The image of a shape under a motion is an orientation; an
// orientation at a place of the board is a [Placement]. [Puzzle.Model] lists all placements and
// states the puzzle as a cover.Problem: each cell is an item, each piece is an item with bounds,
// and each placement is an option. A set of placements that meets all bounds is a tiling.
//
// The running example is the 2x3 board with any number of dominoes:
//
//	cells a b c      placements of the domino      tilings   ab c   a bc   a b c
//	      d e f      ## lying     ab bc de ef                de f   d ef   d e f
//	                 # standing   ad be cf
//	                 #
//
// Package puzzlefile reads puzzles from files. A puzzle can also be made by hand:
//
//	board := tiling.NewBoard(tiling.Square, [3]int{1, 2, 3})
//	cells := []tiling.Cell{{0, 0, 0}, {0, 0, 1}}
//	domino := tiling.Piece{
//		Name: "domino", Lattice: board.Lattice, Shape: board.Lattice.Shape(cells...),
//		Max: cover.Unbounded,
//	}
//	puzzle := &tiling.Puzzle{Board: board, Pieces: []tiling.Piece{domino}}
//	model, err := puzzle.Model(ctx) // validates it
//
// # Lattices
//
// A [Lattice] defines which cells are neighbours, the motions and their names, the drawings of
// shapes and boards, and where the corners of a cell are in pictures. There are four lattices,
// [Square], [Cube], [Hexagon] and [Triangle], each in its own file.
//
// A cell is (layer, row, column); in the plane the layer is 0, so that a flat piece
// has the same shape on squares and on cubes:
//
//	square        cube, layer by layer      hexagon             triangle
//	. column      layer 0   layer 1         row 0   a b c       row 0   ^ v ^
//	row # # .     # # .     . . .           row 1    d e f      row 1   v ^ v
//	    . # .     . # .     . # .           row 2     g h i     a cell points up where
//	                                        columns lean        row + column is even
//
// # Other parts of a puzzle
//
// These parts decide which placements exist, or add items with bounds. So engines need no code for
// them.
//
//   - A [Wrap] glues borders of the board together. If a piece reaches the same cells with the same
//     marks in two ways around the board, this is one placement. No placement covers a cell twice.
//   - Cells of the board and of pieces may have colours. A [Pair] is two colours that may meet.
//   - A [Part] defines which placements must be used, or must not be used. A wall excludes the
//     placements that cover both of two neighbours; a joined pair excludes the placements that
//     cover only one of them.
//   - Cells of pieces may have digits as marks. A [Region] bounds the sum of marks on its cells;
//     the model has an item for this sum.
//   - A [PieceGroup] bounds the copies of several pieces together; the model has an item for it.
//   - Cells may have names, and named cells may be removed from the board. [Parameters] choose
//     these cells, so that one file describes many puzzles, such as the 366 puzzles of a calendar.
//
// # Drawings
//
// A drawing shows a board or a shape as rows of marks. [Board.Typed] and [Lattice.Typed] write
// drawings; [Lattice.ReadBoard] and [Lattice.ReadShape] read them.
//
// # Checks
//
// [Puzzle.Validate] checks a whole puzzle. A reader whose errors have the place of the mistake
// checks each part after reading it, with [CheckTitle], [CheckColourName], [CheckBox],
// [Board.Validate], [Roster.Add], [Puzzle.AddGroup], [Puzzle.Misplaced] and [Puzzle.CheckRegions].
//
// # Symmetry
//
// [Model.Group] finds the motions that move board and placements onto themselves. Package count
// uses them to count up to symmetry. On a board that wraps, some of these motions are translations.
//
// # Layers of the package
//
//	puzzle, parameters                           a Puzzle and its settings
//	family                                       the pieces of a Puzzle on boxes of all sizes
//	layout, colours, place, model, orders        Puzzle ──► placements, Model
//	symmetry, canonical, obstruction, heights    properties of puzzles and tilings
//	board*, piece, wrap                          parts of a Puzzle
//	art                                          drawings
//	lattice*, names, figure                      lattices, and the pieces and sets that have names
//
// # Non-goals
//
// Package puzzlefile reads files, package count counts tilings, and package render draws them. A
// puzzle without a tiling is a valid puzzle with the count 0, even if no piece fits the board.
//
// # Size and cost
//
// The limits of a puzzle, [MaxSide] and the constants beside it, are checked before a reader or a
// model allocates memory. A piece of n cells has at most 8 orientations on squares, 12 on hexagons
// or triangles, and 48 on cubes. An orientation is found in O(n log n). A model tries each
// orientation with its first cell on every board cell, in O(orientations · board cells · n). It is
// usually faster, since a trial ends at the first cell of the orientation that is not on the board.
//
// # References
//
// S. W. Golomb, Polyominoes (1965, 2nd ed. 1994), has the shapes, their names and the words free
// and one-sided. D. H. Redelmeier, "Counting polyominoes: yet another attack" (1981), has the
// numbers of shapes with which tests compare the generated sets (OEIS A000105, A000988; polyhexes
// A000228, polyiamonds A000577). M. Gardner named the tetrahexes, and T. H. O'Beirne named the
// hexiamonds. Pairs of colours that may meet are an idea of A. Röver's BurrTools.
package tiling

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// These limits are checked before memory is allocated. They keep the work on hostile puzzles short.
const (
	MaxSide       = 4096    // a side of a board or a box, and the absolute value of a coordinate
	MaxVolume     = 1 << 21 // cells of the box around a board, including cells that the board lacks
	MaxCells      = 1 << 20 // cells of a board
	MaxBoxCells   = 4096    // cells of a box for a piece, and cells of a Strip
	maxSizeCells  = 1 << 16 // cells of a board of a Family
	MaxPieces     = 100_000 // pieces of a puzzle
	MaxSmallCells = 12      // cells of a piece that does not count for MaxShapeCells
	MaxShapeCells = 1 << 14 // sum of the cells of all pieces of more than MaxSmallCells cells
	MaxCopies     = 1000000 // Min or Max of a piece, where Max may also be cover.Unbounded
	MaxUses       = 1 << 23 // uses of items by all placements of a model
	MaxNameRunes  = 64      // runes of the name of a piece
	MaxTitleRunes = 1000    // runes of the title of a puzzle
)

// ErrPuzzle is wrapped by errors of functions that check a whole puzzle, such as [Puzzle.Validate].
// Errors of functions that check a part of a puzzle, such as [Board.Validate], do not wrap it.
var ErrPuzzle = errors.New("bad puzzle")

// Error reports a mistake in a puzzle and the place of the mistake. It wraps ErrPuzzle.
type Error struct {
	Name         string // name of the file or of the argument; may be empty
	Line, Column int    // the first is 1; both are 0 if there is no file
	Text         string // the mistake, and what was expected
}

// Error returns one line, "name:line:column: text".
func (e *Error) Error() string {
	switch {
	case e.Line > 0:
		return fmt.Sprintf("%s:%d:%d: %s", e.Name, e.Line, e.Column, e.Text)
	case e.Name != "":
		return e.Name + ": " + e.Text
	}
	return e.Text
}

// Unwrap makes errors.Is(err, ErrPuzzle) true.
func (e *Error) Unwrap() error { return ErrPuzzle }

// Motions is the group of motions that a piece may use, besides translations.
type Motions uint8

// Free, OneSided and Fixed have 8, 4 and 1 motions on squares, 12, 6 and 1 on hexagons and
// triangles, and 48, 24 and 1 on cubes.
const (
	Free     Motions = iota // rotations and reflections
	OneSided                // rotations
	Fixed                   // only translations
)

var motionNames = []string{Free: "free", OneSided: "one-sided", Fixed: "fixed"}

// MotionNames returns the names of the motions in puzzle files, in the order of the constants.
func MotionNames() []string { return slices.Clone(motionNames) }

// String returns the name of the motions in puzzle files.
func (m Motions) String() string {
	if int(m) < len(motionNames) {
		return motionNames[m]
	}
	return fmt.Sprintf("unknown (%d)", m)
}

func join(numbers []int, sign string) string {
	var b strings.Builder
	for i, n := range numbers {
		if i > 0 {
			b.WriteString(sign)
		}
		b.WriteString(strconv.Itoa(n))
	}
	return b.String()
}
