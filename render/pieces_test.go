package render

import (
	"bytes"
	"io"
	"testing"

	"github.com/pavage/pavage/render/pen"
	"github.com/pavage/pavage/tiling"
	"github.com/pavage/pavage/tiling/puzzlefile"
)

func inline(t *testing.T, board string, pieces ...string) *tiling.Puzzle {
	t.Helper()
	p, err := puzzlefile.Inline(board, pieces, "", "")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestPieces compares pictures of pieces, and of boards with their pieces, with the files
// that hold them.
func TestPieces(t *testing.T) {
	flat := inline(t, "5x8", "pentominoes=0..1", "domino=any", "O4")
	solid := inline(t, "3x3x3", "soma")
	for _, c := range []struct {
		name string
		draw func(io.Writer) error
	}{
		{"pieces-flat.svg", func(w io.Writer) error { return Overview(w, flat, PictureOptions{}) }},
		{"pieces-solid.svg", func(w io.Writer) error { return Overview(w, solid, PictureOptions{Cell: 20}) }},
		{"piece-flat.svg", func(w io.Writer) error { return Piece(w, flat, 0, PictureOptions{Label: letterLabels}) }},
		{"piece-solid.svg", func(w io.Writer) error { return Piece(w, solid, 0, PictureOptions{}) }},
		{"piece-one.svg", func(w io.Writer) error { return Piece(w, flat, 13, PictureOptions{}) }},
	} {
		var got bytes.Buffer
		if err := c.draw(&got); err != nil {
			t.Fatal(err)
		}
		checkSVG(t, got.Bytes())
		golden(t, c.name, got.Bytes())
	}
	var board, bare bytes.Buffer
	if err := Picture(&board, solid, nil, PictureOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := Picture(&bare, solid, nil, PictureOptions{}); err != nil || board.String() != bare.String() {
		t.Errorf("a board alone is not what a tiling without placements is: %v", err)
	}
}

// TestArrange: figures do not overlap and keep within the size that Arrange returns.
func TestArrange(t *testing.T) {
	p := inline(t, "4x4x4", "bedlam")
	d := newDrawing(io.Discard, PictureOptions{Format: pen.SVG, Cell: 40}, p.Pieces)
	var all []figure
	for k, piece := range p.Pieces {
		f, err := d.figureOf(p, k, piece, "a caption that is wider than its piece")
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, f)
	}
	for n := 1; n <= len(all); n++ {
		width, height := d.arrange(all[:n], 100)
		for k, f := range all[:n] {
			if f.x < 0 || f.y < 0 || f.x+f.width > width+1 || f.y+f.height > height+1 {
				t.Errorf("figure %d of %d lies outside of %vx%v: %v, %v", k, n, width, height, f.x, f.y)
			}
			for _, g := range all[:k] {
				if f.x < g.x+g.width && g.x < f.x+f.width && f.y < g.y+g.height && g.y < f.y+f.height {
					t.Errorf("figure %d of %d lies over another", k, n)
				}
			}
		}
	}
}

// TestPiecesThatCannotBeDrawn: a clear error, and nothing is written.
func TestPiecesThatCannotBeDrawn(t *testing.T) {
	good := inline(t, "2x3", "domino=any")
	bad := puzzle("", board("### ###"), "domino") // without a lattice
	var out bytes.Buffer
	wantInvalid(t, Piece(&out, nil, 0, PictureOptions{}), "no piece with the number 0")
	wantInvalid(t, Piece(&out, good, 1, PictureOptions{}), "no piece with the number 1")
	wantInvalid(t, Piece(&out, good, -1, PictureOptions{}), "no piece with the number -1")
	wantInvalid(t, Piece(&out, good, 0, PictureOptions{Cell: -1}), "sides of a cell have -1 pixels")
	wantInvalid(t, Piece(&out, bad, 0, PictureOptions{}), "no lattice")
	wantInvalid(t, Overview(&out, bad, PictureOptions{}), "no lattice")
	wantInvalid(t, Overview(&out, &tiling.Puzzle{}, PictureOptions{}), "the puzzle has no board")
	if out.Len() > 0 {
		t.Errorf("%d bytes were written", out.Len())
	}
}
