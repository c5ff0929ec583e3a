package tiling_test

import (
	"github.com/pavage/pavage/tiling"
	"github.com/pavage/pavage/tiling/puzzlefile"
)

func init() {
	tiling.PuzzleOfFile = puzzlefile.Parse
	tiling.PuzzleOfArguments = func(a tiling.Arguments) (*tiling.Puzzle, error) {
		return puzzlefile.Words{Board: a.Board, Lattice: a.Lattice, Pieces: a.Pieces, Wrap: a.Wrap, Cover: a.Cover, Motions: a.Motions}.Puzzle()
	}
}
