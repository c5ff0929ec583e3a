package render

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pavage/pavage/internal/test/puzzletest"
	"github.com/pavage/pavage/internal/test/testkit"
	"github.com/pavage/pavage/render/pen"
	"github.com/pavage/pavage/tiling"
)

// torn are some of a tiling's placements: with the same cells in other pieces now and then,
// or none at all.
func torn(rng *rand.Rand, p *tiling.Puzzle, t []tiling.Placement) (some []tiling.Placement) {
	for _, pl := range t {
		switch rng.IntN(4) {
		case 0:
		case 1:
			for _, c := range pl.Cells {
				some = append(some, tiling.Placement{Piece: rng.IntN(len(p.Pieces)), Cells: []int{c}})
			}
		default:
			some = append(some, pl)
		}
	}
	return some
}

// TestTextWriterForgets: the output of a writer for a tiling does not depend on the tilings before,
// and equals the output of Text.
func TestTextWriterForgets(t *testing.T) {
	for seed := range uint64(testkit.Size(150, 2000)) {
		rng := rand.New(rand.NewPCG(seed, 5))
		p, pls := randomPacking(t, rng)
		o := TextOptions{Color: rng.IntN(2) == 0, Letters: rng.IntN(4) > 0, width: rng.IntN(100)}
		var got, want bytes.Buffer
		w := FormatOf("text").Begin(&got, p, Options{Text: o})
		for k := range 6 {
			some := torn(rng, p, pls)
			if k > 0 {
				fmt.Fprintln(&want)
			}
			fmt.Fprintf(&want, "tiling %d\n", k+1)
			if err := Text(&want, p, some, o); err != nil {
				t.Fatal(err)
			}
			if err := w.Add(Tiling{Placements: some}); err != nil {
				t.Fatal(err)
			}
			if got.String() != want.String() {
				t.Fatalf("seed %d, tiling %d:\n%s, want\n%s", seed, k, got.String(), want.String())
			}
		}
	}
}

// wrapped are boards of all lattices, and of all ways to glue them.
var wrapped = []string{
	"{board: 4x6, wrap: rows, pieces: [{name: I3, copies: any}]}",
	"{board: 5x4, wrap: columns, pieces: [{name: L3, copies: any}, {name: domino, copies: any}]}",
	"{board: \"###\\n#.#\\n###\", wrap: both, pieces: [{name: domino, copies: any}]}",
	"{board: 4x4, wrap: klein, pieces: [{name: L3, copies: any}]}",
	"{board: 3x5, wrap: moebius, pieces: [{name: domino, copies: any}]}",
	"{board: 4x5, lattice: hexagon, pieces: [{cells: [[0, 0], [0, 1], [0, 2]], name: one, copies: any}]}",
	"{board: 4x5, lattice: hexagon, wrap: both, pieces: [{cells: [[0, 0], [0, 1], [0, 2]], name: one, copies: any}]}",
	"{board: 4x6, lattice: triangle, pieces: [{cells: [[0, 0], [0, 1]], name: two, copies: any}]}",
}

// randomPacking is a random board with placements on it.
func randomPacking(t *testing.T, rng *rand.Rand) (*tiling.Puzzle, []tiling.Placement) {
	t.Helper()
	if rng.IntN(2) == 0 {
		return randomScene(rng)
	}
	m := puzzletest.Parse(t, wrapped[rng.IntN(len(wrapped))])
	taken, pls := map[int]bool{}, []tiling.Placement(nil)
	for _, k := range rng.Perm(len(m.Placements)) {
		pl := m.Placements[k]
		free := true
		for _, c := range pl.Cells {
			free = free && !taken[c]
		}
		if free {
			pls = append(pls, pl)
			for _, c := range pl.Cells {
				taken[c] = true
			}
		}
	}
	return m.Puzzle, pls
}

