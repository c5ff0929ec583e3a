package tiling_test

import (
	"context"
	"fmt"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/tiling"
	"github.com/pavage/pavage/tiling/puzzlefile"
)

// A puzzle can be made without a file, from its board and its pieces.
func ExamplePuzzle() {
	board := tiling.NewBoard(tiling.Square, [3]int{1, 1, 3})
	bar := tiling.Piece{
		Name: "bar", Lattice: board.Lattice, Shape: board.Lattice.Shape(board.Cells...),
		Max: cover.Unbounded,
	}
	puzzle := &tiling.Puzzle{Board: board, Pieces: []tiling.Piece{bar}}
	fmt.Println(puzzle.Validate(), len(bar.Orientations()), "orientations")
	// Output:
	// <nil> 2 orientations
}

// The symmetries of a board with its pieces.
func ExampleModel_Group() {
	puzzle, _ := puzzlefile.Inline("2x3", []string{"domino=any"}, "", "")
	model, _ := puzzle.Model(context.Background())
	group := model.Group(true)
	fmt.Println(group.Name, "of order", len(group.Elements))
	for _, e := range group.Elements {
		fmt.Println(e.Motion)
	}
	// Output:
	// D2 of order 4
	// identity
	// rotation by 180°
	// reflection left-right
	// reflection top-bottom
}

// Why a chessboard without two corners of one colour has no tiling by dominoes.
func ExampleModel_Obstructions() {
	puzzle, _ := puzzlefile.Inline(".###\n####\n####\n###.", []string{"domino=any"}, "", "")
	model, _ := puzzle.Model(context.Background())
	for _, o := range model.Obstructions(context.Background()) {
		fmt.Println(o.Text)
	}
	// Output:
	// coloured like a chequerboard, the board has 6 black and 8 white cells; each domino covers 1 black and 1 white cell
}
