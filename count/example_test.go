package count_test

import (
	"context"
	"fmt"
	"log"
	"math/big"
	"os"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/render"
	"github.com/pavage/pavage/sample"
	"github.com/pavage/pavage/tiling"
	"github.com/pavage/pavage/tiling/puzzlefile"
)

// model is 2x3 with dominoes, which has three tilings:
//
//	a b c     ab c     a bc     a b c
//	d e f     de f     d ef     d e f
func model() *tiling.Model {
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

// A program that reads a puzzle, counts its tilings, draws one and prints it.
func Example() {
	ctx := context.Background()
	check := func(err error) {
		if err != nil {
			log.Fatal(err)
		}
	}
	puzzle, err := puzzlefile.Parse("dominoes.yaml", []byte("board: 4x5\npieces: [{name: domino, copies: any}]"))
	check(err)
	model, err := puzzle.Model(ctx)
	check(err)
	all, err := count.Count(ctx, model.Problem, count.Auto, count.Options{})
	check(err)
	fmt.Println(all.Count, "tilings, one of them:")
	source, err := sample.From(ctx, model.Problem, sample.Request{}, count.Options{})
	check(err)
	for draw, err := range source.Draws(ctx, sample.Seeded(1), 1) {
		check(err)
		check(render.Text(os.Stdout, puzzle, model.Tiling(draw.Options), render.TextOptions{}))
	}
	// Output:
	// 95 tilings, one of them:
	// ┌───────┬───┬───┬───┐
	// │       │   │   │   │
	// ├───────┤   │   │   │
	// │       │   │   │   │
	// ├───┬───┼───┼───┴───┤
	// │   │   │   │       │
	// │   │   │   ├───────┤
	// │   │   │   │       │
	// └───┴───┴───┴───────┘
}

func ExampleCount() {
	r, err := count.Count(context.Background(), model().Problem, count.Auto, count.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Count, "tilings, counted by the engine", r.Engine)
	// Output: 3 tilings, counted by the engine sweep
}

// A problem need not come from a puzzle: here are four items, of which the last may
// stay uncovered, and five options.
func ExampleCount_cover() {
	p := &cover.Problem{
		Items: []cover.Item{{Min: 1, Max: 1}, {Min: 1, Max: 1}, {Min: 1, Max: 1}, {Min: 0, Max: 1}},
		Options: []cover.Option{
			{{Item: 0, Times: 1}, {Item: 1, Times: 1}},
			{{Item: 1, Times: 1}, {Item: 2, Times: 1}},
			{{Item: 2, Times: 1}, {Item: 3, Times: 1}},
			{{Item: 0, Times: 1}, {Item: 3, Times: 1}},
			{{Item: 2, Times: 1}},
		},
	}
	r, err := count.Count(context.Background(), p, count.Search, count.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Count)
	// Output: 3
}

// Up to the symmetries of the board there are two tilings: the tiling with three standing
// dominoes, and the two others, which mirror each other.
func ExampleDistinct() {
	m := model()
	group := m.Group(true) // with reflections
	r, err := count.Distinct(context.Background(), m.Problem, group.Symmetries(), count.Auto, count.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Total.Count, "tilings,", r.Count, "up to symmetry")
	// Output: 3 tilings, 2 up to symmetry
}

func ExampleEach() {
	m := model()
	err := count.Each(context.Background(), m.Problem, count.Listing{}, func(options []int) bool {
		var cells [][]int
		for _, o := range options {
			cells = append(cells, m.Placements[o].Cells)
		}
		fmt.Println(cells)
		return true // go on
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// [[0 1] [3 4] [2 5]]
	// [[1 2] [4 5] [0 3]]
	// [[0 3] [1 4] [2 5]]
}

func ExampleCompile() {
	c, err := count.Compile(context.Background(), model().Problem, count.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(c.Result.Count, "sets of options in a diagram of", c.Diagram.Size(), "nodes")
	// Output: 3 sets of options in a diagram of 9 nodes
}

// Limits bounds the threads and the memory of a count, and Watch receives its progress.
func ExampleOptions() {
	last := count.Progress{}
	o := count.Options{
		Limits: count.Limits{Threads: 2, Memory: 1 << 30},
		Watch:  count.Watch{Progress: func(p count.Progress) { last = p }},
	}
	if _, err := count.Count(context.Background(), model().Problem, count.Sweep, o); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.0f%%, %d %s\n", 100*last.Fraction, last.Done, last.Unit)
	// Output: 100%, 11 states
}

// Solve returns all solutions without listing them: a Set knows their count, the solution of each
// rank, and the number of solutions that have each option.
func ExampleSolve() {
	ctx := context.Background()
	all, why, err := count.Solve(ctx, model().Problem, count.ForRanks, count.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(all.Count(), "solutions by the engine", all.Report().Engine, "since", why)
	last, err := count.At(ctx, all, big.NewInt(2))
	if err != nil {
		log.Fatal(err)
	}
	marginals, err := all.Marginals(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("the last one:", last, "option 0 is in", marginals.Of[0].RatString())
	// Output:
	// 3 solutions by the engine diagram since the sweep has only 11 states
	// the last one: [0 2 6] option 0 is in 1
}
