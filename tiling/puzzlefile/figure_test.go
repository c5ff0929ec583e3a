package puzzlefile

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/pavage/pavage/tiling"
)

// TestBadDrawings: marks at places where no cell can be, and drawings that are no figure.
func TestBadDrawings(t *testing.T) {
	for file, want := range map[string]string{
		"lattice: hexagon\nboard: |\n  # # #\n  # # #\n":         `f:4:3: line 2 of the drawing has '#' in a wrong column, expected marks two characters apart`,
		"lattice: hexagon\nboard: |\n  # #\n   # ##\n":           `f:4:7: line 2 of the drawing has '#' in a wrong column`,
		"lattice: hexagon\nboard: |\n  # #\n   # x\n":            `f:4:6: line 2 of the drawing has "x", expected '#', 'o', '.' or a blank; a letter needs the key "colours" of a puzzle file`,
		"lattice: hexagon\nboard: |\n  # #\n\n  # #\n":           `the board has three dimensions, but the hexagon lattice has two`,
		"lattice: triangle\nboard: |\n  ^v^v\n  ^v^v\n":          `f:4:3: line 2 of the drawing has '^' where triangles point down, expected 'v'`,
		"lattice: triangle\nboard: |\n  ^v\n  v^^\n":             `f:4:5: line 2 of the drawing has '^' where triangles point down`,
		"lattice: triangle\nboard: |\n  ^#\n":                    `f:3:4: line 1 of the drawing has "#", expected '^', 'v', 'o', '.' or a blank`,
		"lattice: triangle\nboard: |\n  ...\n":                   `the board has no cell, expected at least one '^', 'v' or 'o'`,
		"lattice: square\nboard: {hexagon: 3}\n":                 `f:2:9: the square lattice has no boards in the shape of a hexagon, expected lattice: hexagon or lattice: triangle`,
		"lattice: triangle\nboard: {diamond: 3}\n":               `f:2:9: the triangle lattice has no boards in the shape of a diamond, expected lattice: square`,
		"board: {diamond: [3, 3]}\n":                             `f:1:9: the size of a diamond has 2 numbers, expected 1`,
		"board: {diamond: 1000}\n":                               `f:1:9: a diamond with these sides has 2002000 cells, expected at most 1048576 cells`,
		"board: {hexagon: 3, triangle: 2}\n":                     `f:1:8: the board has 2 shapes, expected one shape such as {hexagon: [4, 4, 4]}`,
		"board: {}\n":                                            `f:1:8: the board has 0 shapes`,
		"board: {hexagon: []}\n":                                 `f:1:9: the size of a hexagon has 0 numbers, expected 1 or 3`,
		"board: {hexagon: [1, 2]}\n":                             `f:1:9: the size of a hexagon has 2 numbers, expected 1 or 3`,
		"board: {hexagon: [1, 0, 2]}\n":                          `f:1:22: bad side "0", expected a side of 1..4096`,
		"board: {hexagon: [1, [2], 2]}\n":                        `f:1:22: a side is a list, expected a number`,
		"board: {circle: 3}\n":                                   `f:1:9: unknown shape of a board "circle", expected diamond, hexagon, rhombus or triangle`,
		"board: {hexagon: 4096}\n":                               `f:1:9: a hexagon with these sides has 100663296 cells, expected at most 1048576 cells`,
		"lattice: hexagon\nboard: 2x3\npieces: [hexiamonds]\n":   `f:3:10: hexiamonds is made of triangles, expected lattice: triangle`,
		"board: {triangle: 2}\npieces: [tetrahexes]\n":           `f:2:10: tetrahexes is made of hexagons, expected lattice: hexagon`,
		"board: {triangle: 2}\npieces: [{name: a, shape: vv}]\n": `line 1 of the drawing has 'v' where triangles point up, expected '^'`,
	} {
		if !strings.Contains(file, "pieces") {
			file += "pieces: [{name: a, cells: [[0, 0]]}]\n"
		}
		_, err := Parse("f", []byte(file))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q:\n got %v\nwant %s", file, err, want)
		}
	}
}

// TestOptionalTriangles: with 'o' alone, the first place of the first row points up.
func TestOptionalTriangles(t *testing.T) {
	p, err := Words{Lattice: "triangle", Board: "oo/oo", Pieces: []string{"lozenge=any"}}.Puzzle()
	if err != nil || !slices.Equal(p.Board.Cells, []tiling.Cell{{0, 0, 0}, {0, 0, 1}, {0, 1, 0}, {0, 1, 1}}) {
		t.Fatalf("%v, %v", p, err)
	}
	if m, err := p.Model(context.Background()); err != nil || len(m.Placements) != 3 {
		t.Errorf("%v, want 3 placements", err)
	}
}
