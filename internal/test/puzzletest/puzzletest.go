// Package puzzletest makes puzzles for tests, from the text of a puzzle file or from arguments as
// on the command line. An invalid puzzle ends the test.
//
//	puzzletest.Inline(t, "2x3", "domino=any").Problem
//
// [Pairs] makes random boards. The only fixed puzzle is the running example; package examples has
// others.
package puzzletest

import (
	"testing"

	"github.com/pavage/pavage/tiling"
	"github.com/pavage/pavage/tiling/puzzlefile"
)

// Parse returns the model of a puzzle file, given its text.
func Parse(t testing.TB, text string) *tiling.Model {
	t.Helper()
	p, err := puzzlefile.Parse(t.Name(), []byte(text))
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return model(t, p)
}

// Inline returns the model of a board and its pieces, given as the values of --board and --piece.
func Inline(t testing.TB, board string, pieces ...string) *tiling.Model {
	t.Helper()
	p, err := puzzlefile.Inline(board, pieces, "", "")
	if err != nil {
		t.Fatal(err)
	}
	return model(t, p)
}

func model(t testing.TB, p *tiling.Puzzle) *tiling.Model {
	t.Helper()
	m, err := p.Model(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return m
}
