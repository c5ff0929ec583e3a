package render

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"testing"

	"github.com/pavage/pavage/internal/test/testkit"
	"github.com/pavage/pavage/render/pen"
	"github.com/pavage/pavage/tiling"
	"github.com/pavage/pavage/tiling/puzzlefile"
)

// pageFile has the cases of the page's tests of colours, in TypeScript.
const pageFile = "../web/src/model/testdata/palette.json"

// pagePieces are the pieces of a puzzle, each with its color in the file, its colour in pictures, and
// the colour of its letters.
type pagePieces struct {
	Pieces  []pagePiece `json:"pieces"`
	Colours []string    `json:"colours"`
	Inks    []string    `json:"inks"`
}

type pagePiece struct {
	Name  string `json:"name"`
	Color string `json:"color"`
}

// pagePaint is a tiling by copies of one piece, and the colours of the copies.
type pagePaint struct {
	Lattice    string     `json:"lattice"`
	Wrap       string     `json:"wrap"`
	Size       [3]int     `json:"size"`
	Board      [][3]int   `json:"board"`
	Piece      string     `json:"piece"`
	Placements [][][3]int `json:"placements"`
	Colours    []string   `json:"colours"`
}

// pageProgram has the tables that the page and the program share: the page imports it as JSON.
type pageProgram struct {
	Lattices map[string]pageLattice `json:"lattices"`
	Wraps    map[string]int         `json:"wraps"`   // numbered in their order
	Motions  map[string]int         `json:"motions"` // numbered in their order
	Limits   map[string]int         `json:"limits"`

	Automatic []string          `json:"automatic"` // colours of pieces without a colour
	Apart     float64           `json:"apart"`     // least distance of neighbours' colours
	Visions   any               `json:"visions"`
	Named     map[string]string `json:"named"` // colours of cells
	Shares    []string          `json:"shares"`
	LargeHeat int               `json:"largeHeat"`
	NearMean  float64           `json:"nearMean"`
}

// pageLattice has tiles, by row plus column modulo their number: the corners of such a cell in row 0 and
// column 0, from where the corners of others are moved by row and column.
type pageLattice struct {
	Number     int          `json:"number"` // in the order of the program
	Dimensions int          `json:"dimensions"`
	Motions    string       `json:"motions"` // of a piece for which a puzzle gives none
	Unit       [2]float64   `json:"unit"`
	Row        pagePoint    `json:"row"`
	Column     pagePoint    `json:"column"`
	Tiles      []pageTile   `json:"tiles"`
	Pieces     []pageShapes `json:"pieces"`
	Sets       []pageShapes `json:"sets"`
}

type pagePoint [2]int

func (a pagePoint) plus(k int, b pagePoint) pagePoint { return pagePoint{a[0] + k*b[0], a[1] + k*b[1]} }

type pageTile struct {
	Corners []pagePoint   `json:"corners"`
	Steps   []tiling.Cell `json:"steps"`
}

// pageShapes is a named piece, or a set of shapes with one number of cells, or with least to most
// cells.
type pageShapes struct {
	Name   string `json:"name"`
	Shapes int    `json:"shapes,omitempty"`
	Least  int    `json:"least"`
	Most   int    `json:"most"`
	Sided  bool   `json:"sided,omitempty"` // mirror images are pieces of the set
}

// tooLarge are the names of sets of thousands of pieces, which the page does not offer.
var tooLarge = regexp.MustCompile("dec|nonahexes|octacubes|one-sided-(nonom|octah)")

