package job_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/render"
	"github.com/pavage/pavage/tiling"
)

// Counts the domino tilings of the chessboard, and draws a picture of a random domino tiling of a
// smaller board.
func ExampleSample() {
	ctx, limits := context.Background(), job.Resolve(0, 0, "") // three quarters of the free memory, all cores
	chessboard := job.Puzzle{Board: "8x8", Pieces: []string{"domino=any"}}
	counted, err := job.Do(ctx, &job.Count{Puzzle: chessboard}, limits, job.Watch{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(counted.Count, "tilings of the chessboard")

	var puzzle *tiling.Puzzle
	watch := job.Watch{
		Begin: func(p *tiling.Puzzle) error { puzzle = p; return nil },
		Tiling: func(t render.Tiling) error {
			return render.Text(os.Stdout, puzzle, t.Placements, render.TextOptions{Letters: true})
		},
	}
	seed := job.Whole(1)
	small := job.Puzzle{Board: "2x3", Pieces: []string{"domino=any"}}
	sampled, err := job.Do(ctx, &job.Sample{Puzzle: small, Number: 1, Seed: &seed}, limits, watch)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("one of", sampled.Count)
	// Output:
	// 12988816 tilings of the chessboard
	// ┌───┬───────┐
	// │   │   d   │
	// │ d ├───────┤
	// │   │   d   │
	// └───┴───────┘
	// one of 3
}

// The kind of an error decides how the caller handles it.
func ExampleKindOf() {
	ctx := context.Background()
	puzzle := job.Puzzle{Board: "16x16", Pieces: []string{"tetrominoes=any"}}
	_, err := job.Do(ctx, &job.Count{Puzzle: puzzle, Engine: "fast"}, job.Limits{}, job.Watch{})
	fmt.Println(job.KindOf(err) == job.BadInput, err)
	_, err = job.Do(ctx, &job.Count{Puzzle: puzzle}, job.Limits{Memory: 1 << 20}, job.Watch{})
	fmt.Println(job.KindOf(err) == job.Limit, errors.Is(err, cover.ErrMemory))
	// Output:
	// true engine is "fast", expected auto, sweep, search, diagram, dimer or sat
	// true true
}