// TestGrid compares the characters of outlines with the borders of the scene between the four cells
// that touch in each.
func TestGrid(t *testing.T) {
	for seed := range uint64(testkit.Size(150, 2000)) {
		rng := rand.New(rand.NewPCG(seed, 6))
		p, pls := randomPacking(t, rng)
		d, err := newDrawer(p, TextOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if !d.squares {
			continue
		}
		for range 2 {
			if err := d.place(torn(rng, p, pls)); err != nil {
				t.Fatal(err)
			}
			for layer := range d.layers() {
				plan := d.planOf(layer)
				plan.draw(d)
				for y, line := range plan.canvas {
					for x, got := range line {
						if want := d.outlinedChar(layer, y, x); got != want {
							t.Fatalf("seed %d, layer %d, line %d, column %d: %q, want %q", seed, layer, y, x, got.char, want.char)
						}
					}
				}
			}
		}
	}
}

// outlinedChar is what line y and column x show of the outlines: the slow way.
func (d *drawer) outlinedChar(layer, y, x int) cellText {
	above, below := (y+1)/2-1, y/2
	left, right := (x+3)/4-1, x/4
	nw, ne := tiling.Cell{layer, above, left}, tiling.Cell{layer, above, right}
	sw, se := tiling.Cell{layer, below, left}, tiling.Cell{layer, below, right}
	lines, seams := 0, 0
	for k, pair := range [4][2]tiling.Cell{{nw, sw}, {nw, ne}, {ne, se}, {sw, se}} {
		switch d.state(d.side(pair[0], pair[1])) {
		case seamSide:
			seams |= 1 << k
		case lineSide:
			lines |= 1 << k
		}
	}
	switch {
	case lines == 0 && seams == seams&5 && seams > 0:
		return cellText{char: dashed['─'], owner: hole}
	case lines == 0 && seams == seams&10 && seams > 0:
		return cellText{char: dashed['│'], owner: hole}
	case lines|seams > 0:
		return cellText{char: boxes[lines|seams], owner: hole}
	case d.inside(nw) && d.shaded[d.position(nw)]:
		return cellText{char: shade, owner: hole}
	}
	return cellText{char: ' ', owner: d.at(nw)}
}

// TestWritersAllocateNothing: tilings come by the hundred thousand.
func TestWritersAllocateNothing(t *testing.T) {
	m := puzzletest.Parse(t, "{board: 2x3, pieces: [{name: domino, copies: any}]}")
	one := Tiling{Placements: []tiling.Placement{m.Placements[0], m.Placements[2], m.Placements[6]}, Cursor: "0.2.6"}
	for _, name := range []string{"text", "json"} {
		w := FormatOf(name).Begin(io.Discard, m.Puzzle, Options{Text: TextOptions{Letters: true}})
		n := testing.AllocsPerRun(100, func() {
			if err := w.Add(one); err != nil {
				t.Fatal(err)
			}
		})
		if n > 0 {
			t.Errorf("%s: %v allocations a tiling", name, n)
		}
	}
}

// TestMarks: the digits of placements stand in their cells, in place of letters, in text and in
// pictures.
func TestMarks(t *testing.T) {
	p := puzzletest.Parse(t, `{board: 2x3, pieces: [{name: d, shape: "35"}, {name: x, shape: "0", copies: any}, {name: bar, shape: "###"}]}`).Puzzle
	tiling := []tiling.Placement{{Cells: []int{3, 0}, Marks: "53"}, {Piece: 1, Cells: []int{4}, Marks: "0"}}
	var out strings.Builder
	if err := Text(&out, p, tiling, TextOptions{Letters: true}); err != nil {
		t.Fatal(err)
	}
	const want = `
┌───┬───────┐
│ 3 │ ·   · │
│   ├───┐   │
│ 5 │ 0 │ · │
└───┴───┴───┘
`
	if "\n"+out.String() != want {
		t.Errorf("%s, want%s", out.String(), want)
	}
	out.Reset()
	if err := Picture(&out, p, tiling, PictureOptions{Format: pen.SVG, Label: letterLabels}); err != nil {
		t.Fatal(err)
	}
	for _, digit := range []string{">3<", ">5<", ">0<"} {
		if strings.Count(out.String(), digit) != 1 {
			t.Errorf("no %s in %s", digit, out.String())
		}
	}
	if strings.Contains(out.String(), ">D</text>") || strings.Contains(out.String(), ">d</text>") {
		t.Errorf("a letter on marks: %s", out.String())
	}
	tiling[0].Marks = "1"
	wantInvalid(t, Text(&out, p, tiling, TextOptions{}), "1 marks on 2 cells")
}
