package render

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/pavage/pavage/internal/test/puzzletest"
	"github.com/pavage/pavage/tiling"
)

// TestTree: a tree as text, in pictures, and the errors of formats that cannot draw it.
func TestTree(t *testing.T) {
	m := puzzletest.Inline(t, "##.#\n####\n#.##", "domino=any")
	tree := Tiling{Tree: true}
	for _, ends := range [][2]int{{0, 1}, {1, 4}, {3, 4}, {4, 5}, {2, 6}, {5, 6}, {3, 7}, {5, 8}, {8, 9}} {
		tree.Placements = append(tree.Placements, tiling.Placement{Cells: ends[:]})
	}
	for name, want := range map[string]string{
		"text": "tree 1\n╶─┐   ╷\n┌─┴─┬─┘\n╵   └─╴\n",
		"json": `{"placements":[{"piece":"domino","cells":[[0,0],[0,1]]},`,
		"svg":  "<path ",
		"png":  "PNG",
		"tikz": "line width=0.2cm",
	} {
		var out strings.Builder
		w := FormatOf(name).Begin(&out, m.Puzzle, Options{})
		if err := errors.Join(w.Add(tree), w.Close()); err != nil || !strings.Contains(out.String(), want) {
			t.Errorf("%s: %v\n%s, want\n%s", name, err, out.String(), want)
		}
	}
	w := FormatOf("sheet").Begin(io.Discard, m.Puzzle, Options{})
	if err := errors.Join(w.Add(tree), w.Add(tree), w.Close()); err != nil {
		t.Errorf("a sheet: %v", err)
	}
	wrapped := puzzletest.Parse(t, "{board: 3x3, wrap: both, pieces: [{name: domino, copies: any}]}")
	hexagons := puzzletest.Parse(t, "{lattice: hexagon, board: 2x2, pieces: [{name: pair, cells: [[0, 0], [0, 1]], copies: any}]}")
	for _, c := range []struct {
		format string
		puzzle *tiling.Puzzle
		edge   []int
	}{
		{"stl", m.Puzzle, []int{0, 1}},
		{"svg", wrapped.Puzzle, []int{0, 2}},
		{"text", wrapped.Puzzle, []int{0, 2}},
		{"text", hexagons.Puzzle, []int{0, 1}},
		{"text", m.Puzzle, []int{0, 9}},
		{"svg", m.Puzzle, []int{0, 10}},
		{"svg", m.Puzzle, []int{0}},
	} {
		w := FormatOf(c.format).Begin(io.Discard, c.puzzle, Options{})
		err := w.Add(Tiling{Tree: true, Placements: []tiling.Placement{{Cells: c.edge}}})
		if err := errors.Join(err, w.Close()); !errors.Is(err, ErrInvalid) {
			t.Errorf("%s of %v: %v", c.format, c.edge, err)
		}
	}
}

// TestExclusiveOptions: errors about options that exclude one another are about no tiling.
func TestExclusiveOptions(t *testing.T) {
	m := puzzletest.Inline(t, "2x2", "domino=any")
	tilings := [][]tiling.Placement{{m.Placements[0]}, {m.Placements[0]}}
	for _, o := range []PictureOptions{
		{tree: true, Heights: true},
		{tree: true, Double: true},
		{tree: true, Label: numberLabels},
		{Double: true, Heights: true},
		{Double: true, Label: numberLabels},
	} {
		if err := Sheet(io.Discard, m.Puzzle, tilings, o); !errors.Is(err, ErrInvalid) || strings.Contains(err.Error(), "tiling 0") {
			t.Errorf("%+v: %v", o, err)
		}
	}
}
