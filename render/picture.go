package render

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/render/pen"
	"github.com/pavage/pavage/tiling"
)

// PictureOptions has the options of pictures. Tags describe flags of commands: "goal" is the
// purpose of a flag, and "for" lists the formats that have it, where flat means all flat pictures.
type PictureOptions struct {
	Format *pen.Format // nil means SVG
	// Cell is the side of a cell in pixels, 1..1000. 0 means 40 pixels, or fewer for a large board
	// in PNG. In TikZ the side is fixed. For solids, Cell is in millimetres, and 0 means 20.
	Cell     int     `name:"scale" flag:"N" goal:"pictures" doc:"draw cells with sides of N pixels in pictures, 1 to 1000 (default 40), of N millimetres in STL and glTF (default 20)"`
	Label    Label   `flag:"WHAT" goal:"flat pictures" for:"flat" doc:"label each piece in pictures with WHAT: {words}"`
	ColorBy  ColorBy `flag:"WHAT" goal:"pictures with colours" for:"flat gltf" doc:"colour the pieces of pictures by WHAT: {words}"`
	Fragment bool    `flag:"" goal:"TikZ" for:"tikz" doc:"write TikZ without a document around it, for \\input"`
	Pixels   int     // limit on the pixels of a PNG; 0 means pen.MaxPixels
	Gap      float64 `flag:"MM" goal:"STL and glTF" for:"stl gltf" doc:"leave a gap of MM millimetres between pieces, in STL and glTF (default 0)"`
	Explode  int     `flag:"N" goal:"flat pictures and glTF" for:"flat gltf" doc:"lift the layers of a box N cells apart, in the stack and in glTF (default 0)"`
	View     View    `flag:"WHAT" goal:"flat pictures" for:"flat" doc:"draw WHAT beside the stack of a box: {words} (nothing else)"`
	Heights  bool    `flag:"" goal:"flat pictures" for:"flat" doc:"draw the heights of tilings by dominoes or lozenges: numbers at the corners of cells that go up and down with the tiling"`
	Double   bool    `flag:"" goal:"flat pictures" for:"flat" doc:"draw two tilings in each picture: their pieces of two cells together form loops, and the longest loop has the strongest colour"`

	usual bool // whether no option sets the size of cells
	tree  bool // whether the placements are edges of a tree
}

// Picture draws the placements t on p's board. Without placements it draws the puzzle with its
// clues, and dots in optional cells. For a cube board, it draws a stack and, beside it, what o.View
// selects. An error that is not about writing wraps ErrInvalid, and then nothing was written.
func Picture(w io.Writer, p *tiling.Puzzle, t []tiling.Placement, o PictureOptions) error {
	switch {
	case o.Double:
		return fmt.Errorf("%w: one tiling has no loops, expected two tilings", ErrInvalid)
	case o.Heights:
		return Heights(w, p, [][]tiling.Placement{t}, o)
	}
	d, s, f, err := o.begin(w, p, t)
	if err != nil {
		return err
	}
	l := d.legendOf(f.width, s)
	if err := d.open(math.Max(f.width, l.width)+2*d.margin(), f.height+l.height+2*d.margin(), title(p), s.describe(o.View)); err != nil {
		return err
	}
	d.group("", d.margin(), d.margin())
	d.picture(s, f)
	d.CloseGroup()
	d.legend(l, d.margin(), f.height+d.margin())
	return d.Close()
}

func (o PictureOptions) begin(w io.Writer, p *tiling.Puzzle, t []tiling.Placement) (*drawing, *scene, frame, error) {
	o, err := o.checked()
	if err != nil {
		return nil, nil, frame{}, err
	}
	s, err := o.scene(p, t)
	if err != nil {
		return nil, nil, frame{}, err
	}
	d := newDrawing(w, o, p.Pieces)
	f := d.frameOf(s)
	if d.shrink(f.width+2*d.margin(), f.height+2*d.margin()) {
		f = d.frameOf(s)
	}
	return d, s, f, nil
}

// Tilings returns the number of tilings in one picture: 1, or 2 with Double.
func (o PictureOptions) Tilings() int {
	if o.Double {
		return 2
	}
	return 1
}

