package pen

import (
	"cmp"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// PNG is a format of pixels that every program can read.
var PNG = &Format{
	Name: "png", Extension: ".png", MediaType: "image/png", What: "a PNG file", Pixels: true,
	New: func(w io.Writer, o Options) Pen {
		return &pngPen{out: w, most: o.Pixels, faces: make(map[fixed.Int26_6]font.Face)}
	},
}

// MaxPixels is the default limit on the pixels of a picture; a pixel needs four bytes.
const MaxPixels = 64 << 20

// maxSide is the largest number of pixels of a side. Some programs cannot read larger pictures.
const maxSide = 1 << 16

// PerMillimetre is the number of pixels per millimetre on paper: 150 per inch.
const PerMillimetre = 150 / 25.4

// pngPen draws on pixels in memory. Close writes them.
type pngPen struct {
	out    io.Writer
	most   int
	scale  float64 // pixels per unit of the picture
	pixels *image.RGBA
	groups
	ink      vector.Rasterizer
	outlines [][]Point
	crossed  []float64
	faces    map[fixed.Int26_6]font.Face
}

func (p *pngPen) Open(page Page) error {
	p.scale = 1
	if page.Millimetres {
		p.scale = PerMillimetre
	}
	if p.most == 0 {
		p.most = MaxPixels
	}
	w, h := math.Ceil(page.Width*p.scale-0.005), math.Ceil(page.Height*p.scale-0.005)
	if !(w*h <= float64(p.most) && max(w, h) <= maxSide) {
		return fmt.Errorf("%w: %.0fx%.0f pixels, expected at most %d pixels in all and %d pixels on each side",
			ErrTooLarge, w, h, p.most, maxSide)
	}
	p.pixels = image.NewRGBA(image.Rect(0, 0, max(1, int(w)), max(1, int(h))))
	draw.Draw(p.pixels, p.pixels.Bounds(), image.White, image.Point{}, draw.Src)
	p.groups = []Group{{}}
	return nil
}

func (p *pngPen) Close() error {
	if few := p.paletted(); few != nil {
		return png.Encode(p.out, few)
	}
	return png.Encode(p.out, p.pixels)
}

// paletted returns the picture with a byte for each pixel, or nil if it has more than 256 colours.
func (p *pngPen) paletted() *image.Paletted {
	few := image.NewPaletted(p.pixels.Rect, nil)
	numbers := map[[3]byte]uint8{}
	var last [3]byte
	number := uint8(0)
	for k := range few.Pix {
		if now := [3]byte(p.pixels.Pix[4*k:]); k == 0 || now != last {
			n, met := numbers[now]
			if !met {
				if len(few.Palette) == 256 {
					return nil
				}
				n = uint8(len(few.Palette))
				numbers[now], few.Palette = n, append(few.Palette, color.RGBA{now[0], now[1], now[2], 255})
			}
			last, number = now, n
		}
		few.Pix[k] = number
	}
	return few
}

// Group opens a group, with the properties that it inherits from the outer group.
func (p *pngPen) Group(g Group) {
	outer := p.group()
	g.X, g.Y = g.X+outer.X, g.Y+outer.Y
	p.groups = append(p.groups, g.within(outer))
}

func (p *pngPen) pixel(at Point) Point {
	g := p.group()
	return Point{(g.X + at.X) * p.scale, (g.Y + at.Y) * p.scale}
}

func (p *pngPen) Path(path Path) {
	g := p.group()
	outlines := p.outlines[:0]
	for k, outline := range path.Outlines {
		if k == cap(outlines) {
			outlines = append(outlines, nil)
		}
		outlines = outlines[:k+1]
		outlines[k] = outlines[k][:0]
		for _, at := range outline {
			outlines[k] = append(outlines[k], p.pixel(at))
		}
	}
	p.outlines = outlines
	switch fill, filled := path.fill(g); {
	case filled && path.Crisp:
		p.crisp(outlines, fill)
	case filled:
		p.area(outlines, fill)
	}
	if width := cmp.Or(path.Line, g.Line); width > 0 {
		p.area(strokes(outlines, width*p.scale, path.Cut, path.Open), path.stroke())
	}
}

func (p *pngPen) Dots(d Dots) {
	var all [][]Point
	for _, at := range d.At {
		all = append(all, disc(p.pixel(at), d.Width*p.scale/2))
	}
	p.area(all, d.Colour)
}

// To limit memory, the method area draws at most strip pixels at once, or one row if it is longer.
const strip = 1 << 20

// area fills outlines. The outline of a hole must run in the reverse direction.
func (p *pngPen) area(outlines [][]Point, fill Colour) {
	box := boxOf(outlines).Intersect(p.pixels.Bounds())
	if box.Empty() {
		return
	}
	source := image.NewUniform(color.RGBA{uint8(fill[0]), uint8(fill[1]), uint8(fill[2]), 255})
	high := max(1, strip/box.Dx())
	for top := box.Min.Y; top < box.Max.Y; top += high {
		part := image.Rect(box.Min.X, top, box.Max.X, min(top+high, box.Max.Y))
		p.ink.Reset(part.Dx(), part.Dy())
		for _, outline := range outlines {
			for k, at := range outline {
				x, y := float32(at.X-float64(part.Min.X)), float32(at.Y-float64(part.Min.Y))
				if k == 0 {
					p.ink.MoveTo(x, y)
				} else {
					p.ink.LineTo(x, y)
				}
			}
			p.ink.ClosePath()
		}
		p.ink.Draw(p.pixels, part, source, image.Point{})
	}
}

func boxOf(outlines [][]Point) image.Rectangle {
	least, most := Point{math.Inf(1), math.Inf(1)}, Point{math.Inf(-1), math.Inf(-1)}
	for _, outline := range outlines {
		for _, at := range outline {
			least = Point{min(least.X, at.X), min(least.Y, at.Y)}
			most = Point{max(most.X, at.X), max(most.Y, at.Y)}
		}
	}
	if least.X > most.X {
		return image.Rectangle{}
	}
	return image.Rect(int(math.Floor(least.X)), int(math.Floor(least.Y)), int(math.Ceil(most.X)), int(math.Ceil(most.Y)))
}

var goFont = sync.OnceValue(func() *opentype.Font {
	f, err := opentype.Parse(goregular.TTF)
	if err != nil {
		panic(err) // cannot happen: the library provides these bytes
	}
	return f
})

func (p *pngPen) face(size float64) font.Face {
	key := fixed.Int26_6(math.Round(size*4)) * 16
	if f, met := p.faces[key]; met {
		return f
	}
	f, err := opentype.NewFace(goFont(), &opentype.FaceOptions{Size: float64(key) / 64, DPI: 72})
	if err != nil {
		panic(err) // cannot happen: the options are valid
	}
	p.faces[key] = f
	return f
}

const least = 3

func (p *pngPen) Text(t Text) {
	size := t.Size * p.scale
	if size < least {
		return
	}
	text := strings.Map(p.drawable, t.Text)
	at := p.pixel(Point{t.At.X, t.At.Y + float64(t.Size*lower)})
	face := p.face(size)
	if !p.group().Left {
		at.X -= float64(font.MeasureString(face, text)) / 64 / 2
	}
	d := font.Drawer{
		Dst: p.pixels, Face: face,
		Src: image.NewUniform(color.RGBA{uint8(t.Colour[0]), uint8(t.Colour[1]), uint8(t.Colour[2]), 255}),
		Dot: fixed.Point26_6{X: fixed.Int26_6(math.Round(at.X * 64)), Y: fixed.Int26_6(math.Round(at.Y * 64))},
	}
	d.DrawString(text)
}

func (p *pngPen) drawable(r rune) rune {
	if i, err := goFont().GlyphIndex(nil, r); err == nil && i != 0 && unicode.IsPrint(r) {
		return r
	}
	return '?'
}

// crisp fills the pixels whose middles lie within outlines, row by row. If areas share a side, each
// pixel at the side belongs to exactly one of them.
func (p *pngPen) crisp(outlines [][]Point, fill Colour) {
	box := boxOf(outlines).Intersect(p.pixels.Bounds())
	ink := [...]byte{uint8(fill[0]), uint8(fill[1]), uint8(fill[2]), 255}
	for y := box.Min.Y; y < box.Max.Y; y++ {
		p.crossed = p.crossed[:0]
		for _, outline := range outlines {
			// Compute from the upper end, so that rounding is the same for both areas at a side.
			y := float64(y) + 0.5
			for k, a := range outline {
				b := outline[(k+1)%len(outline)]
				if (a.Y <= y) == (b.Y <= y) {
					continue
				}
				if a.Y > b.Y {
					a, b = b, a
				}
				p.crossed = append(p.crossed, a.X+float64((y-a.Y)*(b.X-a.X)/(b.Y-a.Y)))
			}
		}
		slices.Sort(p.crossed)
		for k := 0; k+1 < len(p.crossed); k += 2 {
			from, to := middleFrom(p.crossed[k]), middleFrom(p.crossed[k+1])
			for x := max(from, box.Min.X); x < min(to, box.Max.X); x++ {
				copy(p.pixels.Pix[p.pixels.PixOffset(x, y):], ink[:])
			}
		}
	}
}

func middleFrom(x float64) int { return int(math.Ceil(x - 0.5)) }

// strokes returns areas that together are a line: a rectangle for each side, a disc on each corner.
//
//	╭───┬────────────┬───╮
//	│ ● │            │ ● │
//	├───┼────────────┴───╯
//	│   │
func strokes(outlines [][]Point, width float64, cut, open bool) (all [][]Point) {
	for _, outline := range outlines {
		for k, from := range outline {
			to := outline[(k+1)%len(outline)]
			switch last := k == len(outline)-1; {
			case open && last && cut:
				continue
			case open && last:
				to = from
			case cut:
				all = append(all, dashed(from, to, width)...)
				continue
			}
			all = append(all, disc(from, width/2), bar(from, to, width))
		}
	}
	return all
}

func bar(from, to Point, width float64) []Point {
	length := math.Hypot(to.X-from.X, to.Y-from.Y)
	if length == 0 {
		return nil
	}
	x, y := -(to.Y-from.Y)/length*width/2, (to.X-from.X)/length*width/2
	return []Point{{from.X - x, from.Y - y}, {to.X - x, to.Y - y}, {to.X + x, to.Y + y}, {from.X + x, from.Y + y}}
}

func dashed(from, to Point, width float64) (all [][]Point) {
	length := math.Hypot(to.X-from.X, to.Y-from.Y)
	n := max(1, math.Round((length/width-dash)/(dash+gap)))
	period := max(0, (length-dash*width)/n)
	at := func(s float64) Point {
		s = min(s, length) / max(length, 1e-9)
		return Point{from.X + (to.X-from.X)*s, from.Y + (to.Y-from.Y)*s}
	}
	for k := 0.0; k <= n; k++ {
		a, b := at(k*period), at(k*period+dash*width)
		all = append(all, disc(a, width/2), bar(a, b, width), disc(b, width/2))
	}
	return all
}

// disc returns a polygon that deviates from a circle by at most a fiftieth of a pixel.
func disc(at Point, radius float64) []Point {
	const off = 0.02
	sides := 8
	if radius > off {
		sides = max(sides, int(math.Ceil(math.Pi/math.Acos(1-min(off/radius, 1)))))
	}
	points := make([]Point, sides)
	for k := range points {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / float64(sides))
		points[k] = Point{at.X + radius*cos, at.Y + radius*sin}
	}
	return points
}
