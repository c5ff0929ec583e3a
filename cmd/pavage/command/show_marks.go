package command

import (
	"fmt"
	"io"
	"strings"

	"github.com/pavage/pavage/render"
	"github.com/pavage/pavage/tiling"
)

// writeMarks writes what a puzzle has besides board and pieces: colours, groups, places.
func writeMarks(w io.Writer, p *tiling.Puzzle) {
	if len(p.Colours) > 0 {
		var names []string
		for i, label := range render.ColourLabels(p) {
			names = append(names, fmt.Sprintf("%s %s", label, p.Colours[i]))
		}
		fmt.Fprintf(w, "colours: %s\n", strings.Join(names, ", "))
	}
	for _, pair := range p.Allow {
		if pair.Piece != pair.Board {
			fmt.Fprintf(w, "allowed: %s of a piece on %s of the board\n", p.Colours[pair.Piece-1], p.Colours[pair.Board-1])
		}
	}
	for _, g := range p.Groups {
		var names []string
		for _, k := range g.Pieces {
			names = append(names, p.Pieces[k].Name)
		}
		fmt.Fprintf(w, "group: %s copies in all of %s\n", g.Copies(), strings.Join(names, ", "))
	}
	writeParts(w, "place", p, p.Place)
	writeParts(w, "forbidden", p, p.Forbid)
}

func writeParts(w io.Writer, what string, p *tiling.Puzzle, parts []tiling.Part) {
	for _, part := range parts {
		fmt.Fprintf(w, "%s: %s", what, p.Pieces[part.Piece].Name)
		if len(part.Cells) > 0 {
			var cells []tiling.Cell
			for _, c := range part.Cells {
				cells = append(cells, p.Board.Cells[c])
			}
			fmt.Fprintf(w, " on %v", p.Board.Lattice.Written(cells))
		}
		fmt.Fprintln(w)
	}
}
