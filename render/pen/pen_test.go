package pen

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the files in testdata instead of comparing with them")

// Colours of the example.
var (
	red  = Colour{200, 30, 30}
	blue = Colour{30, 30, 200}
	grey = Colour{138, 138, 148}
)

// square is clockwise, or the other way round.
func square(x, y, side float64, clockwise bool) []Point {
	if clockwise {
		return []Point{{x, y}, {x + side, y}, {x + side, y + side}, {x, y + side}}
	}
	return []Point{{x, y}, {x, y + side}, {x + side, y + side}, {x + side, y}}
}

// example has one of everything:
//
//	a red square with a hole, its line 2 wide     from (10,10) to (50,50), the hole (20,20) to (40,40)
//	in it a dot                                   at (30,30)
//	beside it a blue triangle without a line      (60,10) (100,10) (60,50)
//	a square with dashes and no filling           from (70,60) to (100,90)
//	two texts                                     middle at (30,70), start at (10,90)
func example(p Pen) error {
	if err := p.Open(Page{Width: 110, Height: 100, Title: "one & all", Description: "a_b"}); err != nil {
		return err
	}
	p.Group(Group{Title: "ring", X: 10, Y: 10, Line: 2})
	p.Path(Path{Outlines: [][]Point{square(0, 0, 40, true), square(10, 10, 20, false)}, Fill: &red, Title: "r<1>"})
	p.Dots(Dots{At: []Point{{20, 20}}, Width: 6, Colour: grey})
	p.CloseGroup()
	p.Path(Path{Outlines: [][]Point{{{60, 10}, {100, 10}, {60, 50}}}, Fill: &blue})
	p.Path(Path{Outlines: [][]Point{square(70, 60, 30, true)}, Bare: true, Line: 1, Cut: true})
	p.Text(Text{At: Point{30, 70}, Size: 20, Colour: Black, Text: "HHH"})
	p.Group(Group{Left: true})
	p.Text(Text{At: Point{10, 90}, Size: 20, Colour: blue, Text: "H_一"})
	p.CloseGroup()
	return p.Close()
}

