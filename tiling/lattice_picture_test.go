package tiling_test

import (
	"bytes"
	"context"
	"flag"
	"os"
	"slices"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/render"
	"github.com/pavage/pavage/tiling"
)

var update = flag.Bool("update", false, "write the pictures in testdata instead of comparing with them")

// TestPicturesOfOtherLattices: package render draws lattices that are not in the list of lattices.
func TestPicturesOfOtherLattices(t *testing.T) {
	for _, l := range []*tiling.Lattice{tiling.Hexagon, tiling.Triangle} {
		m := flower(t, l)
		placements := packed(m)
		for _, placements := range [][]tiling.Placement{placements, nil} {
			name := "testdata/" + l.String()
			if placements == nil {
				name += "-board"
			}
			var svg, text bytes.Buffer
			if err := render.Picture(&svg, m.Puzzle, placements, render.PictureOptions{Label: "letters"}); err != nil {
				t.Error(err)
			}
			if err := render.Text(&text, m.Puzzle, placements, render.TextOptions{Letters: true}); err != nil {
				t.Error(err)
			}
			compare(t, name+".svg", svg.Bytes())
			compare(t, name+".txt", text.Bytes())
		}
	}
}

// flower returns a board of the cells within two steps of a cell of Hexagon, or four steps of a
// cell of Triangle, with pieces of three cells.
func flower(t *testing.T, l *tiling.Lattice) *tiling.Model {
	t.Helper()
	near := map[tiling.Cell]int{{0, 2, 2}: 0}
	reach := 2
	if l == tiling.Triangle {
		reach = 4
	}
	for step := range reach {
		for c, at := range near {
			for _, s := range l.Steps(c) {
				n := tiling.Cell{c[0] + s[0], c[1] + s[1], c[2] + s[2]}
				if _, met := near[n]; !met && at == step {
					near[n] = step + 1
				}
			}
		}
	}
	var cells []tiling.Cell
	for c := range near {
		cells = append(cells, c)
	}
	shape := l.Shape(cells...)
	b := &tiling.Board{Lattice: l, Size: shape.Size(), Cells: shape, Optional: make([]bool, len(shape))}
	b.Optional[len(shape)/2] = true
	p := &tiling.Puzzle{Title: "A flower of " + l.String() + "s", Board: b}
	p.Pieces = []tiling.Piece{
		{Name: "one", Shape: l.Shape(tiling.Cell{}), Lattice: l, Max: 1},
		{Name: "bar", Shape: l.Shape(tiling.Cell{}, tiling.Cell{0, 0, 1}, tiling.Cell{0, 0, 2}), Lattice: l, Max: cover.Unbounded},
		{Name: "two", Shape: l.Shape(tiling.Cell{}, tiling.Cell{0, 0, 1}), Lattice: l, Max: 2},
	}
	m, err := p.Model(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// packed returns a greedy packing: each placement that fits beside the earlier placements is
// chosen.
func packed(m *tiling.Model) (placements []tiling.Placement) {
	taken := map[int]bool{}
	for k := range m.Placements {
		p := m.Placements[(k*7)%len(m.Placements)]
		if !slices.ContainsFunc(p.Cells, func(c int) bool { return taken[c] }) {
			placements = append(placements, p)
			for _, c := range p.Cells {
				taken[c] = true
			}
		}
	}
	return placements
}

func compare(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("not what %s holds (%v):\n%s", file, err, got)
	}
}
