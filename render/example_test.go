package render_test

import (
	"bytes"
	"context"
	"fmt"
	"os"

	"github.com/pavage/pavage/render"
	"github.com/pavage/pavage/tiling"
	"github.com/pavage/pavage/tiling/puzzlefile"
)

// model is the 2x3 board with dominoes.
func model() *tiling.Model {
	puzzle, err := puzzlefile.Inline("2x3", []string{"domino=any"}, "", "")
	if err != nil {
		panic(err)
	}
	m, err := puzzle.Model(context.Background())
	if err != nil {
		panic(err)
	}
	return m
}

// A tiling as text, each placement with the letter of its piece.
func ExampleText() {
	m := model()
	tiling := []tiling.Placement{m.Placements[0], m.Placements[2], m.Placements[6]}
	if err := render.Text(os.Stdout, m.Puzzle, tiling, render.TextOptions{Letters: true}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// ┌───────┬───┐
	// │   d   │   │
	// ├───────┤ d │
	// │   d   │   │
	// └───────┴───┘
}

// A tiling as an SVG picture.
func ExamplePicture() {
	m := model()
	tiling := []tiling.Placement{m.Placements[4], m.Placements[1], m.Placements[3]}
	var picture bytes.Buffer
	if err := render.Picture(&picture, m.Puzzle, tiling, render.PictureOptions{Cell: 20}); err != nil {
		fmt.Println(err)
	}
	fmt.Printf("%.85s…\n", picture.String())
	// Output:
	// <svg xmlns="http://www.w3.org/2000/svg" width="70" height="50" viewBox="0 0 70 50" ro…
}

// Writes two tilings in a format that is chosen by its name.
func ExampleFormatOf() {
	m := model()
	format := render.FormatOf("json")
	out := format.Begin(os.Stdout, m.Puzzle, render.Options{})
	for _, options := range [][]int{{0, 2, 6}, {4, 1, 3}} {
		var t render.Tiling
		for _, o := range options {
			t.Placements = append(t.Placements, m.Placements[o])
		}
		if err := out.Add(t); err != nil {
			fmt.Println(err)
		}
	}
	fmt.Println(format.MediaType, out.Close())
	// Output:
	// {"placements":[{"piece":"domino","cells":[[0,0],[0,1]]},{"piece":"domino","cells":[[1,0],[1,1]]},{"piece":"domino","cells":[[0,2],[1,2]]}]}
	// {"placements":[{"piece":"domino","cells":[[0,0],[1,0]]},{"piece":"domino","cells":[[0,1],[0,2]]},{"piece":"domino","cells":[[1,1],[1,2]]}]}
	// application/jsonl <nil>
}
