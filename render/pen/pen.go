// Package pen writes pictures: paths, dots and texts, as SVG, as PNG and as TikZ.
//
// # Purpose
//
// A package that draws describes a picture once; this package writes it in each format. So no
// format has a geometry of its own, and all formats show the same picture.
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
// how its lines are drawn. A path is filled, outlined or both; it has one closed outline, or
// several; the outlines around holes run the other way.
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
// No curves, no pictures within pictures, no transparency: pictures of tilings
// need none of them. Nothing is read.
//
// # Size and cost
//
// SVG is written as it comes, with no memory but a buffer. PNG holds four bytes a pixel; the number
// of pixels is limited before memory is allocated. A path costs time for the pixels of its box.
// TikZ is held in memory until the picture is closed, since all its colours are defined at its
// beginning.
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

// ErrTooLarge is wrapped by errors about a picture of more pixels than there may be.
var ErrTooLarge = errors.New("the picture is too large")

// Point is a place on a picture.
type Point struct{ X, Y float64 }

// Page describes a picture as a whole.
type Page struct {
	Width, Height      float64
	Millimetres        bool // the unit is a millimetre, not a pixel
	Title, Description string
}

// Group has the common properties of several paths, dots and texts.
type Group struct {
	Title    string
	X, Y     float64 // where the origin is moved to
	Line     float64 // width of the lines; 0: as in the group around it
	Unfilled bool    // no path is filled
	Left     bool    // a text begins at its place, where elsewhere its middle is there
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
	Outlines [][]Point // closed: the last point leads back to the first
	// Lines end at their last points and are not filled.
	Open   bool
	Fill   *Colour // nil: the fill of the group, or black
	Stroke *Colour // of the line; nil: Ink
	Line   float64 // width of the line around it; 0: the width of the group
	Bare   bool    // not filled
	Cut    bool    // the line is dashed: one cuts along it
	// Areas side by side leave no seam: a pixel has the colour of the area that contains its
	// middle.
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

// Dots are round and all of one size.
type Dots struct {
	At     []Point
	Width  float64
	Colour Colour
}

// Text is a line of text, its middle at a place.
type Text struct {
	At     Point
	Size   float64
	Colour Colour
	Text   string
}

// Pen writes one picture. Errors of writing are kept until Close.
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

// Options are the options of all formats. A format ignores the options of others.
type Options struct {
	Fragment bool // of TikZ: only the picture, to be included in a document
	Pixels   int  // of PNG: most pixels; 0 is MaxPixels
}

// Format is a way to write pictures: a row of the table Formats.
type Format struct {
	Name      string // what flags and requests call it
	Extension string // of its files, with the dot
	MediaType string // as HTTP has it
	What      string // a file of it is, in words
	// A cell's side in the coordinates of a picture, if fixed; 0: the caller's.
	Unit float64
	// The format has pixels: a large picture costs much memory, and a small line is invisible.
	Pixels bool
	New    func(io.Writer, Options) Pen
}

// Formats are the formats of pictures.
var Formats = []*Format{SVG, PNG, TikZ}

// Of returns the format whose files have the extension, or nil.
func Of(extension string) *Format {
	i := slices.IndexFunc(Formats, func(f *Format) bool { return f.Extension == extension })
	if i < 0 {
		return nil
	}
	return Formats[i]
}

// Ink is the colour of all lines.
var Ink = Colour{0x1b, 0x1b, 0x24}
