package render

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/pavage/pavage/tiling"
)

// SVGOptions are the ways to draw SVG.
type SVGOptions struct {
	Cell    int  // side of a cell in pixels, 1..1000; 0 is 40
	Letters bool // each placement has its piece's letter
	Columns int  // of a Sheet; 0 makes it about square
}

// MaxTilings is the most tilings that a Sheet shows.
const MaxTilings = 10_000

// SVG draws the placements t on p's board; with no placements, the board, with
// dots in the cells that may stay empty. A cube board is drawn as a stack of
// cubes and then layer after layer. An error that is about what to draw and
// not about writing wraps ErrInvalid, and then nothing was written.
func SVG(w io.Writer, p *tiling.Puzzle, t []tiling.Placement, o SVGOptions) error {
	o, err := o.checked()
	if err != nil {
		return err
	}
	s, err := newScene(p, t)
	if err != nil {
		return err
	}
	d := newDrawing(w, o, p.Pieces)
	f := d.frameOf(s)
	l := d.legendOf(f.width, s)
	d.open(math.Max(f.width, l.width)+2*d.margin(), f.height+l.height+2*d.margin(), title(p), s.describe())
	d.group("", d.margin(), d.margin())
	d.picture(s, f)
	d.closeGroup()
	d.legend(l, d.margin(), f.height+d.margin())
	return d.close()
}

// Sheet draws many tilings of p's board in a grid, row by row, each as SVG
// does. Errors are as for SVG.
func Sheet(w io.Writer, p *tiling.Puzzle, tilings [][]tiling.Placement, o SVGOptions) error {
	o, err := o.checked()
	if err != nil {
		return err
	}
	scenes, err := newScenes(p, tilings)
	if err != nil {
		return err
	}
	d := newDrawing(w, o, p.Pieces)
	f, gap := d.frameOf(scenes[0]), d.margin()
	if scenes[0].stacked() {
		gap = d.cell() // pictures of several parts must not run together
	}
	across, down := f.width+2*gap, f.height+2*gap
	columns, rows := o.grid(len(scenes), across, down)
	l := d.legendOf(float64(columns)*across-2*gap, scenes...)
	d.open(math.Max(float64(columns)*across, l.width+2*gap), float64(rows)*down+l.height, title(p), plural(len(scenes), "tiling")+" of "+scenes[0].describeBoard()+".")
	for k, s := range scenes {
		d.group(fmt.Sprintf("tiling %d", k+1), float64(k%columns)*across+gap, float64(k/columns)*down+gap)
		d.picture(s, f)
		d.closeGroup()
	}
	d.legend(l, gap, float64(rows)*down)
	return d.close()
}

// grid is the layout of n pictures on a sheet.
func (o SVGOptions) grid(n int, width, height float64) (columns, rows int) {
	columns = o.Columns
	if columns == 0 {
		columns = squarest(n, width, height)
	}
	columns = min(columns, n)
	return columns, (n + columns - 1) / columns
}

// newScenes checks a sheet's tilings.
func newScenes(p *tiling.Puzzle, tilings [][]tiling.Placement) ([]*scene, error) {
	if n := len(tilings); n < 1 || n > MaxTilings {
		return nil, fmt.Errorf("%w: %d tilings on a sheet, want 1..%d", ErrInvalid, n, MaxTilings)
	}
	scenes := make([]*scene, len(tilings))
	for k, t := range tilings {
		s, err := newScene(p, t)
		if err != nil {
			return nil, fmt.Errorf("tiling %d: %w", k, err)
		}
		scenes[k] = s
	}
	return scenes, nil
}

// squarest is the number of columns that makes n pictures nearest to a square.
func squarest(n int, width, height float64) int {
	return max(1, int(math.Round(math.Sqrt(float64(n)*height/width))))
}

// checked fills in what is not given.
func (o SVGOptions) checked() (SVGOptions, error) {
	if o.Cell == 0 {
		o.Cell = 40
	}
	if o.Cell < 1 || o.Cell > 1000 {
		return o, fmt.Errorf("%w: cell of %d pixels, want 1..1000", ErrInvalid, o.Cell)
	}
	if o.Columns < 0 {
		return o, fmt.Errorf("%w: %d columns, want 0 or more", ErrInvalid, o.Columns)
	}
	return o, nil
}

// drawing writes one SVG document. Errors of writing stay in out until close.
type drawing struct {
	out     *bufio.Writer
	options SVGOptions
	labels  []string // by piece
}

func newDrawing(w io.Writer, o SVGOptions, pieces []tiling.Piece) *drawing {
	return &drawing{out: bufio.NewWriter(w), options: o, labels: labels(pieces, 3)}
}

// cell is the side of a cell in pixels; all lengths follow from it.
func (d *drawing) cell() float64   { return float64(d.options.Cell) }
func (d *drawing) margin() float64 { return d.cell() / 4 }

// Widths of lines in cells: around placements, and of the edges within them
// and the grid of an empty board.
const (
	thick = 0.075
	thin  = 0.025
)

// outlineInk is the colour of all lines.
const outlineInk = "#1b1b24"

func (d *drawing) printf(format string, args ...any) { fmt.Fprintf(d.out, format, args...) }