func drawn(t *testing.T, f *Format, o Options) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := example(f.New(&out, o)); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestGolden: SVG and TikZ equal the golden files.
func TestGolden(t *testing.T) {
	for name, got := range map[string][]byte{
		"example.svg": drawn(t, SVG, Options{}), "example.tex": drawn(t, TikZ, Options{}), "fragment.tex": drawn(t, TikZ, Options{Fragment: true}),
	} {
		file := filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(file, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if want, err := os.ReadFile(file); err != nil || !bytes.Equal(got, want) {
			t.Errorf("not what %s holds (%v):\n%s", file, err, got)
		}
	}
	if err := xml.Unmarshal(drawn(t, SVG, Options{}), new(struct{})); err != nil {
		t.Error(err)
	}
}

// decoded is the picture as PNG.
func decoded(t *testing.T, data []byte) image.Image {
	t.Helper()
	picture, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return picture
}

// TestColoursOfPNG: a picture has each of its colours, whether they are few, in a table, or many.
func TestColoursOfPNG(t *testing.T) {
	for _, n := range []int{1, 2, 16, 17, 256, 257, 1000} {
		var out bytes.Buffer
		p := PNG.New(&out, Options{})
		if err := p.Open(Page{Width: float64(n), Height: 1}); err != nil {
			t.Fatal(err)
		}
		colour := func(k int) Colour { return Colour{float64(k % 256), float64(k / 256), 7} }
		for k := range n {
			fill := colour(k)
			p.Path(Path{Outlines: [][]Point{square(float64(k), 0, 1, k%2 == 0)}, Fill: &fill, Crisp: true})
		}
		if err := p.Close(); err != nil {
			t.Fatal(err)
		}
		picture := decoded(t, out.Bytes())
		if _, table := picture.ColorModel().(color.Palette); table != (n <= 256) {
			t.Errorf("%d colours: a table %v", n, table)
		}
		for k := range n {
			wantAt(t, picture, k, 0, colour(k))
		}
	}
}

func wantAt(t *testing.T, picture image.Image, x, y int, want Colour) {
	t.Helper()
	got := color.RGBAModel.Convert(picture.At(x, y)).(color.RGBA)
	if got != (color.RGBA{uint8(want[0]), uint8(want[1]), uint8(want[2]), 255}) {
		t.Errorf("at %d, %d is %v, want %s", x, y, got, want.Hex())
	}
}

// TestPNG looks at pixels.
func TestPNG(t *testing.T) {
	picture := decoded(t, drawn(t, PNG, Options{}))
	if size := picture.Bounds().Size(); size != image.Pt(110, 100) {
		t.Fatalf("%v", size)
	}
	for _, c := range []struct {
		x, y int
		want Colour
	}{
		{15, 15, red},
		{45, 30, red},
		{15, 40, red},
		{25, 25, White},
		{36, 36, White}, // the hole
		{30, 30, grey},
		{30, 28, grey},
		{30, 34, White}, // the dot
		{10, 30, Ink},
		{9, 30, Ink},
		{11, 30, red},
		{8, 30, White},
		{20, 30, Ink},
		{19, 30, Ink}, // lines, half on either side
		{8, 8, White},
		{61, 11, blue},
		{60, 45, blue},
		{90, 12, blue},
		{90, 40, White},
		{59, 30, White},
		{85, 75, White}, // not filled
		{105, 95, White},
	} {
		wantAt(t, picture, c.x, c.y, c.want)
	}
	dark := 0 // of the dashes at the top
	for x := 70; x < 100; x++ {
		if r, _, _, _ := picture.At(x, 60).RGBA(); r < 0xc000 {
			dark++
		}
	}
	if dark < 12 || dark > 27 {
		t.Errorf("%d of 30 pixels of a dashed line are dark", dark)
	}
}

// TestNestedGroups: origins add up, and the style of a group applies within it alone.
func TestNestedGroups(t *testing.T) {
	p := PNG.New(io.Discard, Options{}).(*pngPen)
	if err := p.Open(Page{Width: 60, Height: 60}); err != nil {
		t.Fatal(err)
	}
	p.Group(Group{X: 10, Y: 20, Line: 4})
	p.Group(Group{X: 10, Y: 10, Unfilled: true})
	p.Path(Path{Outlines: [][]Point{square(0, 0, 20, true)}, Fill: &red})
	p.CloseGroup()
	p.CloseGroup()
	p.Path(Path{Outlines: [][]Point{square(0, 0, 8, true)}, Fill: &blue})
	wantAt(t, p.pixels, 20, 40, Ink)
	wantAt(t, p.pixels, 30, 40, White)
	wantAt(t, p.pixels, 7, 4, blue)
	wantAt(t, p.pixels, 10, 4, White)
}

// inked is the box of the pixels of one colour in a part of a picture.
func inked(picture image.Image, part image.Rectangle) image.Rectangle {
	var box image.Rectangle
	for y := part.Min.Y; y < part.Max.Y; y++ {
		for x := part.Min.X; x < part.Max.X; x++ {
			if r, _, _, _ := picture.At(x, y).RGBA(); r < 0x8000 {
				box = box.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return box
}

// TestTexts: one has its middle at its place, and one its start. A letter that the font does
// not have is a question mark and not a box.
func TestTexts(t *testing.T) {
	picture := decoded(t, drawn(t, PNG, Options{}))
	middle := inked(picture, image.Rect(0, 55, 60, 80))
	if x := float64(middle.Min.X+middle.Max.X) / 2; math.Abs(x-30) > 1.5 || middle.Dx() < 35 || middle.Dx() > 50 {
		t.Errorf("the text lies at %v, want its middle at 30", middle)
	}
	if y := float64(middle.Min.Y+middle.Max.Y) / 2; math.Abs(y-70) > 1.5 || middle.Dy() < 12 || middle.Dy() > 18 {
		t.Errorf("the text lies at %v, want its middle at 70", middle)
	}
	if left := inked(picture, image.Rect(0, 80, 60, 100)); left.Min.X < 10 || left.Min.X > 13 {
		t.Errorf("the text lies at %v, want its start at 10", left)
	}
	p := &pngPen{}
	if got := strings.Map(p.drawable, "aß一\n"); got != "aß??" {
		t.Errorf("%q", got)
	}
}

// TestTooLarge: a picture with too many pixels is refused before memory is allocated, and nothing
// is written.
func TestTooLarge(t *testing.T) {
	for _, page := range []Page{
		{Width: 1e5, Height: 10},
		{Width: 1e4, Height: 1e4},
		{Width: 1e300, Height: 1e300},
		{Width: math.NaN(), Height: 1},
		{Width: 1e4, Height: 1e4, Millimetres: true},
		{Width: 11, Height: 10},
	} {
		var out bytes.Buffer
		o := Options{}
		if page.Width == 11 {
			o.Pixels = 109
		}
		if err := PNG.New(&out, o).Open(page); !errors.Is(err, ErrTooLarge) || out.Len() > 0 {
			t.Errorf("%v: %v", page, err)
		}
	}
	if err := PNG.New(io.Discard, Options{Pixels: 110}).Open(Page{Width: 11, Height: 10}); err != nil {
		t.Error(err)
	}
}

// TestStrips: a path that is drawn strip after strip has no gaps and no overlaps between the
// strips.
func TestStrips(t *testing.T) {
	p := PNG.New(io.Discard, Options{}).(*pngPen)
	if err := p.Open(Page{Width: 1500, Height: 1500}); err != nil {
		t.Fatal(err)
	}
	high := strip / 1500
	p.Path(Path{Outlines: [][]Point{{{0, 0}, {1500, 0}, {1500, 1500}, {0, 1500}}, {{700, 100}, {600, 1400}, {800, 1400}}}, Fill: &red, Line: 3})
	for _, y := range []int{high - 2, high - 1, high, high + 1} {
		wantAt(t, p.pixels, 100, y, red)
		wantAt(t, p.pixels, 1490, y, red)
	}
	p.Path(Path{Outlines: [][]Point{{{-50, -50}, {2000, -50}, {2000, 2000}, {-50, 2000}}}, Fill: &blue}) // beyond all edges
	for _, at := range []image.Point{{0, 0}, {1499, 0}, {0, 1499}, {1499, 1499}, {750, high}} {
		wantAt(t, p.pixels, at.X, at.Y, blue)
	}
}

// TestStrokes: the bars and the discs of a line have together the area of the line.
func TestStrokes(t *testing.T) {
	area := func(p []Point) (a float64) {
		for k, from := range p {
			to := p[(k+1)%len(p)]
			a += (from.X*to.Y - to.X*from.Y) / 2
		}
		return a
	}
	if got := area(bar(Point{3, 4}, Point{9, 12}, 2)); math.Abs(got-20) > 1e-9 {
		t.Errorf("a bar of 10x2 has area %v", got)
	}
	if got := area(disc(Point{3, 4}, 10)); math.Abs(got-100*math.Pi) > 1 || got < 0 {
		t.Errorf("a disc has area %v", got)
	}
	sum := 0.0
	for _, part := range dashed(Point{0, 0}, Point{100, 0}, 1) {
		if a := area(part); len(part) == 4 {
			sum += a
		}
	}
	if sum < 100*dash/(dash+gap)-dash || sum > 100*dash/(dash+gap)+dash {
		t.Errorf("dashes of length %v in a line of 100", sum)
	}
	for _, part := range strokes([][]Point{{{1, 1}, {1, 1}}, {{2, 2}}}, 1, true, false) { // lines of no length
		for _, at := range part {
			if math.IsNaN(at.X + at.Y) {
				t.Errorf("%v", part)
			}
		}
	}
}

// TestEscapeTeX has every character that means something to LaTeX.
func TestEscapeTeX(t *testing.T) {
	if got, want := EscapeTeX(`#$%&_{}~^\<é`+"\x00"), `\#\$\%\&\_\{\}\textasciitilde{}\textasciicircum{}\textbackslash{}\textless{}é?`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestTikZShrinks: a picture of any size fits on a page.
func TestTikZShrinks(t *testing.T) {
	for _, page := range []Page{{Width: 60, Height: 60}, {Width: 1, Height: 1000}, {Width: 3, Height: 2}} {
		p := TikZ.New(io.Discard, Options{}).(*tikzPen)
		if err := p.Open(page); err != nil || p.unit*page.Width > tikzWide+1e-9 || p.unit*page.Height > tikzHigh+1e-9 || p.unit > 1 {
			t.Errorf("%v: %v cm, %v", page, p.unit, err)
		}
	}
}

// failing is a writer that fails.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

// TestErrors: an error of the writer is returned at the end.
func TestErrors(t *testing.T) {
	for _, f := range Formats {
		if err := example(f.New(failing{}, Options{})); !errors.Is(err, io.ErrShortWrite) {
			t.Errorf("%s: %v", f.Name, err)
		}
		if Of(f.Extension) != f {
			t.Errorf("%s: another format for %s", f.Name, f.Extension)
		}
	}
	if Of(".jpg") != nil {
		t.Error("a format for .jpg")
	}
}

// TestStroke: a line has the colour of its path in every format, and ink if the path has none.
func TestStroke(t *testing.T) {
	draw := func(f *Format) []byte {
		var out bytes.Buffer
		p := f.New(&out, Options{})
		if err := p.Open(Page{Width: 40, Height: 40}); err != nil {
			t.Fatal(err)
		}
		p.Path(Path{Outlines: [][]Point{{{5, 10}, {35, 10}}}, Open: true, Line: 4, Stroke: &red})
		p.Group(Group{Line: 4})
		p.Path(Path{Outlines: [][]Point{{{5, 20}, {35, 20}}}, Open: true, Stroke: &blue})
		p.Path(Path{Outlines: [][]Point{{{5, 30}, {35, 30}}}, Open: true})
		p.CloseGroup()
		if err := p.Close(); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
	picture := decoded(t, draw(PNG))
	for y, want := range map[int]Colour{10: red, 20: blue, 30: Ink} {
		wantAt(t, picture, 20, y, want)
	}
	for f, colour := range map[*Format]func(Colour) string{SVG: Colour.Hex, TikZ: tikzColour} {
		var last int
		for _, c := range []Colour{red, blue} {
			at := bytes.LastIndex(draw(f), []byte(colour(c)))
			if at < last {
				t.Errorf("%s: %s is missing or at another line", f.Name, c.Hex())
			}
			last = at
		}
	}
}

// TestLab: colours lead to places and back.
func TestLab(t *testing.T) {
	for _, c := range []Colour{Black, White, red, blue, grey, {255, 0, 0}, {0, 255, 0}, {0, 0, 255}, {1, 2, 3}, {250, 128, 5}} {
		if got, within := c.OKLab().Colour(); got != c || !within {
			t.Errorf("%s is %s again, %v", c.Hex(), got.Hex(), within)
		}
	}
	if l := White.Luminance(); math.Abs(l-1) > 1e-9 {
		t.Errorf("white has luminance %g", l)
	}
}
