package render

import (
	"bytes"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pavage/pavage/internal/test/puzzletest"
	"github.com/pavage/pavage/render/pen"
	"github.com/pavage/pavage/tiling"
)

// cluedPuzzles have clues of all kinds on all lattices.
var cluedPuzzles = map[string]string{
	"walls": `{board: 4x6, pieces: [{set: pentominoes, copies: 0..1}, {name: domino, copies: any}],
		walls: [[[0,0],[0,1]], [[0,1],[1,1]], [[3,2],[3,3]]], joined: [[[1,1],[2,1]], [[3,4],[3,5]]],
		place: [{piece: P5, cells: [[0,4],[0,5],[1,4],[1,5],[2,5]]}, "V5@3,0", {piece: L5, covers: [[0,2],[0,3]]}]}`,
	"sums": `
title: Sums
board: |
  ##o#
  ####
  ##ww
colours: {w: white}
pieces: [{set: double-six, copies: 0..1}, {name: corner, shape: "1#\n#.", copies: any}]
place: [{piece: 3-5, covers: [0, 0]}, {piece: 1-1, cells: [[0,3],[1,3]]}, {piece: 2-6, cells: [[2,0],[2,1]]}]
regions: |
  aabd
  .aed
  cced
sums: {a: 7..12, b: 3, c: any, d: 8, e: 4..}
`,
	"hexagons": `
lattice: hexagon
board: 3x4
pieces: [{name: pair, shape: "1 2", copies: any}, {name: bar, shape: "3 4 3", copies: any}]
walls: [[[0,2],[0,3]], [[0,1],[1,0]]]
joined: [[[0,3],[1,3]]]
place: [{piece: bar, cells: [[2,1],[2,2],[2,3]]}, {piece: pair, covers: [2, 0]}]
regions: |2
  a b b c
   a a d c
    e e d .
sums: {a: 6, b: 10..12, c: 2, d: 5, e: 4..}
`,
	"triangles": `
lattice: triangle
board: {triangle: 3}
pieces: [{name: diamond, shape: "12", copies: any}, {name: one, shape: "3", copies: any}]
walls: [[[1,1],[1,2]]]
joined: [[[2,3],[2,4]]]
regions: |2
    a
   aab
  ccddd
sums: {a: 10, b: 3, c: 1.., d: 5..7}
`,
	"layers": `
lattice: cube
board: 2x2x3
pieces: [{name: bar, shape: "12", copies: any}]
walls: [[[0,0,0],[1,0,0]], [[0,0,1],[0,0,2]]]
joined: [[[0,1,2],[1,1,2]], [[1,0,1],[1,0,2]]]
place: [{piece: bar, cells: [[0,1,0],[0,1,1]]}]
regions: |
  aab
  ..b

  a.b
  ccc
sums: {a: 4, b: 7, c: 3..5}
`,
	"torus": `
board: 3x3
wrap: both
pieces: [{name: bar, shape: "12", copies: any}, {name: one, shape: "3", copies: any}]
walls: [[[0,0],[0,2]]]
joined: [[[0,1],[2,1]]]
place: [{piece: one, cells: [[1,0]]}, {piece: bar, cells: [[2,0],[2,2]]}]
regions: |
  aab
  ..b
  .a.
sums: {a: 4, b: 2..3}
`,
}

func clued(t *testing.T, name string) *tiling.Model {
	t.Helper()
	return puzzletest.Parse(t, cluedPuzzles[name])
}

// TestClues compares pictures of puzzles with clues with golden files.
func TestClues(t *testing.T) {
	for name := range cluedPuzzles {
		p := clued(t, name).Puzzle
		for suffix, draw := range map[string]func(io.Writer) error{
			".txt":        func(w io.Writer) error { return Text(w, p, nil, TextOptions{}) },
			"-colour.txt": func(w io.Writer) error { return Text(w, p, nil, TextOptions{Color: true}) },
			".svg":        func(w io.Writer) error { return Picture(w, p, nil, PictureOptions{}) },
			"-pieces.svg": func(w io.Writer) error { return Overview(w, p, PictureOptions{Label: letterLabels, View: sideView}) },
		} {
			var got bytes.Buffer
			if err := draw(&got); err != nil {
				t.Fatalf("%s%s: %v", name, suffix, err)
			}
			if strings.HasSuffix(suffix, ".svg") {
				checkSVG(t, got.Bytes())
			}
			golden(t, "clues-"+name+suffix, got.Bytes())
		}
	}
}