// open begins the document: its size in pixels, and a title and description
// for those who cannot see it (SVG 2, 5.7).
func (d *drawing) open(width, height float64, title, desc string) {
	w, h := number(width), number(height)
	d.printf(`<svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%s" viewBox="0 0 %s %s" role="img"`, w, h, w, h)
	d.printf(" font-family=\"sans-serif\" text-anchor=\"middle\" stroke-linejoin=\"round\" stroke-linecap=\"round\">\n")
	d.printf("<title>%s</title>\n<desc>%s</desc>\n", escape(title), escape(desc))
	d.printf("<rect width=\"%s\" height=\"%s\" fill=\"#fff\"/>\n", w, h)
}

func (d *drawing) close() error {
	d.printf("</svg>\n")
	return d.out.Flush()
}

// group begins a group with its origin at x and y, with a title unless it is
// empty.
func (d *drawing) group(title string, x, y float64) {
	d.printf("<g transform=\"translate(%s %s)\">\n", number(x), number(y))
	if title != "" {
		d.printf("<title>%s</title>\n", escape(title))
	}
}

func (d *drawing) closeGroup() { d.printf("</g>\n") }

// text writes a text with its middle at x and y. Browsers agree on a shift by
// a third of the size, not on the names of baselines.
func (d *drawing) text(x, y, size float64, fill colour, text string) {
	d.printf("<text x=\"%s\" y=\"%s\" font-size=\"%s\" fill=\"%s\">%s</text>\n",
		number(x), number(y+float64(size*0.35)), number(size), fill.hex(), escape(text))
}

// path writes closed paths as one element with the given attributes, and a
// title, which browsers show as a tooltip, unless it is empty. A point is drawn
// at its coordinates times the scale.
func (d *drawing) path(paths [][]point, scaleX, scaleY float64, attributes, title string) {
	d.printf(`<path d="`)
	for _, p := range paths {
		d.out.WriteString("M" + number(float64(p[0].x)*scaleX) + " " + number(float64(p[0].y)*scaleY))
		for k := 1; k < len(p); k++ {
			d.out.WriteString(lineTo(p[k-1], p[k], scaleX, scaleY))
		}
		d.out.WriteByte('Z')
	}
	d.printf(`"`)
	if attributes != "" {
		d.printf(" %s", attributes)
	}
	if title == "" {
		d.printf("/>\n")
		return
	}
	d.printf("><title>%s</title></path>\n", escape(title))
}

// lineTo is the shortest path command from a to b.
func lineTo(a, b point, scaleX, scaleY float64) string {
	x, y := number(float64(b.x)*scaleX), number(float64(b.y)*scaleY)
	switch {
	case a.y == b.y:
		return "H" + x
	case a.x == b.x:
		return "V" + y
	}
	return "L" + x + " " + y
}

// stroke are the attributes of a line, its width in cells.
func (d *drawing) stroke(width float64) string {
	return fmt.Sprintf(`stroke="%s" stroke-width="%s"`, outlineInk, number(width*d.cell()))
}

// number writes a length in pixels with at most two decimals.
func number(v float64) string {
	return strconv.FormatFloat(math.Round(v*100)/100, 'f', -1, 64)
}

// escape makes a text safe in XML; what XML cannot hold becomes U+FFFD.
func escape(text string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(text)) // a Builder does not fail
	return b.String()
}

// title is the picture's title.
func title(p *tiling.Puzzle) string {
	if p.Title == "" {
		return "Tiling"
	}
	return p.Title
}

// describe says in words what is on the picture.
func (s *scene) describe() string {
	var b strings.Builder
	if s.boardOnly() {
		b.WriteString(strings.ToUpper(s.describeBoard()[:1]) + s.describeBoard()[1:])
	} else {
		fmt.Fprintf(&b, "%s on %s: %s", plural(len(s.placements), "placement"), s.describeBoard(), s.describePieces())
	}
	dots := 0
	for _, dot := range s.dotted {
		if dot {
			dots++
		}
	}
	switch {
	case dots > 0 && s.boardOnly():
		fmt.Fprintf(&b, "; %s may stay empty", plural(dots, "cell"))
	case dots > 0:
		fmt.Fprintf(&b, "; %s left empty", plural(dots, "cell"))
	}
	b.WriteByte('.')
	if s.stacked() {
		b.WriteString(" First the stack as seen from above, then its layers from the bottom up.")
	}
	return b.String()
}

func (s *scene) describeBoard() string {
	size := fmt.Sprintf("%dx%d", s.rows(), s.columns())
	if s.stacked() {
		size = fmt.Sprintf("%dx%s", s.layers(), size)
	}
	return fmt.Sprintf("a board of %s in %s", plural(len(s.puzzle.Board.Cells), "cell"), size)
}

// describePieces lists the placed pieces with their copies, in the puzzle's
// order.
func (s *scene) describePieces() string {
	copies := make([]int, len(s.puzzle.Pieces))
	for _, pl := range s.placements {
		copies[pl.Piece]++
	}
	var all []string
	for k, n := range copies {
		switch {
		case n == 1:
			all = append(all, s.puzzle.Pieces[k].Name)
		case n > 1:
			all = append(all, fmt.Sprintf("%d × %s", n, s.puzzle.Pieces[k].Name))
		}
	}
	return strings.Join(all, ", ")
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