// TestPageProgram: adding a lattice, a name of a piece or a colour to the program is adding it to the page.
func TestPageProgram(t *testing.T) {
	hexes := func(colours []pen.Colour) (all []string) {
		for _, c := range colours {
			all = append(all, c.Hex())
		}
		return all
	}
	numbers := func(names []string) map[string]int {
		all := map[string]int{}
		for i, name := range names {
			all[name] = i
		}
		return all
	}
	program := pageProgram{
		Lattices: map[string]pageLattice{}, Wraps: numbers(tiling.WrapNames()), Motions: numbers(tiling.MotionNames()),
		Limits: map[string]int{"side": tiling.MaxSide, "pieceCells": tiling.MaxShapeCells, "copies": tiling.MaxCopies},
		Apart:  apart, Visions: pen.Visions, Named: map[string]string{}, Shares: hexes(shareScale()), LargeHeat: largeHeat, NearMean: nearMean,
	}
	for n := range swatches() {
		program.Automatic = append(program.Automatic, numbered(n).Hex())
	}
	for name, c := range named {
		program.Named[name] = c.Hex()
	}
	for k, l := range tiling.Lattices() {
		p := pageLatticeOf(t, l)
		p.Number = k
		program.Lattices[l.String()] = p
	}
	made, err := json.MarshalIndent(program, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	testkit.Generated(t, "../web/src/model/program.json", append(made, '\n'), *update, "make reference")
}

// pageLatticeOf finds the smallest tiles that define the corners and neighbours of all cells.
func pageLatticeOf(t *testing.T, l *tiling.Lattice) pageLattice {
	t.Helper()
	p := pageLattice{Dimensions: l.Dimensions(), Motions: l.Motions().String()}
	p.Unit[0], p.Unit[1] = l.Unit()
	corners := func(row, column int) (all []pagePoint) {
		for _, c := range l.Outline(tiling.Cell{0, row, column}) {
			all = append(all, pagePoint{c.X, c.Y}.plus(-row, p.Row).plus(-column, p.Column))
		}
		return all
	}
	for n, fits := 1, false; !fits; n++ {
		if n > 8 {
			t.Fatalf("%s has more than 8 kinds of cells", l)
		}
		p.Row, p.Column, p.Tiles = pagePoint{}, pagePoint{}, nil
		origin, across, down := corners(0, 0)[0], corners(0, n)[0], corners(n, 0)[0]
		for k := range origin {
			p.Row[k], p.Column[k] = (down[k]-origin[k])/n, (across[k]-origin[k])/n
		}
		for k := range n {
			p.Tiles = append(p.Tiles, pageTile{corners(0, k), l.Steps(tiling.Cell{0, 0, k})})
		}
		fits = true
		for row := range 3 * n {
			for column := range 3 * n {
				tile := p.Tiles[(row+column)%n]
				fits = fits && slices.Equal(corners(row, column), tile.Corners) && slices.Equal(l.Steps(tiling.Cell{0, row, column}), tile.Steps)
			}
		}
	}
	for _, s := range l.Named() {
		p.Pieces = append(p.Pieces, pageShapes{Name: s.Name, Least: len(s.Shape), Most: len(s.Shape)})
	}
	for name, set := range l.Sets() {
		if tooLarge.MatchString(name) {
			continue
		}
		s := pageShapes{Name: name, Sided: set.OneSided, Least: tiling.MaxShapeCells}
		for _, shape := range set.Shapes() {
			s.Shapes, s.Least, s.Most = s.Shapes+1, min(s.Least, len(shape.Shape)), max(s.Most, len(shape.Shape))
		}
		p.Sets = append(p.Sets, s)
	}
	slices.SortFunc(p.Sets, func(a, b pageShapes) int { return cmp.Or(a.Shapes-b.Shapes, cmp.Compare(a.Name, b.Name)) })
	return p
}

// TestPagePalette: the page has colours of its own, by the same rules. Its tests compare them with
// this file.
func TestPagePalette(t *testing.T) {
	var all []any
	for _, p := range []*tiling.Puzzle{
		inline(t, "8x8", "pentominoes", "O4"),
		inline(t, "8x8", "one-sided-hexominoes"),
		own(t, "domino"),
		own(t, "domino=red"),
		own(t, "a", "b", "c=#3884f4", "d", "e=#ffe626", "f", "g", "h"),
		own(t, "a=#3a86f6", "b=#808080", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p=#f80"),
		own(t, append([]string{"a=#8ba073", "b=#0cc3ba"}, numberedNames("Q", 46)...)...),
		own(t, append([]string{"a=#8ba073", "b=#0cc3ba"}, numberedNames("Q", 47)...)...),
	} {
		var of pagePieces
		for k, c := range PieceColours(p) {
			of.Pieces = append(of.Pieces, pagePiece{p.Pieces[k].Name, p.Pieces[k].Color})
			of.Colours, of.Inks = append(of.Colours, c.Hex()), append(of.Inks, c.Legible().Hex())
		}
		all = append(all, of)
	}
	for k, b := range []string{
		"{board: 6x6, pieces: [{name: domino, copies: any}]}",
		"{board: 4x4, wrap: rows, pieces: [{name: tile, cells: [[0, 0], [1, 0], [1, 1]], copies: any}], cover: at-most}",
		"{board: 4x5, wrap: columns, pieces: [{name: bar-3, cells: [[0, 0], [0, 1]], copies: any}], cover: at-most}",
		"{board: 5x5, wrap: both, pieces: [{name: X5, copies: any}], cover: at-most}",
		"{board: \"####\\n#..#\\n####\", wrap: moebius, pieces: [{name: domino, copies: any}], cover: at-most}",
		"{board: 4x6, wrap: klein, pieces: [{name: L3, copies: any}], cover: at-most}",
		"{board: 4x6, lattice: hexagon, wrap: both, pieces: [{name: dihex, copies: any}], cover: at-most}",
		"{board: [\". # # #\", \". # # #\", \"# # # .\"], lattice: hexagon, wrap: moebius, pieces: [{name: monohex, copies: any}], cover: at-most}",
		"{board: [\". # # # #\", \". # # # #\", \"# # # # .\", \"# # # # .\"], lattice: hexagon, wrap: klein, pieces: [{name: monohex, copies: any}], cover: at-most}",
		"{board: {hexagon: 3}, pieces: [{name: lozenge, copies: any}]}",
		"{board: 3x3x3, pieces: [{name: bar, box: 1x1x2, copies: any}], cover: at-most}",
	} {
		all = append(all, pagePainted(t, b, uint64(k)))
	}
	testkit.Page(t, pageFile, all, *update, "go test ./render -run TestPagePalette -update")
}

// pagePainted places copies of the only piece of a puzzle where they fit, and paints them.
func pagePainted(t *testing.T, text string, seed uint64) pagePaint {
	t.Helper()
	p, err := puzzlefile.Parse("p", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	m, err := p.Model(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(seed, 2))
	var pls []tiling.Placement
	taken := map[int]bool{}
	for _, k := range rng.Perm(len(m.Placements)) {
		pl := m.Placements[k]
		fits := true
		for _, c := range pl.Cells {
			fits = fits && !taken[c]
		}
		if !fits {
			continue
		}
		pls = append(pls, pl)
		for _, c := range pl.Cells {
			taken[c] = true
		}
	}
	s, err := newScene(p, pls)
	if err != nil {
		t.Fatal(err)
	}
	out := pagePaint{Lattice: p.Board.Lattice.String(), Wrap: fmt.Sprint(p.Board.Wrap), Size: p.Board.Size, Piece: p.Pieces[0].Name}
	for _, c := range p.Board.Cells {
		out.Board = append(out.Board, c)
	}
	for k, c := range s.paint("") {
		var cells [][3]int
		for _, i := range s.placements[k].Cells {
			cells = append(cells, p.Board.Cells[i])
		}
		out.Placements = append(out.Placements, cells)
		out.Colours = append(out.Colours, c.Hex())
	}
	return out
}
