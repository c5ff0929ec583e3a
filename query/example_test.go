package query_test

import (
	"context"
	"fmt"
	"log"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/query"
	"github.com/pavage/pavage/tiling/puzzlefile"
)

// Counts the domino tilings of the 4x4 board that have a domino on the first two cells: half of all
// 36 tilings.
func Example() {
	ctx := context.Background()
	puzzle, err := puzzlefile.Inline("4x4", []string{"domino=any"}, "", "")
	if err != nil {
		log.Fatal(err)
	}
	model, err := puzzle.Model(ctx)
	if err != nil {
		log.Fatal(err)
	}
	bound, err := query.Of(model).Bound(query.With, "domino@0,0/0,1")
	if err != nil {
		log.Fatal(err)
	}
	kept, err := model.WithBounds(ctx, []cover.Bound{bound})
	if err != nil {
		log.Fatal(err)
	}
	r, err := count.Count(ctx, kept.Problem, count.Auto, count.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Count)
	// Output: 18
}