// Sheet draws tilings like Picture, in a grid. If o.Double is set, each picture has two tilings.
func Sheet(w io.Writer, p *tiling.Puzzle, tilings [][]tiling.Placement, o PictureOptions) error {
	if o.Heights && !o.Double {
		return Heights(w, p, tilings, o)
	}
	o, err := o.checked()
	if err != nil {
		return err
	}
	if n, most := len(tilings), maxSheet*o.Tilings(); n < 1 || n > most {
		return fmt.Errorf("%w: %d tilings are on one sheet, expected 1 to %d tilings", ErrInvalid, n, most)
	}
	scenes, err := o.scenes(p, tilings)
	if err != nil {
		return err
	}
	d := newDrawing(w, o, p.Pieces)
	f, gap, columns, rows := d.sheetOf(scenes)
	if d.shrink(float64(columns)*(f.width+2*gap), float64(rows)*(f.height+2*gap)) {
		f, gap, columns, rows = d.sheetOf(scenes)
	}
	across, down := f.width+2*gap, f.height+2*gap
	l := d.legendOf(float64(columns)*across-2*gap, scenes...)
	about := wording.Plural(len(tilings), "tiling") + " of " + scenes[0].describeBoard() + "."
	if o.Double && len(scenes) == 1 {
		about = scenes[0].describeLoops()
	}
	if err := d.open(math.Max(float64(columns)*across, l.width+2*gap), float64(rows)*down+l.height, title(p), about); err != nil {
		return err
	}
	for k, s := range scenes {
		name := fmt.Sprintf("tiling %d", k+1)
		if o.Double {
			name = fmt.Sprintf("tilings %d and %d", 2*k+1, 2*k+2)
		}
		d.group(name, float64(k%columns)*across+gap, float64(k/columns)*down+gap)
		d.picture(s, f)
		d.CloseGroup()
	}
	d.legend(l, gap, float64(rows)*down)
	return d.Close()
}

func (d *drawing) sheetOf(scenes []*scene) (f frame, gap float64, columns, rows int) {
	f, gap = d.frameOf(scenes[0]), d.margin()
	if scenes[0].stacked() {
		gap = d.side // the pictures of different tilings must stay apart
	}
	columns, rows = sheetGrid(len(scenes), f.width+2*gap, f.height+2*gap)
	return f, gap, columns, rows
}

func sheetGrid(n int, width, height float64) (columns, rows int) {
	columns = min(squarest(n, width, height), n)
	return columns, (n + columns - 1) / columns
}

func (o PictureOptions) scenes(p *tiling.Puzzle, tilings [][]tiling.Placement) (all []*scene, err error) {
	if len(tilings)%o.Tilings() != 0 {
		return nil, fmt.Errorf("%w: loops need pairs of tilings, but the number of tilings is %d, expected an even number", ErrInvalid, len(tilings))
	}
	for k := 0; k < len(tilings); k += o.Tilings() {
		var s *scene
		if o.Double {
			s, err = o.double(p, tilings[k], tilings[k+1])
		} else {
			s, err = o.scene(p, tilings[k])
		}
		if err != nil {
			return nil, fmt.Errorf("tiling %d: %w", k, err)
		}
		all = append(all, s)
	}
	return all, nil
}

func (o PictureOptions) double(p *tiling.Puzzle, first, second []tiling.Placement) (*scene, error) {
	s, err := o.scene(p, second)
	if err != nil {
		return nil, err
	}
	if s.stacked() || s.beyond != nil {
		return nil, fmt.Errorf("%w: loops are drawn only on flat boards that do not wrap", ErrInvalid)
	}
	if err := s.place(first); err != nil {
		return nil, err
	}
	if s.loops, err = newLoops(len(p.Board.Cells), first, second); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	return s, nil
}

func (o PictureOptions) scene(p *tiling.Puzzle, t []tiling.Placement) (*scene, error) {
	var tree []tiling.Placement
	if o.tree {
		if err := checkTree(p, t); err != nil {
			return nil, err
		}
		tree, t = t, nil
	}
	s, err := newScene(p, t)
	if len(t) == 0 && !o.tree {
		s, err = puzzleScene(p)
	}
	if err != nil {
		return nil, err
	}
	s.tree = tree
	s.lifted, err = s.exploded(o.Explode)
	return s, err
}

func squarest(n int, width, height float64) int {
	return max(1, int(math.Round(math.Sqrt(float64(n)*height/width))))
}

