package job

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/pavage/pavage/internal/testkit"
)

// TestConvertLooks: writing ends with the context, in each format.
func TestConvertLooks(t *testing.T) {
	for _, to := range Conversions() {
		board := "40x40"
		if slices.Contains([]string{"graphillion", "sapporo", "zdd", "dot", "universe"}, to) {
			board = "6x40" // a diagram is made of all tilings
		}
		r := &Convert{Puzzle: Puzzle{Board: board, Pieces: []string{"domino=any"}}, To: to}
		var whole strings.Builder
		all := testkit.AfterLooks(t, 1<<30)
		if _, err := r.Run(all, Limits{}, Watch{Output: &whole}); err != nil || all.Made() < whole.Len()/4096 {
			t.Fatalf("%s: %v, %d looks for %d bytes", to, err, all.Made(), whole.Len())
		}
		if whole.Len() < 4096 {
			continue // it is written at once
		}
		var some strings.Builder
		_, err := r.Run(testkit.AfterLooks(t, all.Made()-2), Limits{}, Watch{Output: &some})
		atOnce := slices.Contains([]string{"puzzle", "json", "universe"}, to) // read again before a byte is written, or one JSON value
		if KindOf(err) != Limit || err.Error() != "the time is up" || some.Len() == 0 && !atOnce || some.Len() >= whole.Len() {
			t.Errorf("%s: %v, and %d of %d bytes", to, err, some.Len(), whole.Len())
		}
	}
}

// TestConvertPuzzleAlone: a puzzle file in JSON is written of a puzzle whose placements are too many, or
// whose pieces lie nowhere; it is read as the same puzzle.
func TestConvertPuzzleAlone(t *testing.T) {
	for _, p := range []Puzzle{
		{Board: "1000x1000", Pieces: []string{"octominoes-of-my-own", "pentominoes=any"}},
		{Board: "1000x1000", Pieces: []string{"pentominoes=any"}},
		{Board: "1x2", Pieces: []string{"X5"}},
		{Example: "calendar", Values: map[string]string{"day": "7"}},
		{Example: "soma"},
		{Example: "queens-8"},
	} {
		var b strings.Builder
		_, err := (&Convert{Puzzle: p, To: "json"}).Run(t.Context(), Limits{Memory: 1 << 20}, Watch{Output: &b})
		want, wrong := p.Read()
		if (err == nil) != (wrong == nil) {
			t.Errorf("%+v: %v, want %v", p, err, wrong)
		}
		if err != nil {
			continue
		}
		back, err := (&Puzzle{Text: b.String()}).Read()
		if err != nil || !bytes.Equal(back.Canonical(), want.Canonical()) || back.Title != want.Title {
			t.Errorf("%+v: %v, %s", p, err, b.String())
		}
	}
}
