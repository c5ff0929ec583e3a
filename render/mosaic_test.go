package render

import (
	"bytes"
	"fmt"
	"image/color"
	"image/png"
	"io"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/pavage/pavage/render/pen"
	"github.com/pavage/pavage/tiling"
	"github.com/pavage/pavage/tiling/puzzlefile"
)

func rgba(c pen.Colour) color.RGBA { return color.RGBA{uint8(c[0]), uint8(c[1]), uint8(c[2]), 255} }

// TestMosaic: a tiny cell has one colour, all over and up to its neighbours.
func TestMosaic(t *testing.T) {
	for _, l := range flatLattices {
		p, placements := strips(l)
		for _, cell := range []int{1, 2, 3, 4} {
			var out bytes.Buffer
			if err := Picture(&out, p, placements, PictureOptions{Format: pen.PNG, Cell: cell}); err != nil {
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
			met := map[color.RGBA]bool{}
			for y := range picture.Bounds().Dy() {
				for x := range picture.Bounds().Dx() {
					met[picture.At(x, y).(color.RGBA)] = true
				}
			}
			if delete(met, rgba(pen.White)); len(met) != len(p.Pieces) && cell > 1 {
				t.Errorf("%v, cells of %d pixels: %d colours, want %d", l, cell, len(met), len(p.Pieces))
			}
			d := &drawing{side: float64(cell)}
			f := d.frameOf(s)
			x, y := d.scale(s)
			for i, c := range p.Board.Cells {
				m := middle(l.Outline(c))
				atX, atY := float64(m.x)*x/fine+f.origin[0]+d.margin(), float64(m.y)*y/fine+f.origin[1]+d.margin()
				if got := picture.At(int(atX), int(atY)); cell > 1 && got != rgba(PieceColours(p)[i/4]) {
					t.Errorf("%v, cells of %d pixels: cell %v is %v", l, cell, c, got)
				}
			}
		}
	}
}

// TestLargePNG: a board of many cells gets a picture that is not too large, unless the side of a
// cell is given.
func TestLargePNG(t *testing.T) {
	p := inline(t, "2x300", "domino=any")
	sizeOf := func(draw func(io.Writer, PictureOptions) error, o PictureOptions) string {
		var out bytes.Buffer
		if err := draw(&out, o); err != nil {
			return err.Error()
		}
		picture, err := png.DecodeConfig(&out)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("%dx%d", picture.Width, picture.Height)
	}
	one := func(w io.Writer, o PictureOptions) error { return Picture(w, p, nil, o) }
	sheet := func(w io.Writer, o PictureOptions) error { return Sheet(w, p, make([][]tiling.Placement, 9), o) }
	for _, c := range []struct {
		o    PictureOptions
		want string
	}{
		{PictureOptions{Format: pen.PNG}, "3907x33"},
		{PictureOptions{Format: pen.PNG, Cell: 20}, "6010x50"},
		{PictureOptions{Format: pen.PNG, Pixels: 1 << 20}, "902x8"},
		{PictureOptions{Format: pen.PNG, Pixels: 10_000}, "301x3"},
		{PictureOptions{Format: pen.PNG, Pixels: 100}, "too large"},
	} {
		if got := sizeOf(one, c.o); !strings.Contains(got, c.want) {
			t.Errorf("%+v: %s, want %s", c.o, got, c.want)
		}
	}
	if got := sizeOf(sheet, PictureOptions{Format: pen.PNG}); got != "3907x293" {
		t.Errorf("a sheet of 9: %s, want 3907x293", got)
	}
}

// TestKinds: dominoes are of four kinds and lozenges of three, whatever the tiling; the kinds of
// dominoes side by side in a brick wall alternate.
func TestKinds(t *testing.T) {
	p := inline(t, "4x4", "domino=any")
	bricks := []tiling.Placement{}
	for _, cells := range [][2]int{{0, 1}, {2, 3}, {4, 8}, {5, 6}, {7, 11}, {9, 10}, {12, 13}, {14, 15}} {
		bricks = append(bricks, tiling.Placement{Cells: cells[:]})
	}
	s, err := newScene(p, bricks)
	if err != nil {
		t.Fatal(err)
	}
	kind, got := s.kinds(), []int{}
	for _, pl := range s.placements {
		got = append(got, kind(pl))
	}
	if want := "[0 0 3 0 2 1 1 1]"; fmt.Sprint(got) != want {
		t.Errorf("kinds %v, want %s", got, want)
	}
	// The first covered cell is black wherever it lies.
	if err := s.place([]tiling.Placement{{Cells: []int{1, 2}}}); err != nil {
		t.Fatal(err)
	}
	if kind, got := s.kinds(), s.placements[0]; kind(got) != 0 {
		t.Errorf("the first placement has the kind %d, want 0", kind(got))
	}
	lozenges, err := puzzlefile.Parse("f", []byte("lattice: triangle\nboard: {hexagon: 2}\npieces: [{name: lozenge, copies: any}]"))
	if err != nil {
		t.Fatal(err)
	}
	m, err := lozenges.Model(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if s, err = newScene(lozenges, nil); err != nil {
		t.Fatal(err)
	}
	met := map[int]bool{}
	kind = s.kinds()
	for _, pl := range m.Placements {
		met[kind(pl)] = true
	}
	if len(met) != 3 {
		t.Errorf("%d kinds of lozenges, want 3", len(met))
	}
}

// TestHeightPictures: heights stand at the corners, of a tiling and as means; a puzzle without
// heights is a one-line error.
func TestHeightPictures(t *testing.T) {
	p := inline(t, "2x3", "domino=any")
	lying := []tiling.Placement{{Cells: []int{0, 1}}, {Cells: []int{3, 4}}, {Cells: []int{2, 5}}}
	var out bytes.Buffer
	if err := Heights(&out, p, [][]tiling.Placement{lying}, PictureOptions{}); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]int{">2</text>": 1, ">-2</text>": 1, ">-1</text>": 4, ">heights</text>": 1, "fill=\"none\"": 3} {
		if n := strings.Count(out.String(), text); n < want {
			t.Errorf("%q is there %d times, want %d or more:\n%s", text, n, want, out.String())
		}
	}
	out.Reset()
	if err := Heights(&out, p, [][]tiling.Placement{lying, lying}, PictureOptions{}); err != nil || !strings.Contains(out.String(), "tiling 2") {
		t.Errorf("a sheet: %v", err)
	}
	out.Reset()
	mean := Heat{}
	values, err := p.Board.Heights(lying, nil)
	if err != nil {
		t.Fatal(err)
	}
	mean.AddHeights(p, "", CornerHeights{Heights: values})
	for _, r := range mean.ranges() {
		if low, high := slices.MinFunc(values.Values, (*big.Rat).Cmp), slices.MaxFunc(values.Values, (*big.Rat).Cmp); r.low.Cmp(low) != 0 || r.high.Cmp(high) != 0 {
			t.Errorf("the scale of means is from %v to %v, heights are from %v to %v", r.low, r.high, low, high)
		}
	}
	wantInvalid(t, Heights(&out, p, [][]tiling.Placement{lying[:2]}, PictureOptions{}), "the cell 0,2 is not covered")
	if out.Len() > 0 {
		t.Errorf("%d bytes were written", out.Len())
	}
}
