package puzzlefile_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/pavage/pavage/tiling"
	"github.com/pavage/pavage/tiling/puzzlefile"
)

// Reads a puzzle file, and makes its exact cover. It has an item for each cell and for the piece,
// and an option for each placement.
func ExampleParse() {
	puzzle, err := puzzlefile.Parse("dominoes.yaml", []byte(`
title: The 2x3 board with dominoes
board: 2x3
pieces:
  - {name: domino, copies: any}
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	model, err := puzzle.Model(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(puzzle.Board.Cells), "cells,", len(model.Problem.Items), "items")
	for i, p := range model.Placements {
		fmt.Print(puzzle.Pieces[p.Piece].Name, " on cells ", p.Cells, ", option ", i, "\n")
	}
	// Output:
	// 6 cells, 7 items
	// domino on cells [0 1], option 0
	// domino on cells [1 2], option 1
	// domino on cells [3 4], option 2
	// domino on cells [4 5], option 3
	// domino on cells [0 3], option 4
	// domino on cells [1 4], option 5
	// domino on cells [2 5], option 6
}

// An error in a file is reported with its line and column.
func ExampleParse_mistake() {
	_, err := puzzlefile.Parse("puzzle.yaml", []byte("board: 2x3\npieces: [dominoes]\n"))
	fmt.Println(errors.Is(err, tiling.ErrPuzzle), err)
	// Output:
	// true puzzle.yaml:2:10: unknown piece "dominoes", did you mean domino?
}

// Inline makes a puzzle from arguments as on the command line.
func ExampleInline() {
	puzzle, err := puzzlefile.Inline("4x4", []string{"tetrominoes=any"}, "", "")
	fmt.Println(len(puzzle.Pieces), "pieces,", err)
	// Output:
	// 5 pieces, <nil>
}
