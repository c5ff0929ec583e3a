package render

import (
	"bytes"
	"strings"
	"testing"

	"github.com/pavage/pavage/tiling"
	"github.com/pavage/pavage/tiling/puzzlefile"
)

// ring is a puzzle of dominoes, or of pairs of hexagons, on a board that wraps, and a tiling of it:
// the placements of these cells.
func ring(t *testing.T, w puzzlefile.Words, dominoes ...[]int) (*tiling.Puzzle, []tiling.Placement) {
	t.Helper()
	p, err := w.Puzzle()
	if err != nil {
		t.Fatal(err)
	}
	var placements []tiling.Placement
	for _, cells := range dominoes {
		placements = append(placements, tiling.Placement{Cells: cells})
	}
	return p, placements
}

// TestSeamsInText: a placement across the seam is open there, and nothing else is.
func TestSeamsInText(t *testing.T) {
	squares := puzzlefile.Words{Board: "2x3", Wrap: "moebius", Pieces: []string{"domino=3"}}
	hexagons := puzzlefile.Words{Lattice: "hexagon", Board: "2x2", Wrap: "both", Pieces: []string{"dihex=2"}}
	for _, x := range []struct {
		words    puzzlefile.Words
		dominoes [][]int
		want     string
	}{
		{squares, [][]int{{0, 5}, {1, 4}, {2, 3}}, `
┌───┬───┬───┐
┊   │   │   ┊
├───┤   ├───┤
┊   │   │   ┊
└───┴───┴───┘
`},
		{squares, [][]int{{0, 1}, {2, 5}, {3, 4}}, `
┌───────┬───┐
│       │   │
├───────┤   │
│       │   │
└───────┴───┘
`},
		{hexagons, [][]int{{0, 1}, {2, 3}}, `
 ╱ ╲ ╱ ╲
┊       ┊
 ╲ ╱ ╲ ╱ ╲
  ┊       ┊
   ╲ ╱ ╲ ╱
`},
	} {
		p, placements := ring(t, x.words, x.dominoes...)
		var b strings.Builder
		if err := Text(&b, p, placements, TextOptions{}); err != nil {
			t.Fatal(err)
		}
		var lines []string
		for line := range strings.Lines(b.String()) {
			lines = append(lines, strings.TrimRight(line, " \n"))
		}
		if got := "\n" + strings.Join(lines, "\n") + "\n"; got != x.want {
			t.Errorf("%v: got%swant%s", x.words, got, x.want)
		}
	}
}

// TestSeamsInPictures: on the bare board the borders that are glued are dashed and the others are not;
// across the seam pieces are neighbours.
func TestSeamsInPictures(t *testing.T) {
	for wrap, want := range map[string]string{
		"columns": `d="M0 0H120M0 80H120" fill="none" stroke="#1b1b24" stroke-width="3"`,
		"rows":    `d="M0 0V80M120 0V80" fill="none" stroke="#1b1b24" stroke-width="3"`,
	} {
		p, _ := ring(t, puzzlefile.Words{Board: "2x3", Wrap: wrap, Pieces: []string{"domino=3"}})
		var b bytes.Buffer
		if err := Picture(&b, p, nil, PictureOptions{}); err != nil {
			t.Fatal(err)
		}
		if got := b.String(); !strings.Contains(got, want) || strings.Count(got, "stroke-dasharray") != 1 {
			t.Errorf("wrap %s: want %s and one dashed path in\n%s", wrap, want, got)
		}
	}
	p, placements := ring(t, puzzlefile.Words{Board: "1x6", Wrap: "columns", Pieces: []string{"domino=3"}}, []int{0, 5}, []int{1, 2}, []int{3, 4})
	s, err := newScene(p, placements)
	if err != nil {
		t.Fatal(err)
	}
	if n := s.neighbours(); len(n[2]) != 2 {
		t.Errorf("the last domino has the neighbours %v, want both others", n[2])
	}
	if n := len(s.parts(0)); n != 4 {
		t.Errorf("%d parts, want 4", n)
	}
	p.Board.Wrap = tiling.Wrap(99)
	if _, err := newScene(p, nil); err == nil {
		t.Error("no error about an unknown wrap")
	}
}
