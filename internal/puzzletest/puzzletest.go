// Package puzzletest makes puzzles for the tests of other packages: from a
// text or from the arguments of the command line to all placements, where a
// mistake ends the test.
//
//	puzzletest.Inline(t, "2x3", "domino=any").Problem
//
// It has no puzzles of its own (package examples has) and no answers (package
// internal/facts has).
package puzzletest

import (
	"testing"

	"github.com/pavage/pavage/tiling"
)

// Parse is the model of a puzzle file's text.
func Parse(t testing.TB, text string) *tiling.Model {
	t.Helper()
	p, err := tiling.Parse(t.Name(), []byte(text))
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return model(t, p)
}

// Inline is the model of a board and its pieces, as --board and --piece have
// them.
func Inline(t testing.TB, board string, pieces ...string) *tiling.Model {
	t.Helper()
	p, err := tiling.Inline(board, pieces, "", "")
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
