package job

import (
	"errors"
	"testing"

	"github.com/pavage/pavage/cover"
)

// The part of a file that meets conditions is made beside the whole family, and both need memory.
func TestConditionsOfAFileKeepTheMemoryLimit(t *testing.T) {
	folder := t.TempDir()
	board := Puzzle{Board: "7x7", Pieces: []string{"domino=any", "I3=any", "L3=any"}}
	with := Conditions{With: []string{"0,0=domino"}}
	whole, _ := compiledTo(t, folder, "whole.pavage", &Compile{Puzzle: board}, Watch{})
	part, _ := compiledTo(t, folder, "part.pavage", &Compile{Puzzle: board, Conditions: with}, Watch{})
	bytes := func(p Puzzle) int64 {
		c, err := p.opened.Load(t.Context(), &cover.Problem{}, 0)
		if err != nil {
			t.Fatal(err)
		}
		return c.Result.Bytes
	}
	most := bytes(whole) + 4*bytes(part)
	if _, err := Do(t.Context(), &Count{Puzzle: whole, Conditions: with}, Limits{Memory: most}, Watch{}); err != nil {
		t.Errorf("%d bytes: %v", most, err)
	}
	// While the part is built, it needs more than twice its final size.
	little := bytes(whole) + 2*bytes(part)
	if _, err := Do(t.Context(), &Count{Puzzle: whole, Conditions: with}, Limits{Memory: little}, Watch{}); !errors.Is(err, cover.ErrMemory) {
		t.Errorf("%d bytes: %v, want an error about memory", little, err)
	}
}
