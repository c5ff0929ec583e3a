package exchange

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/xml"
	"fmt"
	"io"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/tiling"
)

// writeBurrTools writes a puzzle as BurrTools saves it: packed by gzip. Only what its pieces can
// do may be asked of ours: in space they are turned, in the plane turned over too.
func writeBurrTools(_ context.Context, w io.Writer, m *tiling.Model) error {
	p := m.Puzzle
	lattice := p.Board.Lattice
	motions := tiling.OneSided
	switch {
	case lattice != tiling.Square && lattice != tiling.Cube:
		return unsaid("the board is on the %s lattice, which is not written to files of BurrTools: want square or cube", lattice)
	case p.Board.Wrap != tiling.NoWrap:
		return unsaid("the board wraps, which BurrTools has not")
	case len(p.Colours) > maxBurrColours:
		return unsaid("%d colours, and BurrTools has at most %d", len(p.Colours), maxBurrColours)
	case len(p.Groups) > 0:
		return unsaid("the puzzle has groups of pieces, which BurrTools has not")
	case len(p.Place)+len(p.Forbid) > 0:
		return unsaid("the puzzle has placements that must be there or are forbidden, which BurrTools has not")
	case lattice == tiling.Square:
		motions = tiling.Free
	}
	for _, piece := range p.Pieces {
		turned := piece
		turned.Motions = motions
		if piece.Motions != motions && len(turned.Orientations()) != len(piece.Orientations()) {
			return unsaid("piece %s is %s, and BurrTools would turn it more, or less: want %s", wording.Quote(piece.Name), piece.Motions, motions)
		}
	}
	if name := twoFaced(p); name != "" {
		return unsaid("piece %s may lie on the same cells with other colours, which is one placement here and two in BurrTools", wording.Quote(name))
	}
	var text bytes.Buffer
	text.WriteString("<?xml version=\"1.0\"?>\n<puzzle version=\"2\">\n <gridType type=\"0\"/>\n <colors>")
	for c := range p.Colours {
		fmt.Fprintf(&text, "<color red=\"%d\" green=\"%d\" blue=\"%d\"/>", 85*(c%4), 85*(c/4%4), 85*(c/16%4))
	}
	text.WriteString("</colors>\n <shapes>\n")
	for _, piece := range p.Pieces {
		writeVoxels(&text, piece.Name, tiling.Board{Cells: piece.Shape, Size: piece.Shape.Size(), Colours: piece.Colours})
	}
	writeVoxels(&text, "board", *p.Board)
	text.WriteString(" </shapes>\n <problems>\n  <problem state=\"0\">\n   <shapes>\n")
	for i, piece := range p.Pieces {
		most := piece.Max
		if most == cover.Unbounded {
			most = max(piece.Min, len(p.Board.Cells)/len(piece.Shape))
		}
		fmt.Fprintf(&text, "    <shape id=\"%d\" min=\"%d\" max=\"%d\"/>\n", i, piece.Min, most)
	}
	fmt.Fprintf(&text, "   </shapes>\n   <result id=\"%d\"/>\n   <bitmap>", len(p.Pieces))
	for _, pair := range p.Allow {
		fmt.Fprintf(&text, "<pair piece=\"%d\" result=\"%d\"/>", pair.Piece-1, pair.Board-1)
	}
	fmt.Fprintf(&text, "</bitmap>\n  </problem>\n </problems>\n <comment>%s</comment>\n</puzzle>\n", escaped(p.Title))
	packed := gzip.NewWriter(w)
	if _, err := packed.Write(text.Bytes()); err != nil {
		return err
	}
	return packed.Close()
}

// writeVoxels writes a shape.
func writeVoxels(w *bytes.Buffer, name string, b tiling.Board) {
	at := 0
	fmt.Fprintf(w, "  <voxel x=\"%d\" y=\"%d\" z=\"%d\" name=\"%s\" type=\"0\">", b.Size[2], b.Size[1], b.Size[0], escaped(name))
	for l := range b.Size[0] {
		for r := range b.Size[1] {
			for c := range b.Size[2] {
				if at == len(b.Cells) || b.Cells[at] != (tiling.Cell{l, r, c}) {
					w.WriteByte('_')
					continue
				}
				if b.Optional != nil && b.Optional[at] {
					w.WriteByte('+')
				} else {
					w.WriteByte('#')
				}
				if b.Colours != nil && b.Colours[at] > 0 {
					fmt.Fprintf(w, "%d", b.Colours[at])
				}
				at++
			}
		}
	}
	w.WriteString("</voxel>\n")
}

// escaped is a text within XML.
func escaped(text string) string {
	var b bytes.Buffer
	if xml.EscapeText(&b, []byte(text)) != nil {
		return "" // a buffer takes everything
	}
	return b.String()
}
