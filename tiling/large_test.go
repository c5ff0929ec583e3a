package tiling

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pavage/pavage/internal/test/testkit"
)

// diamond returns a drawing of the Aztec diamond of this order.
func diamond(order int) string {
	var b strings.Builder
	for row := range 2 * order {
		cells := min(row, 2*order-1-row) + 1
		side := strings.Repeat(".", order-cells)
		b.WriteString("  " + side + strings.Repeat("##", cells) + side + "\n")
	}
	return b.String()
}

// TestLargeBoards: boards of a million cells can be read and modelled: boxes, drawings that fill
// half of their box, figures, and boards that wrap.
func TestLargeBoards(t *testing.T) {
	side := testkit.Size(300, 1000)
	order, hexagon := 7*side/10, 4*side/10
	for _, c := range []struct {
		name, text        string
		cells, placements int
	}{
		{"square", fmt.Sprintf("board: %dx%[1]d", side), side * side, 2 * side * (side - 1)},
		{"cylinder", fmt.Sprintf("board: %dx%[1]d\nwrap: rows", side), side * side, 2*side*side - side},
		{"drawn diamond", "board: |\n" + diamond(order), 2 * order * (order + 1), 4 * order * order},
		{"diamond", fmt.Sprintf("board: {diamond: %d}", order), 2 * order * (order + 1), 4 * order * order},
		{"hexagon", fmt.Sprintf("lattice: triangle\nboard: {hexagon: %d}", hexagon), 6 * hexagon * hexagon, 3 * hexagon * (3*hexagon - 1)},
	} {
		if c.name == "cylinder" && !testkit.IsLong() {
			continue // symmetries need the same time as on the largest board
		}
		p, err := parse("f", []byte(c.text+"\npieces: [{name: "+map[bool]string{true: "lozenge", false: "domino"}[c.name == "hexagon"]+", copies: any}]"))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		m, err := p.Model(t.Context())
		if err != nil || len(p.Board.Cells) != c.cells || len(m.Placements) != c.placements {
			t.Errorf("%s: %d cells, error %v; want %d cells and %d placements", c.name, len(p.Board.Cells), err, c.cells, c.placements)
		}
	}
}
