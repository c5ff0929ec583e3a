package job

import (
	"bytes"
	"fmt"
	"math"
	"testing"

	"github.com/pavage/pavage/render/pen"
)

// sketch is a picture of doc/how-it-works.md in the making, in pixels.
type sketch struct {
	pen.Pen
	made bytes.Buffer
}

func newSketch(t *testing.T, width, height float64, title, about string) *sketch {
	t.Helper()
	s := new(sketch)
	s.Pen = pen.SVG.New(&s.made, pen.Options{})
	if err := s.Open(pen.Page{Width: width, Height: height, Title: title, Description: about}); err != nil {
		t.Fatal(err)
	}
	return s
}

// compare ends the picture and compares it with the file of doc/pictures.
func (s *sketch) compare(t *testing.T, name string) {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	golden(t, "../doc/pictures/"+name, s.made.Bytes())
}

func ink(hex string) *pen.Colour {
	c := pen.FromHex(hex)
	return &c
}

var (
	lying    = ink("#8fc1ff") // a domino in a row
	standing = ink("#ffd166") // a domino in a column
	decided  = ink("#c9c9cf")
	ahead    = ink("#e4572e")
	free     = ink("#ffffff")
	strong   = ink("#c2185b")
	pale     = ink("#9a9aa5")
)

func at(x, y float64) pen.Point { return pen.Point{X: x, Y: y} }

// corners are the corners of a box.
func corners(x, y, width, height float64) [][]pen.Point {
	return [][]pen.Point{{at(x, y), at(x+width, y), at(x+width, y+height), at(x, y+height)}}
}

func (s *sketch) box(x, y, width, height, line float64, fill *pen.Colour) {
	s.Path(pen.Path{Outlines: corners(x, y, width, height), Fill: fill, Line: line})
}

func (s *sketch) line(from, to pen.Point, width float64, colour *pen.Colour, dashed bool) {
	s.Path(pen.Path{Outlines: [][]pen.Point{{from, to}}, Open: true, Bare: true, Stroke: colour, Line: width, Cut: dashed})
}

// arrow is a line with a head at its end.
func (s *sketch) arrow(from, to pen.Point, width float64, colour *pen.Colour, dashed bool) {
	s.line(from, to, width, colour, dashed)
	back := math.Atan2(from.Y-to.Y, from.X-to.X)
	for _, turn := range []float64{-0.4, 0.4} {
		s.line(to, at(to.X+7*math.Cos(back+turn), to.Y+7*math.Sin(back+turn)), width, colour, false)
	}
}

func (s *sketch) write(x, y, size float64, format string, args ...any) {
	s.Text(pen.Text{At: at(x, y), Size: size, Colour: pen.Ink, Text: fmt.Sprintf(format, args...)})
}

// rectangle is a board of squares, whose cells are numbered by rows.
type rectangle struct{ rows, columns int }

func (r rectangle) String() string { return fmt.Sprintf("%dx%d", r.rows, r.columns) }

// draw draws the cells of a board, which are free if colour is nil, and dominoes over them.
func (s *sketch) draw(x, y, side float64, board rectangle, colour func(cell int) *pen.Colour, dominoes [][]int) {
	corner := func(cell int) (float64, float64) {
		return x + side*float64(cell%board.columns), y + side*float64(cell/board.columns)
	}
	for c := range board.rows * board.columns {
		cx, cy := corner(c)
		fill := free
		if colour != nil {
			fill = colour(c)
		}
		s.box(cx, cy, side, side, 0.5, fill)
	}
	for _, d := range dominoes {
		dx, dy := corner(d[0])
		if d[1] == d[0]+1 {
			s.box(dx, dy, 2*side, side, 1.5, lying)
		} else {
			s.box(dx, dy, side, 2*side, 1.5, standing)
		}
	}
	s.Path(pen.Path{Outlines: corners(x, y, side*float64(board.columns), side*float64(board.rows)), Bare: true, Line: 1.5})
}
