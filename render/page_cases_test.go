package render

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/pavage/pavage/internal/test/testkit"
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

// pageScale is the scale of shares.
type pageScale struct {
	Scale []string `json:"scale"`
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
	var scale pageScale
	for _, c := range shareScale() {
		scale.Scale = append(scale.Scale, c.Hex())
	}
	all = append(all, scale)
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
