package exchange_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/pavage/pavage/exchange"
	"github.com/pavage/pavage/tiling/puzzlefile"
)

// Read reads a cover in Knuth's format.
func ExampleRead() {
	text := []byte("a b c | d\na b\nb c\nc d\na d\nc\n")
	content, err := exchange.Read(context.Background(), exchange.Recognise(text), "small.dlx", text, exchange.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(content.Cover.Items), "items,", len(content.Cover.Options), "options")
	// Output: 4 items, 5 options
}

// Write writes a puzzle in Knuth's format, for other programs.
func ExampleWrite() {
	puzzle, err := puzzlefile.Inline("1x3", []string{"domino", "monomino"}, "", "")
	if err != nil {
		log.Fatal(err)
	}
	model, err := puzzle.Model(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	if err := exchange.Write(context.Background(), "dlx", os.Stdout, model); err != nil {
		log.Fatal(err)
	}
	// Output:
	// |
	// 0,0 0,1 0,2 domino monomino
	// 0,0 0,1 domino
	// 0,1 0,2 domino
	// 0,0 monomino
	// 0,1 monomino
	// 0,2 monomino
}
