package puzzlefile

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/pavage/pavage/tiling"
)

func TestBadInline(t *testing.T) {
	for _, c := range []struct {
		board          string
		pieces         []string
		cover, motions string
		want           string
	}{
		{"0x8", []string{"O4"}, "", "", `board: bad side "0" in size "0x8", expected a side of 1..4096`},
		{"8x8", nil, "", "", "pieces: the puzzle has no pieces, expected at least one piece"},
		{"8x8", []string{"O4=5..2"}, "", "", `piece "O4=5..2": the range "5..2" runs backwards, expected 2..5`},
		{"8x8", []string{"O4", "O4=any"}, "", "", `piece "O4=any": two pieces have the name "O4", expected different names, or one piece with several copies`},
		{"8x8", []string{"Q"}, "", "", `piece "Q": unknown piece "Q", ` + names},
		{"8x8", []string{""}, "", "", `piece "": the piece has no name, expected a name such as domino or O4, or the name of a set such as pentominoes`},
		{"8x8", []string{"O4"}, "some", "", `cover: unknown cover "some", expected exact or at-most`},
		{"8x8", []string{"O4"}, "", "some", `motions: unknown motions "some", expected free, one-sided or fixed`},
	} {
		_, err := Inline(c.board, c.pieces, c.cover, c.motions)
		if err == nil || err.Error() != c.want || !errors.Is(err, tiling.ErrPuzzle) {
			t.Errorf("%v:\n got %v\nwant %s", c, err, c.want)
		}
	}
}

// TestInlineShapes: an argument may be a shape in place of a name.
func TestInlineShapes(t *testing.T) {
	for arg, want := range map[string]string{
		"##/#.=any": "XX/X. 3 0",
		"#/#":       "X/X 2 1",
		"2x3=1..4":  "2x3 6 1",
		"1x2":       "1x2 2 1",
	} {
		p, err := Inline("4x4", []string{arg}, "", "")
		if err != nil {
			t.Errorf("%s: %v", arg, err)
			continue
		}
		piece := p.Pieces[0]
		if got := fmt.Sprint(piece.Name, " ", len(piece.Shape), " ", piece.Min); got != want {
			t.Errorf("%s: %s, want %s", arg, got, want)
		}
	}
	for arg, want := range map[string]string{
		"8y8":  "unknown piece",
		"2xx3": "bad side",
		"#?#":  "unknown piece",
		"#//#": "one layer",
	} {
		if _, err := Inline("4x4", []string{arg}, "", ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want an error with %q", arg, err, want)
		}
	}
}
