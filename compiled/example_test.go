package compiled_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"math/big"

	"github.com/pavage/pavage/compiled"
	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
)

// A file holds a compiled diagram. The opened file is a count.Set.
func Example() {
	ctx := context.Background()
	problem := &cover.Problem{
		Items:   []cover.Item{{Min: 1, Max: 1}, {Min: 1, Max: 1}},
		Options: []cover.Option{{{Item: 0, Times: 1}, {Item: 1, Times: 1}}, {{Item: 0, Times: 1}}, {{Item: 1, Times: 1}}},
	}
	diagram, err := count.Compile(ctx, problem, count.Options{})
	if err != nil {
		log.Fatal(err)
	}
	var file bytes.Buffer
	about := &compiled.About{Title: "two items", Options: len(problem.Options), Digest: compiled.Digest(problem)}
	if err := compiled.Write(ctx, &file, about, diagram); err != nil {
		log.Fatal(err)
	}
	read, err := compiled.FromBytes(ctx, file.Bytes())
	if err != nil {
		log.Fatal(err)
	}
	solution, err := count.At(ctx, read, big.NewInt(1))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(read.Title, read.Count(), solution)
	// Output:
	// two items 2 [0]
}