// TestCluesOfTilings: a picture of a tiling has no clues.
func TestCluesOfTilings(t *testing.T) {
	for name := range cluedPuzzles {
		m := clued(t, name)
		plain := *m.Puzzle
		plain.Walls, plain.Joined, plain.Place, plain.Regions = nil, nil, nil, nil
		var pictures [2]bytes.Buffer
		for k, p := range []*tiling.Puzzle{m.Puzzle, &plain} {
			if err := errors.Join(
				Picture(&pictures[k], p, m.Placements[:1], PictureOptions{Label: letterLabels}),
				Text(&pictures[k], p, m.Placements[:1], TextOptions{Letters: true}),
			); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		if pictures[0].String() != pictures[1].String() {
			t.Errorf("%s: the picture of a tiling has clues", name)
		}
	}
}

// TestCluesOfLayers: a stack without its layers shows only given placements, also with gaps.
func TestCluesOfLayers(t *testing.T) {
	p := clued(t, "layers").Puzzle
	plain := *p
	plain.Walls, plain.Joined, plain.Regions = nil, nil, nil
	for _, o := range []PictureOptions{{View: stackView}, {View: sideView, Explode: 2}} {
		var with, without bytes.Buffer
		if err := errors.Join(Picture(&with, p, nil, o), Picture(&without, &plain, nil, o)); err != nil {
			t.Fatal(err)
		}
		_, a, _ := strings.Cut(with.String(), "</desc>")
		_, b, _ := strings.Cut(without.String(), "</desc>")
		if a != b || !strings.Contains(a, "<title>bar</title>") {
			t.Errorf("%v: no given placement, or other clues, in\n%s", o, a)
		}
	}
}

// TestSidesWhere: each pair of neighbours in a layer has one side, which both outlines have, and on a
// board that wraps a second one where they meet at a border.
func TestSidesWhere(t *testing.T) {
	for name := range cluedPuzzles {
		p := *clued(t, name).Puzzle
		p.Place, p.Joined = nil, nil
		for a, all := range p.Board.Neighbours() {
			for _, b := range all {
				p.Walls = [][2]int{{min(a, b), max(a, b)}}
				s, err := puzzleScene(&p)
				if err != nil {
					t.Fatal(err)
				}
				ends := func(e edge) [2]point {
					if e.to.compare(e.from) < 0 {
						return [2]point{e.to, e.from}
					}
					return [2]point{e.from, e.to}
				}
				var shared, got [][2]point
				for _, e := range s.around(p.Board.Cells[a]) {
					for _, f := range s.around(p.Board.Cells[b]) {
						if ends(e) == ends(f) && p.Board.Cells[a][0] == p.Board.Cells[b][0] {
							shared = append(shared, ends(e))
						}
					}
				}
				for layer := range s.layers() {
					for _, e := range s.sidesWhere(layer, func(d side) bool { return s.clues.pair(d) == wall }) {
						got = append(got, ends(e))
					}
				}
				if name == "torus" && len(shared) == 0 {
					if len(got) != 2 {
						t.Errorf("%s: cells %d and %d have the sides %v, want two at the border", name, a, b, got)
					}
					continue
				}
				if !slices.Equal(got, shared) {
					t.Errorf("%s: cells %d and %d have the sides %v, want %v", name, a, b, got, shared)
				}
			}
		}
	}
}

// TestInset: the corners of the outline of random regions, moved inwards, are as far from every border of
// their region as they should be, or further.
func TestInset(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	const by = 0.1
	for name := range cluedPuzzles {
		p := *clued(t, name).Puzzle
		for range 50 {
			r := tiling.Region{Name: "r"}
			for c := range p.Board.Cells {
				if rng.IntN(2) == 0 || c == 0 {
					r.Cells = append(r.Cells, c)
				}
			}
			p.Regions = []tiling.Region{r}
			s, err := puzzleScene(&p)
			if err != nil {
				t.Fatal(err)
			}
			x, y := s.lattice.Unit()
			for layer := range s.layers() {
				edges, _, _ := s.clues.regions.layerEdges(layer)
				for _, corners := range trace(slices.Clone(edges[0])) {
					for _, at := range inset(corners, x, y, by) {
						for _, e := range edges[0] {
							from, to := pen.Point{X: float64(e.from.x) * x, Y: float64(e.from.y) * y}, pen.Point{X: float64(e.to.x) * x, Y: float64(e.to.y) * y}
							if d := distance(at, from, to); d < by-1e-9 {
								t.Fatalf("%s, %v: %v is %v from a border, want %v", name, r.Cells, at, d, by)
							}
						}
					}
				}
			}
		}
	}
}

// distance returns the distance of a point from the line through two points.
func distance(p, a, b pen.Point) float64 {
	dx, dy := b.X-a.X, b.Y-a.Y
	share := min(max(((p.X-a.X)*dx+(p.Y-a.Y)*dy)/(dx*dx+dy*dy), 0), 1)
	return math.Hypot(p.X-a.X-share*dx, p.Y-a.Y-share*dy)
}

// TestBadClues: clues that are not of the puzzle are errors.
func TestBadClues(t *testing.T) {
	good := clued(t, "walls").Puzzle
	for name, spoil := range map[string]func(*tiling.Puzzle){
		"wall":       func(p *tiling.Puzzle) { p.Walls = [][2]int{{0, 24}} },
		"joined":     func(p *tiling.Puzzle) { p.Joined = [][2]int{{-1, 0}} },
		"region":     func(p *tiling.Puzzle) { p.Regions = []tiling.Region{{Name: "a", Cells: []int{99}}} },
		"two":        func(p *tiling.Puzzle) { p.Regions = []tiling.Region{{Cells: []int{0, 1}}, {Cells: []int{1}}} },
		"empty":      func(p *tiling.Puzzle) { p.Regions = []tiling.Region{{Name: "a"}} },
		"place":      func(p *tiling.Puzzle) { p.Place = []tiling.Part{{Piece: 99, Cells: []int{0}}} },
		"place cell": func(p *tiling.Puzzle) { p.Place = []tiling.Part{{Cells: []int{24}}} },
		"overlap":    func(p *tiling.Puzzle) { p.Place = append(p.Place, tiling.Part{Piece: 12, Cells: []int{4, 5}}) },
	} {
		p := *good
		spoil(&p)
		for _, err := range []error{Picture(io.Discard, &p, nil, PictureOptions{}), Text(io.Discard, &p, nil, TextOptions{})} {
			if !errors.Is(err, ErrInvalid) {
				t.Errorf("%s: error %v, want one that wraps ErrInvalid", name, err)
			}
		}
	}
}
