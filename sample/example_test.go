package sample_test

import (
	"context"
	"fmt"
	"log"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/sample"
	"github.com/pavage/pavage/tiling"
	"github.com/pavage/pavage/tiling/puzzlefile"
)

// twoByThree is 2x3 with dominoes, which has three tilings.
func twoByThree() *tiling.Model {
	puzzle, err := puzzlefile.Inline("2x3", []string{"domino=any"}, "", "")
	if err != nil {
		log.Fatal(err)
	}
	m, err := puzzle.Model(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	return m
}

// Draws five tilings. Each of the three tilings is equally likely. The same seed draws the same
// tilings on every machine.
func ExampleFrom() {
	ctx := context.Background()
	s, err := sample.From(ctx, twoByThree().Problem, sample.Request{}, count.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("from", s.Count(), "tilings:")
	for d, err := range s.Draws(ctx, sample.Seeded(7), 5) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println("rank", d.Rank, "options", d.Options)
	}
	// Output:
	// from 3 tilings:
	// rank 2 options [0 2 6]
	// rank 2 options [0 2 6]
	// rank 1 options [4 1 3]
	// rank 0 options [4 5 6]
	// rank 2 options [0 2 6]
}
