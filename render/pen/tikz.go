package pen

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
)

// TikZ is the format of LaTeX files with drawings by the package TikZ. The unit is the side of a
// cell, which may have any size on paper.
var TikZ = &Format{
	Name: "tikz", Extension: ".tex", MediaType: "application/x-tex", What: "a LaTeX file with TikZ", Unit: 1,
	New: func(w io.Writer, o Options) Pen { return &tikzPen{out: w, fragment: o.Fragment} },
}

// The width and the height, in cm, between the usual margins of LaTeX. Larger pictures are shrunk.
const (
	tikzWide = 12.0
	tikzHigh = 18.0
)

// Shrunk returns the length of the unit, in cm, in a picture of width by height units.
func Shrunk(width, height float64) float64 { return min(1, tikzWide/width, tikzHigh/height) }

// tikzPen holds the picture in memory until all its colours are known.
type tikzPen struct {
	out      io.Writer
	fragment bool
	page     Page
	unit     float64 // length of the unit of the picture, in cm
	body     bytes.Buffer
	colours  []Colour
	groups
}

func (p *tikzPen) printf(format string, args ...any) {
	p.body.WriteString(strings.Repeat("  ", len(p.groups)))
	fmt.Fprintf(&p.body, format, args...)
}

func (p *tikzPen) Open(page Page) error {
	p.page, p.unit, p.groups = page, 1, []Group{{}}
	if page.Millimetres {
		p.unit = 0.1
	} else {
		p.unit = Shrunk(page.Width, page.Height)
	}
	return nil
}

// Close writes the colours and then the picture.
func (p *tikzPen) Close() error {
	var b bytes.Buffer
	if !p.fragment {
		b.WriteString("\\documentclass[tikz,border=2mm]{standalone}\n")
	}
	fmt.Fprintf(&b, "%% %s\n", Printable(p.page.Title))
	fmt.Fprintf(&b, "%% %s\n", Printable(p.page.Description))
	if p.fragment {
		b.WriteString("% needs \\usepackage{tikz}\n")
	} else {
		b.WriteString("\\begin{document}\n")
	}
	slices.SortFunc(p.colours, func(a, b Colour) int { return slices.Compare(a[:], b[:]) })
	for _, c := range p.colours {
		fmt.Fprintf(&b, "\\definecolor{%s}{HTML}{%s}%%\n", tikzColour(c), strings.ToUpper(c.Hex()[1:]))
	}
	fmt.Fprintf(&b, "\\begin{tikzpicture}[x=%scm, y=-%scm, line join=round, line cap=round]\n", digits(p.unit), digits(p.unit))
	p.body.WriteTo(&b)
	b.WriteString("\\end{tikzpicture}\n")
	if !p.fragment {
		b.WriteString("\\end{document}\n")
	}
	_, err := b.WriteTo(p.out)
	return err
}

func (p *tikzPen) Group(g Group) {
	outer := p.group()
	if g.Title != "" {
		p.printf("%% %s\n", Printable(g.Title))
	}
	var options []string
	if g.X != 0 || g.Y != 0 {
		options = append(options, fmt.Sprintf("shift={(%s,%s)}", digits(g.X), digits(g.Y)))
	}
	if g.Line > 0 {
		options = append(options, p.lineWidth(g.Line))
	}
	p.printf("\\begin{scope}[%s]\n", strings.Join(options, ", "))
	p.groups = append(p.groups, g.within(outer))
}

func (p *tikzPen) CloseGroup() {
	p.groups.CloseGroup()
	p.printf("\\end{scope}\n")
}

func (p *tikzPen) lineWidth(width float64) string {
	return "line width=" + digits(width*p.unit) + "cm"
}

func (p *tikzPen) colour(c Colour) string {
	if !slices.Contains(p.colours, c) {
		p.colours = append(p.colours, c)
	}
	return tikzColour(c)
}

func tikzColour(c Colour) string { return "pavage" + c.Hex()[1:] }

func (p *tikzPen) Path(path Path) {
	var options []string
	g := p.group()
	if fill, filled := path.fill(g); filled {
		options = append(options, "fill="+p.colour(fill))
		if len(path.Outlines) > 1 {
			options = append(options, "even odd rule")
		}
	}
	if path.Line > 0 || g.Line > 0 {
		options = append(options, "draw="+p.colour(path.stroke()))
	}
	if path.Line > 0 {
		options = append(options, p.lineWidth(path.Line))
	}
	if path.Cut {
		options = append(options, fmt.Sprintf("dash pattern=on %scm off %scm", digits(dash*path.Line*p.unit), digits(gap*path.Line*p.unit)))
	}
	p.printf("\\path[%s]", strings.Join(options, ", "))
	for _, outline := range path.Outlines {
		for k, at := range outline {
			if k > 0 {
				p.body.WriteString(" --")
			}
			fmt.Fprintf(&p.body, " (%s,%s)", digits(at.X), digits(at.Y))
		}
		if !path.Open {
			p.body.WriteString(" -- cycle")
		}
	}
	p.body.WriteString(";")
	if path.Title != "" {
		p.body.WriteString(" % " + Printable(path.Title))
	}
	p.body.WriteString("\n")
}

func (p *tikzPen) Dots(d Dots) {
	p.printf("\\fill[%s]", p.colour(d.Colour))
	for _, at := range d.At {
		fmt.Fprintf(&p.body, " (%s,%s) circle[radius=%s]", digits(at.X), digits(at.Y), digits(d.Width/2))
	}
	p.body.WriteString(";\n")
}

const (
	points   = 72.27 / 2.54
	textSize = 10
)

// Text writes a node, and scales the font of the document, since LaTeX fonts lack some sizes.
func (p *tikzPen) Text(t Text) {
	anchor := ""
	if p.group().Left {
		anchor = ", anchor=west"
	}
	p.printf("\\node[inner sep=0pt, scale=%s, text=%s%s] at (%s,%s) {%s};\n", digits(t.Size*p.unit*points/textSize),
		p.colour(t.Colour), anchor, digits(t.At.X), digits(t.At.Y), EscapeTeX(t.Text))
}

func digits(v float64) string { return rounded(v, 10000) }

var texSpecial = map[rune]string{
	'#': `\#`, '$': `\$`, '%': `\%`, '&': `\&`, '_': `\_`, '{': `\{`, '}': `\}`,
	'~': `\textasciitilde{}`, '^': `\textasciicircum{}`, '\\': `\textbackslash{}`, '<': `\textless{}`, '>': `\textgreater{}`, '|': `\textbar{}`,
	'×': `\ensuremath{\times}`, '·': `\ensuremath{\cdot}`, '…': `\ldots{}`,
}

// EscapeTeX returns LaTeX that shows text. A character that is not printable becomes '?'.
func EscapeTeX(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch special, is := texSpecial[r]; {
		case is:
			b.WriteString(special)
		case !unicode.IsPrint(r):
			b.WriteByte('?')
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Printable returns the text with a question mark in place of each character that is not printable.
func Printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '?'
	}, text)
}
