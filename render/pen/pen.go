// Package pen writes pictures: paths, dots and texts, as SVG, as PNG and as TikZ.
//
// # Purpose
//
// A package that draws describes a picture once, and this package writes it in each format. So all
// formats show the same picture.
//
//	render, …  ──►  Pen: open, groups of paths, dots, texts, close
//	                 ├── SVG    elements and attributes        (svg.go)
//	                 ├── PNG    areas and lines as pixels      (png.go)
//	                 └── TikZ   commands for LaTeX             (tikz.go)
//
// # Words
//
// A picture has its origin in the top left corner, x to the right and y down. Its unit is a pixel,
// or a millimetre: see Page. A group moves the origin for its paths, dots and texts, and defines
// how its lines are drawn. A path is filled, outlined or both. It has one or more
// outlines. The outlines around holes run the other way.
//
//	group(x, y)            path: outer outline clockwise,
//	   ┌────────►          a hole counter-clockwise
//	   │   ╭──────╮
//	   │   │ ╭──╮ │
//	   ▼   │ ╰──╯ │
//	       ╰──────╯
//
// # Non-goals
//
// Pictures have no curves, no pictures within pictures and no transparency, which
// pictures of tilings do not need. This package does not read pictures.
//
// # Size and cost
//
// The pen of SVG writes each element at once, and needs only the memory of a buffer. The pen of PNG
// holds four bytes for each pixel; it checks the number of pixels before it allocates memory. The
// time for a path in PNG is proportional to the pixels of the box around it. The pen of TikZ holds
// the picture in memory until Close, since a file begins with the definitions of its colours.
//
// # References
//
// SVG 2, W3C (2018); PNG 3, W3C (2025); T. Tantau and others, The TikZ and PGF
// Packages, chapters on paths, actions and transformations.
package pen

import (
	"cmp"
	"errors"
	"io"
	"slices"
)

// ErrTooLarge is wrapped by errors about a picture with too many pixels.
var ErrTooLarge = errors.New("the picture is too large")

// Point is a place on a picture.
type Point struct{ X, Y float64 }

// Page has the properties of a whole picture.
type Page struct {
	Width, Height      float64
	Millimetres        bool // whether the unit is a millimetre, not a pixel
	Title, Description string
}

// Group has the common properties of several paths, dots and texts.
type Group struct {
	Title    string
	X, Y     float64 // translation of the origin
	Line     float64 // width of the lines; 0 means the width in the outer group
	Unfilled bool    // whether no path is filled
	Left     bool    // whether Text.At is the beginning of a text, not its middle
}

func (g Group) within(outer Group) Group {
	g.Line = cmp.Or(g.Line, outer.Line)
	g.Unfilled, g.Left = g.Unfilled || outer.Unfilled, g.Left || outer.Left
	return g
}

type groups []Group

func (g groups) group() Group { return g[len(g)-1] }

func (g *groups) CloseGroup() { *g = (*g)[:len(*g)-1] }

// Path is an area or its outline.
type Path struct {
	Outlines [][]Point // closed by a line from the last point to the first, unless Open
	Open     bool      // whether outlines end at their last points; then Fill is ignored
	Fill     *Colour   // nil means black
	Stroke   *Colour   // colour of the line; nil means Ink
	Line     float64   // width of the line; 0 means the width in the group
	Bare     bool      // whether the area is not filled
	Cut      bool      // whether the line is dashed
	// Crisp means that pixels at a border have no mixed colour, so areas meet without a seam.
	Crisp bool
	Title string
}

func (p Path) fill(g Group) (Colour, bool) {
	colour := Black
	if p.Fill != nil {
		colour = *p.Fill
	}
	return colour, !p.Bare && !p.Open && !g.Unfilled
}

func (p Path) stroke() Colour {
	if p.Stroke == nil {
		return Ink
	}
	return *p.Stroke
}

// Dots are round and have the same size.
type Dots struct {
	At     []Point
	Width  float64
	Colour Colour
}

// Text is a line of text. At is its middle, or its beginning if Group.Left is set.
type Text struct {
	At     Point
	Size   float64
	Colour Colour
	Text   string
}

// Pen writes one picture. Close returns the errors of the writer.
type Pen interface {
	// Open begins the picture. It fails, before a byte is written, if the picture is too large.
	Open(Page) error
	Group(Group)
	CloseGroup()
	Path(Path)
	Dots(Dots)
	Text(Text)
	// Close ends the picture. It does not close the writer.
	Close() error
}

// Options has the options of all formats. A format ignores the options of other formats.
type Options struct {
	Fragment bool // whether a TikZ file has only the picture, to be included in a document
	Pixels   int  // limit on the pixels of a PNG; 0 means MaxPixels
}

// Format is a way to write pictures: a row of the table Formats.
type Format struct {
	Name      string // name in flags and requests
	Extension string // extension of file names, with the dot
	MediaType string // media type in HTTP
	What      string // description of a file
	// Unit is the side of a cell in pictures of this format; 0 means that the caller chooses it.
	Unit float64
	// Pixels means that pictures have pixels. Large pictures need memory, and thin lines vanish.
	Pixels bool
	New    func(io.Writer, Options) Pen
}

// Formats are the formats of pictures.
var Formats = []*Format{SVG, PNG, TikZ}

// Of returns the format whose files have this extension, or nil.
func Of(extension string) *Format {
	i := slices.IndexFunc(Formats, func(f *Format) bool { return f.Extension == extension })
	if i < 0 {
		return nil
	}
	return Formats[i]
}

// Ink is the default colour of lines.
var Ink = Colour{0x1b, 0x1b, 0x24}
