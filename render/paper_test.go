package render

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"

	"github.com/pavage/pavage/render/pen"
	"github.com/pavage/pavage/tiling"
)

// flatLattices are all lattices of the plane.
var flatLattices = []*tiling.Lattice{tiling.Square, tiling.Hexagon, tiling.Triangle}

// strips are a board of 3 rows and 4 columns of a lattice, and a piece for each of its rows.
func strips(l *tiling.Lattice) (*tiling.Puzzle, []tiling.Placement) {
	p := puzzle("", tiling.NewBoard(l, [3]int{1, 3, 4}), "first", "second", "third")
	var placements []tiling.Placement
	for row := range 3 {
		placement := tiling.Placement{Piece: row}
		for column := range 4 {
			placement.Cells = append(placement.Cells, 4*row+column)
		}
		placements = append(placements, placement)
		p.Pieces[row].Lattice, p.Pieces[row].Max = l, row+1
		p.Pieces[row].Shape = l.Shape(p.Board.Cells[4*row : 4*row+4]...)
	}
	return p, placements
}

// TestPNGOfLattices: on every lattice the middle of each cell has the colour of its piece.
func TestPNGOfLattices(t *testing.T) {
	for _, l := range flatLattices {
		p, placements := strips(l)
		var out bytes.Buffer
		if err := Picture(&out, p, placements, PictureOptions{Format: pen.PNG, Cell: 24}); err != nil {
			t.Fatal(err)
		}
		picture, err := png.Decode(&out)
		if err != nil {
			t.Fatal(err)
		}
		s, err := newScene(p, placements)
		if err != nil {
			t.Fatal(err)
		}
		d := &drawing{side: 24}
		f := d.frameOf(s)
		if size := picture.Bounds().Size(); size != image.Pt(ceil(f.width)+12, ceil(f.height)+12) {
			t.Errorf("%v: %v pixels for %vx%v", l, size, f.width, f.height)
		}
		x, y := d.scale(s)
		for i, c := range p.Board.Cells {
			m := middle(l.Outline(c))
			at := image.Pt(int(float64(m.x)*x/fine+f.origin[0]+6), int(float64(m.y)*y/fine+f.origin[1]+6))
			want := PieceColours(p)[i/4]
			if got := picture.At(at.X, at.Y); got != (color.RGBA{uint8(want[0]), uint8(want[1]), uint8(want[2]), 255}) {
				t.Errorf("%v: cell %v is %v, want %s", l, c, got, want.Hex())
			}
		}
	}
}

func ceil(v float64) int { return int(v + 0.995) }

// TestCutouts: on every lattice everything is on paper, nothing over another thing, and each
// piece as often as it has copies.
func TestCutouts(t *testing.T) {
	for _, l := range flatLattices {
		for _, cell := range []int{0, 5} {
			p, _ := strips(l)
			c, err := NewCutouts(p, a4, PictureOptions{Cell: cell})
			if err != nil {
				t.Fatal(err)
			}
			if cell > 0 && c.side != float64(cell) || cell == 0 && (c.side > handyCell || c.side < 15) {
				t.Errorf("%v: cells of %v mm", l, c.side)
			}
			things := 0
			for page, all := range c.pages {
				for k, thing := range all {
					things++
					right, bottom := thing.x+thing.frame.width, thing.y+thing.frame.height
					if thing.x < paperMargin || thing.y < paperMargin || right > 210-paperMargin+0.1 || bottom > 297-paperMargin+0.1 {
						t.Errorf("%v: thing %d of page %d is at %v, %v to %v, %v", l, k, page, thing.x, thing.y, right, bottom)
					}
					for _, other := range all[:k] {
						if thing.x < other.x+other.frame.width && other.x < right && thing.y < other.y+other.frame.height && other.y < bottom {
							t.Errorf("%v: thing %d of page %d lies over another", l, k, page)
						}
					}
				}
				var out bytes.Buffer
				if err := c.Write(&out, page); err != nil {
					t.Fatal(err)
				}
				checkSVG(t, out.Bytes())
				if !strings.Contains(out.String(), `width="210mm" height="297mm"`) {
					t.Errorf("not in millimetres: %.200s", &out)
				}
			}
			if want := 1 + 1 + 2 + 3; things != want {
				t.Errorf("%v: %d things, want %d", l, things, want)
			}
		}
	}
}

// TestCutoutsThatCannotBe: a clear error.
func TestCutoutsThatCannotBe(t *testing.T) {
	errorOf := func(p *tiling.Puzzle, paper Paper, cell int) error {
		_, err := NewCutouts(p, paper, PictureOptions{Cell: cell})
		return err
	}
	good := inline(t, "6x10", "pentominoes")
	wantInvalid(t, errorOf(good, "a5", 0), `paper is "a5"`)
	wantInvalid(t, errorOf(good, a4, 20), "cells with sides of 20 mm do not fit on the paper, expected cells of at most 19.0 mm")
	wantInvalid(t, errorOf(good, a4, 1), "expected cells of at least 2 mm")
	wantInvalid(t, errorOf(inline(t, "1x1000", "domino"), a4, 0), "expected cells of at least 2 mm")
	wantInvalid(t, errorOf(inline(t, "64x64", "monomino=any"), a4, 0), "too many pieces")
	wantInvalid(t, errorOf(inline(t, "3x3x3", "soma"), letterPaper, 0), "the puzzle is solid, but only flat puzzles can be cut out of paper")
	wantInvalid(t, errorOf(nil, a4, 0), "no board")
	if c, err := NewCutouts(inline(t, "4x4", "domino=any"), letterPaper, PictureOptions{}); err != nil || len(c.pages[0]) != 1+8 {
		t.Errorf("%v, want a board and eight dominoes", err)
	}
}

// TestChoices: what there is not is an error, and nothing is written.
func TestChoices(t *testing.T) {
	p, placements := strips(tiling.Square)
	var out bytes.Buffer
	wantInvalid(t, Picture(&out, p, placements, PictureOptions{Label: "long"}), `label is "long"`)
	wantInvalid(t, Picture(&out, p, placements, PictureOptions{ColorBy: "size"}), `colours is "size"`)
	wantInvalid(t, Picture(&out, p, placements, PictureOptions{Format: pen.PNG, Pixels: 100, Cell: 40}), "too large")
	wantInvalid(t, Overview(&out, p, PictureOptions{Format: pen.PNG, Pixels: 100, Cell: 40}), "too large")
	wantInvalid(t, Sheet(&out, p, [][]tiling.Placement{placements}, PictureOptions{Format: pen.PNG, Pixels: 100, Cell: 40}), "too large")
	wantInvalid(t, Piece(&out, p, 0, PictureOptions{Format: pen.PNG, Pixels: 100, Cell: 40}), "too large")
	if out.Len() > 0 {
		t.Errorf("%d bytes were written", out.Len())
	}
	for by, want := range map[ColorBy]int{"": 3, byPiece: 3, byCopy: 3, byOrientation: 3, byKind: 3, byNothing: 1} {
		s, err := newScene(p, placements)
		if err != nil {
			t.Fatal(err)
		}
		met := make(map[pen.Colour]bool)
		for _, c := range s.paint(by) {
			met[c] = true
		}
		if len(met) != want {
			t.Errorf("by %q there are %d colours, want %d", by, len(met), want)
		}
	}
	if got := Label(numberLabels).of(p.Pieces); strings.Join(got, " ") != "1 2 3" {
		t.Errorf("%q", got)
	}
	if got := Label(nameLabels).of(p.Pieces); strings.Join(got, " ") != "first second third" {
		t.Errorf("%q", got)
	}
}
