package tiling

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/wording"
)

// Piece is a shape and the motions it may use. A tiling uses between Min and Max copies of it; Max
// may be cover.Unbounded. Lattice is the lattice of the board, never nil.
type Piece struct {
	Name     string
	Shape    Shape
	Motions  Motions
	Min, Max int
	Lattice  *Lattice
	Colours  []int  // one for each cell, as in Board.Colours
	Marks    string // a digit for each cell, such as the pips of a domino; may be empty
	Color    string // colour in pictures, #rrggbb; if empty, a picture chooses it
}

// Orientations returns the different images of the piece under its motions, sorted. There are at
// most 8 on squares and 48 on cubes. Images that differ only in colours or marks have equal shapes.
func (p Piece) Orientations() []Shape {
	var shapes []Shape
	for _, t := range p.tints() {
		shapes = append(shapes, t.shape)
	}
	return shapes
}

// Turned returns the piece in each of p.Orientations.
func (p Piece) Turned() (all []Piece) {
	for _, t := range p.tints() {
		p.Shape, p.Colours, p.Marks = t.shape, t.colours, t.marks
		all = append(all, p)
	}
	return all
}

func (p Piece) tints() []tinted {
	return p.Lattice.tints(tinted{p.Shape, p.Colours, p.Marks}, p.Lattice.group(p.Motions))
}

// Copies returns the bounds in the form of a puzzle file: "2", "0..7", "2.." or "any".
func (p Piece) Copies() string {
	if p.Min == 0 && p.Max == cover.Unbounded {
		return "any"
	}
	return cover.Item{Min: p.Min, Max: p.Max}.Bounds()
}

func checkCopies(least, most int) error {
	if least < 0 || most < least || (most > MaxCopies && most != cover.Unbounded) || least > MaxCopies {
		return fmt.Errorf("the number of copies is %d..%d, expected 0 ≤ least ≤ most ≤ %d", least, most, MaxCopies)
	}
	return nil
}

// validate checks the piece, but not whether another piece has the same name.
func (p Piece) validate() error {
	switch {
	case !ValidName(p.Name):
		return fmt.Errorf("bad name %s, expected %s", wording.Quote(p.Name), NameForm)
	case int(p.Motions) >= len(motionNames):
		return fmt.Errorf("unknown motions %s, expected %s", p.Motions, wording.List(motionNames))
	case checkCopies(p.Min, p.Max) != nil:
		return checkCopies(p.Min, p.Max)
	case p.Color != "" && !IsColor(p.Color):
		return fmt.Errorf("bad color %s, expected #rrggbb in lower case", wording.Quote(p.Color))
	case len(p.Shape) == 0:
		return fmt.Errorf("the shape has no cell, expected at least one cell")
	case len(p.Shape) > MaxShapeCells:
		return fmt.Errorf("the shape has %w", checkCount(int64(len(p.Shape)), MaxShapeCells))
	case p.Lattice == nil:
		return fmt.Errorf("the piece has no lattice, expected a lattice such as square")
	case compareShapes(p.Lattice.Shape(p.Shape...), p.Shape) != 0:
		return fmt.Errorf("bad shape, expected cells as Lattice.Shape returns them: sorted, distinct and moved to 0")
	case p.Marks != "" && (len(p.Marks) != len(p.Shape) || strings.Trim(p.Marks, digits) != ""):
		return fmt.Errorf("the marks are %s for %d cells, expected one digit for each cell", wording.Quote(p.Marks), len(p.Shape))
	case p.Lattice.Dimensions() == 2 && p.Shape.Size()[0] > 1:
		return fmt.Errorf("the piece has several layers, but the board is on the %s lattice; expected a piece of one layer (or lattice: cube)", p.Lattice)
	}
	return nil
}

// IsColor reports whether text is #rrggbb, in lower case.
func IsColor(text string) bool {
	return len(text) == 7 && text[0] == '#' && strings.Trim(text[1:], "0123456789abcdef") == ""
}

// LargeCells returns size or, for a small piece, which does not count for MaxShapeCells, 0.
func LargeCells(size int) int {
	if size > MaxSmallCells {
		return size
	}
	return 0
}