// checked returns o with defaults, or an error if an option is not valid or two exclude each other.
func (o PictureOptions) checked() (PictureOptions, error) {
	if o.Format == nil {
		o.Format = pen.SVG
	}
	if err := errors.Join(
		checkChoice("label", o.Label), checkChoice("colours", o.ColorBy), checkChoice("view", o.View),
	); err != nil {
		return o, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	styled := o.ColorBy != "" || o.Label.some()
	switch {
	case o.tree && (o.Double || o.Heights || styled):
		return o, fmt.Errorf("%w: a picture of a tree cannot have loops, heights, labels or colours of pieces", ErrInvalid)
	case o.Double && (o.Heights || styled):
		return o, fmt.Errorf("%w: a picture of loops cannot have heights, labels or chosen colours", ErrInvalid)
	}
	if o.Cell == 0 {
		o.Cell, o.usual = 40, true
	}
	if o.Cell < 1 || o.Cell > 1000 {
		return o, fmt.Errorf("%w: the sides of a cell have %d pixels, expected 1 to 1000 pixels", ErrInvalid, o.Cell)
	}
	return o, nil
}

// drawing is one picture that is being made. Errors of writing stay in the pen until it is closed.
type drawing struct {
	pen.Pen
	options PictureOptions
	side    float64
	labels  []string
	outline []pen.Point // memory for the method spot

	millimetres bool // whether the unit is a millimetre on paper
}

func newDrawing(w io.Writer, o PictureOptions, pieces []tiling.Piece) *drawing {
	d := &drawing{options: o, side: float64(o.Cell), labels: o.Label.of(pieces)}
	if o.Format.Unit > 0 {
		d.side = o.Format.Unit
	}
	d.Pen = o.Format.New(w, pen.Options{Fragment: o.Fragment, Pixels: o.Pixels})
	return d
}

func (d *drawing) open(width, height float64, title, desc string) error {
	err := d.Open(pen.Page{Width: width, Height: height, Millimetres: d.millimetres, Title: title, Description: desc})
	if err != nil {
		return fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	return nil
}

func (d *drawing) margin() float64 { return d.side / 4 }

// tinyCell is the side in pixels below which cells have no outlines. An outline of 0.075 cells
// would be a third of a pixel, and would only dull the colours.
const tinyCell = 5

// pixelSide limits the pixels along a side of a picture if no option sets the size of cells.
const pixelSide = 1 << 12

func (d *drawing) tiny() bool { return d.options.Format.Pixels && d.side < tinyCell }

// shrink makes cells smaller if the picture is too large and no option sets the size of cells.
func (d *drawing) shrink(width, height float64) bool {
	most := float64(pixelSide)
	if d.options.Pixels > 0 {
		most = min(most, math.Sqrt(float64(d.options.Pixels)))
	}
	if !d.options.usual || !d.options.Format.Pixels || max(width, height) <= most {
		return false
	}
	d.side = max(1, math.Floor(d.side*most/max(width, height)))
	return true
}

// line converts a line width from cells to units of the picture. It returns 0 if cells are tiny.
func (d *drawing) line(cells float64) float64 {
	if d.tiny() {
		return 0
	}
	return cells * d.side
}

const (
	thick = 0.075
	thin  = 0.025
)

// letterWidth is the width of a letter in font sizes. Most letters are narrower.
const letterWidth = 0.6

func (d *drawing) group(title string, x, y float64) { d.Group(pen.Group{Title: title, X: x, Y: y}) }

func (d *drawing) text(x, y, size float64, fill pen.Colour, text string) {
	d.Text(pen.Text{At: pen.Point{X: x, Y: y}, Size: size, Colour: fill, Text: text})
}

func (d *drawing) textFrom(x, y, size float64, text string) {
	d.Group(pen.Group{Left: true})
	d.text(x, y, size, pen.Black, text)
	d.CloseGroup()
}

func (d *drawing) strokes(width float64, ink pen.Colour, lines ...[2]pen.Point) {
	p := pen.Path{Open: true, Line: width, Stroke: &ink}
	for _, l := range lines {
		p.Outlines = append(p.Outlines, l[:])
	}
	d.Path(p)
}

func (d *drawing) path(edges []edge, scaleX, scaleY float64, p pen.Path) {
	d.trail(trace(edges), scaleX, scaleY, p)
}

func (d *drawing) trail(paths [][]point, scaleX, scaleY float64, p pen.Path) {
	if len(paths) == 0 {
		return
	}
	for _, corners := range paths {
		outline := make([]pen.Point, len(corners))
		for k, c := range corners {
			outline[k] = pen.Point{X: float64(c.x) * scaleX, Y: float64(c.y) * scaleY}
		}
		p.Outlines = append(p.Outlines, outline)
	}
	d.Path(p)
}

func title(p *tiling.Puzzle) string { return cmp.Or(p.Title, "Tiling") }

func (s *scene) describe(v View) string {
	var b strings.Builder
	if s.boardOnly() {
		b.WriteString(strings.ToUpper(s.describeBoard()[:1]) + s.describeBoard()[1:] + s.describeClues())
	} else {
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
		fmt.Fprintf(&b, "%s on %s: %s", wording.Plural(len(s.placements), "placement"), s.describeBoard(), strings.Join(all, ", "))
	}
	dots := 0
	for _, c := range s.puzzle.Board.Cells {
		if s.dot(c) {
			dots++
		}
	}
	switch {
	case dots > 0 && s.boardOnly():
		fmt.Fprintf(&b, "; %s may stay empty", wording.Plural(dots, "cell"))
	case dots > 0:
		fmt.Fprintf(&b, "; %s left empty", wording.Plural(dots, "cell"))
	}
	b.WriteByte('.')
	if s.stacked() {
		b.WriteString(viewWords[cmp.Or(v, layerView)])
	}
	return b.String()
}

func (s *scene) describeLoops() string {
	l := s.loops
	text := fmt.Sprintf("Two tilings of %s, one over the other: %s", s.describeBoard(), wording.Plural(len(l.cells), "loop"))
	if len(l.cells) > 0 {
		text += fmt.Sprintf(", the longest of %d cells", len(l.cells[0]))
	}
	return text + fmt.Sprintf("; %s in both.", wording.Plural(len(l.pairs), "placement"))
}

func (s *scene) describeBoard() string {
	size := fmt.Sprintf("%dx%d", s.rows(), s.columns())
	if s.stacked() {
		size = fmt.Sprintf("%dx%s", s.layers(), size)
	}
	return fmt.Sprintf("a board of %s in %s", wording.Plural(len(s.puzzle.Board.Cells), "cell"), size)
}

// Label selects the text on placements: "none", "letters", "names" or "numbers". "" means "none".
type Label string

const (
	noLabel      = "none"
	letterLabels = "letters" // one to three letters for each piece, explained by a legend
	nameLabels   = "names"   // names of the pieces
	numberLabels = "numbers" // numbers of the pieces, from 1 in the order of the puzzle
)

// Choices returns the values of a Label except "".
func (Label) Choices() []string { return []string{letterLabels, nameLabels, numberLabels, noLabel} }

func (l Label) some() bool { return l != "" && l != noLabel }

func (l Label) of(pieces []tiling.Piece) []string {
	if l != nameLabels && l != numberLabels {
		return labels(pieces, 3)
	}
	all := make([]string, len(pieces))
	for k, p := range pieces {
		all[k] = strconv.Itoa(k + 1)
		if l == nameLabels {
			all[k] = pen.Printable(p.Name)
		}
	}
	return all
}

// ColorBy selects what determines the colour of a placement: "piece", "copy", "orientation", "kind"
// or "none". "" means "piece" if there are several pieces or the only piece has a colour. Otherwise
// "" means "copy", or "kind" on a board of more than 16,384 cells.
type ColorBy string

const (
	// byPiece gives a piece the same colour on all pictures of a puzzle.
	byPiece = "piece"
	// byCopy gives neighbours different colours if possible, with few colours.
	byCopy        = "copy"
	byOrientation = "orientation"
	// byKind gives each kind of placement its own colour: see kinds.
	byKind    = "kind"
	byNothing = "none" // all placements are white
)

// Choices returns the values of a ColorBy except "".
func (ColorBy) Choices() []string { return []string{byPiece, byCopy, byOrientation, byKind, byNothing} }

func checkChoice[C interface {
	~string
	Choices() []string
}](what string, c C) error {
	if c == "" || slices.Contains(c.Choices(), string(c)) {
		return nil
	}
	return fmt.Errorf("%s is %.40q, expected %s", what, string(c), wording.List(c.Choices()))
}
