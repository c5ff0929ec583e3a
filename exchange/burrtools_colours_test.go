package exchange

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

// TestColoursOfOneSide: colours that only the board has, or only the pieces, exclude no placement.
// But symmetries preserve the colours of the board, and BurrTools counts a piece twice if it can
// lie on the same cells with different colours.
func TestColoursOfOneSide(t *testing.T) {
	const file = `<puzzle version="2"><colors><color red="0" green="0" blue="0"/></colors><shapes>` +
		`<voxel x="2" y="1" z="1" type="0">%s</voxel><voxel x="2" y="1" z="1" type="0">%s</voxel></shapes>` +
		`<problems><problem><shapes><shape id="0"/></shapes><result id="1"/></problem></problems></puzzle>`
	for _, c := range []struct {
		piece, board string
		group        int
		warned       bool
	}{
		{"##", "##", 2, false},
		{"##", "#1#", 1, false},
		{"##", "#1#1", 2, false},
		{"#1#", "##", 2, true},
	} {
		made, err := Read(context.Background(), "xmpuzzle", "f", fmt.Appendf(nil, file, c.piece, c.board), Options{})
		if err != nil {
			t.Fatal(err)
		}
		m, err := made.Puzzle.Model(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if group := len(m.Group(true).Elements); len(m.Placements) != 1 || group != c.group {
			t.Errorf("%s on %s: %d placements, a group of order %d, want 1 and %d", c.piece, c.board, len(m.Placements), group, c.group)
		}
		if warned := strings.Contains(fmt.Sprint(made.Warnings), "different colours"); warned != c.warned {
			t.Errorf("%s on %s: remarks %q", c.piece, c.board, made.Warnings)
		}
	}
}