var errCells = fmt.Errorf("the pieces of more than %d cells have too many cells together, expected a total of at most %d cells", MaxSmallCells, MaxShapeCells)

// NameForm describes the valid names of pieces, for errors.
const NameForm = "1 to 64 printable characters, no blank and none of =,*#"

// ValidName reports whether a piece may have the name. The characters that names may not have are
// '=', which comes before the copies of an inline piece, ',', which separates coordinates, and '*'
// and '#', which have a meaning in the text form of package cover.
func ValidName(name string) bool {
	return name != "" && wording.Printable(name, MaxNameRunes) && !strings.ContainsAny(name, " =,*#")
}

// Roster is the list of pieces of one puzzle. Add checks each piece.
type Roster struct {
	Pieces []Piece // only Add may change it

	lattice *Lattice
	colours int            // number of colours of the puzzle
	numbers map[string]int // index in Pieces, by name
	cells   int            // number of cells of all pieces that are not small
}

// NewRoster returns an empty roster for a board on l and the given number of colours.
func NewRoster(l *Lattice, colours int) *Roster {
	return &Roster{lattice: l, colours: colours, numbers: map[string]int{}}
}

// Index returns the index in Pieces of the piece with this name, or -1.
func (r *Roster) Index(name string) int {
	if k, known := r.numbers[name]; known {
		return k
	}
	return -1
}

// Add appends p to Pieces. It returns an error if p is not valid, is on another lattice than the
// board, has the name of another piece, or exceeds [MaxPieces] or [MaxShapeCells].
func (r *Roster) Add(p Piece) error {
	if err := p.validate(); err != nil {
		return fmt.Errorf("piece %s: %w", wording.Quote(p.Name), err)
	}
	if err := CheckColours(p.Colours, len(p.Shape), r.colours); err != nil {
		return fmt.Errorf("piece %s: %w", wording.Quote(p.Name), err)
	}
	cells := r.cells + LargeCells(len(p.Shape))
	_, again := r.numbers[p.Name]
	switch {
	case p.Lattice != r.lattice:
		return fmt.Errorf("piece %s is on the lattice %s, expected %s, the lattice of the board",
			wording.Quote(p.Name), p.Lattice, r.lattice)
	case again:
		return fmt.Errorf("two pieces have the name %s, expected different names, or one piece with several copies", wording.Quote(p.Name))
	case len(r.Pieces) == MaxPieces:
		return fmt.Errorf("too many pieces, expected at most %d", MaxPieces)
	case cells > MaxShapeCells:
		return errCells
	}
	r.cells, r.numbers[p.Name] = cells, len(r.Pieces)
	r.Pieces = append(r.Pieces, p)
	return nil
}

// Cell is a place on a lattice: layer, row, column. In the plane the layer is 0.
type Cell [3]int

// Plus returns c moved by d.
func (c Cell) Plus(d Cell) Cell  { return Cell{c[0] + d[0], c[1] + d[1], c[2] + d[2]} }
func (c Cell) minus(d Cell) Cell { return Cell{c[0] - d[0], c[1] - d[1], c[2] - d[2]} }

func compareCells(a, b Cell) int {
	switch {
	case a[0] != b[0]:
		return cmp.Compare(a[0], b[0])
	case a[1] != b[1]:
		return cmp.Compare(a[1], b[1])
	}
	return cmp.Compare(a[2], b[2])
}

// Shape is a set of cells that Lattice.Shape returns. The cells are sorted and distinct, and their
// least coordinates are 0, or as near to 0 as the lattice allows. A shape need not be connected.
type Shape []Cell

// Size returns the number of layers, rows and columns of the box around s.
func (s Shape) Size() [3]int {
	if len(s) == 0 {
		return [3]int{}
	}
	_, most := corners(s)
	return [3]int(most.Plus(Cell{1, 1, 1}))
}

func corners(cells []Cell) (least, most Cell) {
	for i, c := range cells {
		if i == 0 {
			least, most = c, c
		}
		for axis, v := range c {
			least[axis] = min(least[axis], v)
			most[axis] = max(most[axis], v)
		}
	}
	return least, most
}

func compareShapes(a, b Shape) int { return slices.CompareFunc(a, b, compareCells) }
