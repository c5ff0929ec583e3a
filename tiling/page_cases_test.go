package tiling_test

import (
	"testing"

	"github.com/pavage/pavage/internal/test/testkit"
	"github.com/pavage/pavage/tiling"
)

// pageCell is the geometry that the page needs of a cell: its corners, and the cells across its
// sides.
type pageCell struct {
	Lattice    string   `json:"lattice"`
	Cell       [3]int   `json:"cell"`
	Unit       []any    `json:"unit"`
	Corners    [][2]int `json:"corners"`
	Neighbours [][3]int `json:"neighbours"`
}

// TestPageLattices: the page has lattices of its own, in TypeScript. Its tests compare them with
// this file.
func TestPageLattices(t *testing.T) {
	var all []any
	for _, l := range []*tiling.Lattice{tiling.Square, tiling.Cube, tiling.Hexagon, tiling.Triangle} {
		for _, cell := range []tiling.Cell{{0, 0, 0}, {0, 0, 1}, {0, 1, 0}, {0, 3, 5}, {2, 4, 3}, {0, -1, 2}, {-1, -2, -3}} {
			if l.Dimensions() == 2 {
				cell[0] = 0
			}
			x, y := l.Unit()
			c := pageCell{Lattice: l.String(), Cell: cell, Unit: []any{x, y}}
			for _, corner := range l.Outline(cell) {
				c.Corners = append(c.Corners, [2]int{corner.X, corner.Y})
			}
			for _, step := range l.Steps(cell) {
				c.Neighbours = append(c.Neighbours, [3]int{cell[0] + step[0], cell[1] + step[1], cell[2] + step[2]})
			}
			all = append(all, c)
		}
	}
	testkit.Page(t, "../web/src/model/testdata/lattices.json", all, *update, "go test ./tiling -run TestPageLattices -update")
}
