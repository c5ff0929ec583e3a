package render

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/pavage/pavage/render/pen"
	"github.com/pavage/pavage/tiling"
	"github.com/pavage/pavage/tiling/puzzlefile"
)

// leastApart returns the least distance of any two colours in a vision.
func leastApart(colours []pen.Colour, sees func(pen.Colour) pen.Lab) float64 {
	least := math.Inf(1)
	for i, a := range colours {
		for _, b := range colours[:i] {
			least = min(least, sees(a).Distance(sees(b)))
		}
	}
	return least
}

// TestPalette measures the distances that the comment of hues states.
func TestPalette(t *testing.T) {
	for _, c := range []struct {
		first int
		want  [4]float64
	}{
		{4, [4]float64{0.252, 0.231, 0.254, 0.200}},
		{8, [4]float64{0.146, 0.105, 0.119, 0.110}},
		{12, [4]float64{0.127, 0.100, 0.100, 0.099}},
		{len(hues), [4]float64{0.124, 0.095, 0.093, 0.095}},
	} {
		for k, vision := range pen.Visions {
			sees := vision.Sees
			if got := leastApart(hues[:c.first], sees); fmt.Sprintf("%.3f", got) != fmt.Sprintf("%.3f", c.want[k]) {
				t.Errorf("the first %d hues are %.3f apart, in column %d of the comment %.3f", c.first, got, k+1, c.want[k])
			}
			if got := leastApart([]pen.Colour{{0x80, 0x80, 0x80}, {0x9e, 0x9e, 0x9e}}, sees); math.Abs(got-0.1) > 0.005 {
				t.Errorf("the greys of the comment are %.3f apart", got)
			}
			for _, h := range hues {
				if got := sees(h).Distance(sees(bare)); got < 0.07 {
					t.Errorf("%s is %.3f from empty cells", h.Hex(), got)
				}
			}
		}
	}
}

// own makes a puzzle of bars with these names, some with a color: Q1 Q2=red.
func own(t *testing.T, names ...string) *tiling.Puzzle {
	t.Helper()
	text := "board: 64x64\ncover: at-most\npieces:\n"
	for k, name := range names {
		name, color, given := strings.Cut(name, "=")
		text += fmt.Sprintf("  - {name: %q, box: 1x%d", name, k+1)
		if given {
			text += fmt.Sprintf(", color: %q", color)
		}
		text += "}\n"
	}
	p, err := puzzlefile.Parse("own", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// numberedNames are Q1, Q2, ….
func numberedNames(letter string, n int) (names []string) {
	for k := range n {
		names = append(names, fmt.Sprint(letter, k+1))
	}
	return names
}

// TestPieceColours: the first sixteen pieces of a puzzle have distinguishable colours in every vision,
// whatever their names. A color of the file is kept, automatic colours near to it are replaced, and all
// other automatic colours stay.
func TestPieceColours(t *testing.T) {
	for name, p := range map[string]*tiling.Puzzle{
		"Q1 to Q13":   own(t, numberedNames("Q", 13)...),
		"P1 to P40":   own(t, numberedNames("P", 40)...),
		"alike":       own(t, "F5", "F6", "f", "Fm", "soma-F", "F5m", "own-F", "é", "F"),
		"a hue":       own(t, "Q1=#ab2005", "Q2", "Q3", "Q4", "Q5"),
		"near a hue":  own(t, "Q1", "Q2=#3a86f6", "Q3", "Q4=black", "Q5=#0F8"),
		"all of one":  own(t, "Q1=red"),
		"pentominoes": inline(t, "8x8", "pentominoes", "O4"),
		"two sets":    inline(t, "8x8", "tetrominoes", "pentominoes"),
		"one-sided":   inline(t, "9x10", "one-sided-pentominoes"),
		"Soma":        inline(t, "3x3x3", "soma"),
		"Bedlam":      inline(t, "4x4x4", "bedlam"),
		"60 pieces":   inline(t, "8x8", "one-sided-hexominoes"),
	} {
		colours := PieceColours(p)
		for _, vision := range pen.Visions {
			if got := leastApart(colours[:min(len(colours), 16)], vision.Sees); got < 0.09 {
				t.Errorf("%s: two pieces are %.3f apart", name, got)
			}
		}
		for k, piece := range p.Pieces {
			if piece.Color != "" && colours[k].Hex() != piece.Color {
				t.Errorf("%s: piece %s is %s, want %s", name, piece.Name, colours[k].Hex(), piece.Color)
			}
		}
	}
	plain, given := PieceColours(own(t, numberedNames("Q", 16)...)), PieceColours(own(t, "Q1", "Q2", "Q3=#3a86f6", "Q4"))
	if given[0] == plain[0] || given[1] != plain[1] || given[3] != plain[3] {
		t.Errorf("colours %v beside #3a86f6, and %v without it", given, plain[:4])
	}
}

// TestGivenColours: a single piece has its color, and with --color-by copy neighbours have different
// colours.
func TestGivenColours(t *testing.T) {
	p, err := puzzlefile.Parse("p", []byte("{board: 2x2, pieces: [{name: domino, copies: any, color: '#8e3088'}]}"))
	if err != nil {
		t.Fatal(err)
	}
	s, err := newScene(p, []tiling.Placement{{Cells: []int{0, 1}}, {Cells: []int{2, 3}}})
	if err != nil {
		t.Fatal(err)
	}
	if c := s.paint(""); c[0].Hex() != "#8e3088" || c[1] != c[0] {
		t.Errorf("by default %v, want twice #8e3088", c)
	}
	if c := s.paint(byCopy); c[0] == c[1] {
		t.Errorf("by copy twice %v", c[0])
	}
}

// TestUsualColours: copies of the only piece have colours of their own, or their kinds on a large board.
func TestUsualColours(t *testing.T) {
	for board, want := range map[string]ColorBy{"128x128": byCopy, "128x130": byKind} {
		p := inline(t, board, "domino=any")
		var placements []tiling.Placement
		for k := 0; k < len(p.Board.Cells); k += 2 {
			placements = append(placements, tiling.Placement{Cells: []int{k, k + 1}})
		}
		s, err := newScene(p, placements)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(s.paint(""), s.paint(want)) {
			t.Errorf("%s: the usual colours are not those by %s", board, want)
		}
		p.Pieces[0].Color = "#ab2005"
		if got := s.paint(""); got[0].Hex() != "#ab2005" {
			t.Errorf("%s: a placement of a piece with a colour is %s", board, got[0].Hex())
		}
	}
}
