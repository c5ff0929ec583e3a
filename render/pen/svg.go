package pen

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// SVG is the format of browsers and of drawing programs.
var SVG = &Format{
	Name: "svg", Extension: ".svg", MediaType: "image/svg+xml", What: "an SVG file",
	New: func(w io.Writer, _ Options) Pen { return &svgPen{out: bufio.NewWriter(w)} },
}

type svgPen struct{ out *bufio.Writer }

func (p *svgPen) printf(format string, args ...any) { fmt.Fprintf(p.out, format, args...) }

// Open writes title and description for people who cannot see the picture (SVG 2, 5.7).
func (p *svgPen) Open(page Page) error {
	unit, w, h := "", number(page.Width), number(page.Height)
	if page.Millimetres {
		unit = "mm"
	}
	p.printf(`<svg xmlns="http://www.w3.org/2000/svg" width="%s%s" height="%s%s" viewBox="0 0 %s %s" role="img"`, w, unit, h, unit, w, h)
	p.printf(" font-family=\"sans-serif\" text-anchor=\"middle\" stroke-linejoin=\"round\" stroke-linecap=\"round\">\n")
	p.printf("<title>%s</title>\n<desc>%s</desc>\n", escape(page.Title), escape(page.Description))
	p.printf("<rect width=\"%s\" height=\"%s\" fill=\"#fff\"/>\n", w, h)
	return nil
}

func (p *svgPen) Close() error {
	p.printf("</svg>\n")
	return p.out.Flush()
}

func (p *svgPen) Group(g Group) {
	p.printf("<g")
	if g.X != 0 || g.Y != 0 {
		p.printf(" transform=\"translate(%s %s)\"", number(g.X), number(g.Y))
	}
	if g.Left {
		p.printf(" text-anchor=\"start\"")
	}
	if g.Unfilled {
		p.printf(" fill=\"none\"")
	}
	if g.Line > 0 {
		p.printf(" %s", stroke(g.Line, Ink))
	}
	p.printf(">\n")
	if g.Title != "" {
		p.printf("<title>%s</title>\n", escape(g.Title))
	}
}

func (p *svgPen) CloseGroup() { p.printf("</g>\n") }

// Path writes one element. Browsers show the title of the element as a tooltip.
func (p *svgPen) Path(path Path) {
	p.printf(`<path d="`)
	for _, outline := range path.Outlines {
		var x, y string
		for k, point := range outline {
			lastX, lastY := x, y
			x, y = number(point.X), number(point.Y)
			switch {
			case k == 0:
				p.out.WriteString("M" + x + " " + y)
			case y == lastY:
				p.out.WriteString("H" + x)
			case x == lastX:
				p.out.WriteString("V" + y)
			default:
				p.out.WriteString("L" + x + " " + y)
			}
		}
		if !path.Open {
			p.out.WriteByte('Z')
		}
	}
	p.printf(`"`)
	switch {
	case path.Bare, path.Open:
		p.printf(` fill="none"`)
	case path.Fill != nil:
		p.printf(` fill="%s"`, path.Fill.Hex())
	}
	switch {
	case path.Line > 0:
		p.printf(" %s", stroke(path.Line, path.stroke()))
	case path.Stroke != nil:
		p.printf(` stroke="%s"`, path.Stroke.Hex())
	}
	if path.Cut {
		p.printf(` stroke-dasharray="%s"`, number(dash*path.Line)+" "+number(gap*path.Line))
	}
	if path.Title == "" {
		p.printf("/>\n")
		return
	}
	p.printf("><title>%s</title></path>\n", escape(path.Title))
}

// Dots writes one path. Each dot is a line of length 0, of which browsers draw the round ends.
func (p *svgPen) Dots(d Dots) {
	p.printf(`<path d="`)
	for _, at := range d.At {
		p.printf("M%s %sh0", number(at.X), number(at.Y))
	}
	p.printf("\" stroke=\"%s\" stroke-width=\"%s\"/>\n", d.Colour.Hex(), number(d.Width))
}

// lower is the distance from the middle of a letter down to its baseline, in font sizes. SVG has
// attributes for this, but browsers interpret them differently.
const lower = 0.35

func (p *svgPen) Text(t Text) {
	p.printf("<text x=\"%s\" y=\"%s\" font-size=\"%s\" fill=\"%s\">%s</text>\n",
		number(t.At.X), number(t.At.Y+float64(t.Size*lower)), number(t.Size), t.Colour.Hex(), escape(t.Text))
}

func stroke(width float64, colour Colour) string {
	return fmt.Sprintf(`stroke="%s" stroke-width="%s"`, colour.Hex(), number(width))
}

// Lengths of dashes and gaps, in widths of the line. Round ends make a dash one width longer.
const (
	dash = 5.0
	gap  = 4.0
)

func number(v float64) string { return rounded(v, 100) }

func rounded(v, parts float64) string {
	return strconv.FormatFloat(math.Round(v*parts)/parts+0, 'f', -1, 64)
}

// escape makes a text safe in XML. Characters that XML does not allow become U+FFFD.
func escape(text string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(text))
	return b.String()
}
