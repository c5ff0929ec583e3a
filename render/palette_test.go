package render

import (
	"fmt"
	"math"
	"testing"

	"github.com/pavage/pavage/render/pen"
)

// leastApart is the least distance of any two colours, as eyes see them.
func leastApart(colours []pen.Colour, sees func(pen.Colour) pen.Lab) float64 {
	least := math.Inf(1)
	for i, a := range colours {
		for _, b := range colours[:i] {
			least = min(least, sees(a).Distance(sees(b)))
		}
	}
	return least
}

// TestPalette measures what the comment of hues promises, also of eyes without one kind
// of cones.
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
		for k, sees := range []func(pen.Colour) pen.Lab{pen.Colour.OKLab, pen.Protanopia.Sees, pen.Deuteranopia.Sees, pen.Tritanopia.Sees} {
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
	if got := leastApart(hues[:], pen.Colour.OKLab); got < apart {
		t.Errorf("hues %.3f apart: neighbours are to be %.3f", got, apart)
	}
}

// TestColourOf: the pieces of the sets that there are have colours of their own.
func TestColourOf(t *testing.T) {
	for _, set := range []struct {
		board, pieces string
		hues          bool // and not only tones
	}{
		{"8x8", "pentominoes", true},
		{"8x8", "tetrominoes", true},
		{"8x8", "one-sided-pentominoes", false},
		{"8x8", "hexominoes", false},
		{"3x3x3", "soma", true},
		{"4x4x4", "bedlam", true},
		{"4x4x4", "solid-pentominoes", false},
	} {
		p := inline(t, set.board, set.pieces)
		met := make(map[int]string)
		for _, piece := range p.Pieces {
			number := colourNumber(piece.Name)
			if set.hues && number >= len(hues) && set.pieces != "tetrominoes" {
				t.Errorf("%s has no hue but a tone", piece.Name)
			}
			if other, twice := met[number]; twice {
				t.Errorf("%s: %s and %s have one colour", set.pieces, other, piece.Name)
			}
			met[number] = piece.Name
		}
	}
	for _, list := range words {
		met := make(map[int]bool)
		for _, word := range list {
			if number := colourNumber(word); met[number] || number >= len(hues) || number == colourNumber(word+"m") {
				t.Errorf("%s: number %d is another's, no hue, or that of its mirror image", word, number)
			}
			met[colourNumber(word)] = true
		}
	}
	for _, name := range []string{"", "m", "5", "-", "99999999999999999999", "x1000000000", "é", "\x00", "a-\xff", "F5mm", "-5m"} {
		if n := colourNumber(name); n < 0 || n >= len(hues)*len(tones) {
			t.Errorf("%q has the number %d", name, n)
		}
	}
}
