package exchange

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/pavage/pavage/tiling"
)

// puzzleWriter writes a puzzle file, of which package tiling reads the same puzzle: its form
// Literal has the same bytes, but for parameters. Sets of pieces and shapes of boards are not found again: each
// piece and each board is written with its cells. Of parameters the chosen values are
// written, as cells that stay open, and nothing else. A colour that no cell has is left out.
type puzzleWriter struct {
	bytes.Buffer
	*tiling.Puzzle
	letters string // that of colour k at k-1; a blank for one that no cell has
}

func writePuzzle(_ context.Context, w io.Writer, m *tiling.Model) error {
	p := &puzzleWriter{Puzzle: m.Puzzle}
	if err := p.chooseLetters(); err != nil {
		return err
	}
	p.line("title", quotedText(p.Title), p.Title != "")
	p.line("lattice", p.Board.Lattice.String(), true)
	p.board()
	p.line("wrap", p.Board.Wrap.String(), p.Board.Wrap != tiling.NoWrap)
	p.colours()
	p.WriteString("pieces:\n")
	for _, piece := range p.Pieces {
		fmt.Fprintf(p, "  - {name: %s, %s, copies: %s, motions: %s}\n", quotedText(piece.Name), p.shape(piece), piece.Copies(), piece.Motions)
	}
	p.groups()
	p.parts("place", p.Place)
	p.parts("forbid", p.Forbid)
	if _, err := tiling.Parse("what is written", p.Bytes()); err != nil { // a limit of files, such as their length
		return unsaid("a puzzle file cannot hold this puzzle: %v", err)
	}
	_, err := w.Write(p.Bytes())
	return err
}

// line writes a key and its value, if it is wanted.
func (p *puzzleWriter) line(key, value string, wanted bool) {
	if wanted {
		fmt.Fprintf(p, "%s: %s\n", key, value)
	}
}

// board writes the size of a full box, a drawing, or rows of words. A drawing of hexagons or
// triangles would not say where in its box the board lies; words do, and only they have the names of
// cells.
func (p *puzzleWriter) board() {
	b := p.Board
	full := len(b.Cells) == b.Size[0]*b.Size[1]*b.Size[2]
	all := !slices.Contains(b.Optional, false)
	some := slices.Contains(b.Optional, true) && !all
	switch {
	case full && !some && len(b.Names) == 0:
		p.line("board", b.Lattice.SizeName(b.Size), true)
	case b.Lattice.Dimensions() == 3 || b.Lattice == tiling.Square && len(b.Names) == 0:
		p.line("board", quotedText(drawing(b.Typed())), true)
	default:
		p.words(all)
	}
	p.line("cover", "at-most", all)
}

// drawing is a text of rows, with a blank line between layers.
func drawing(layers [][]string) string {
	texts := make([]string, len(layers))
	for i, rows := range layers {
		texts[i] = strings.Join(rows, "\n")
	}
	return strings.Join(texts, "\n\n")
}

// words writes a row of words for each row of the board. Places with a name that are not on the
// board stay open.
func (p *puzzleWriter) words(allOptional bool) {
	b := p.Board
	var open []tiling.Cell
	p.WriteString("board:\n")
	for r := range b.Size[1] {
		row := make([]string, b.Size[2])
		for c := range row {
			at := tiling.Cell{0, r, c}
			i, name := b.Index(at), b.Names[at]
			switch {
			case i < 0 && name != "":
				row[c], open = name, append(open, at)
			case i < 0:
				row[c] = "."
			case b.Optional[i] && !allOptional:
				row[c] = "o"
			case name != "":
				row[c] = name
			default:
				row[c] = "#"
			}
		}
		fmt.Fprintf(p, "  - %s\n", quotedText(strings.Join(row, " ")))
	}
	p.line("open", p.cells(open), len(open) > 0)
}

// shape is the key and the value for the cells of a piece: a drawing if they have colours.
func (p *puzzleWriter) shape(piece tiling.Piece) string {
	if !slices.ContainsFunc(piece.Colours, isColour) {
		return "cells: " + p.cells(piece.Shape)
	}
	return "shape: " + quotedText(p.tinted(piece))
}

// cells are a list of cells.
func (p *puzzleWriter) cells(cells []tiling.Cell) string {
	return jsonText(p.Board.Lattice.Written(cells))
}

// groups writes the bounds of several pieces together.
func (p *puzzleWriter) groups() {
	if len(p.Groups) == 0 {
		return
	}
	p.WriteString("groups:\n")
	for _, g := range p.Groups {
		names := make([]string, len(g.Pieces))
		for i, k := range g.Pieces {
			names[i] = p.Pieces[k].Name
		}
		fmt.Fprintf(p, "  - {of: %s, copies: %s}\n", jsonText(names), g.Copies())
	}
}

// parts writes the value of place or forbid: a whole placement has cells, a part of one covers
// some.
func (p *puzzleWriter) parts(key string, parts []tiling.Part) {
	if len(parts) == 0 {
		return
	}
	fmt.Fprintf(p, "%s:\n", key)
	for _, part := range parts {
		piece := p.Pieces[part.Piece]
		cells := make([]tiling.Cell, len(part.Cells))
		for i, c := range part.Cells {
			cells[i] = p.Board.Cells[c]
		}
		fmt.Fprintf(p, "  - {piece: %s", quotedText(piece.Name))
		switch len(cells) {
		case 0: // each placement of the piece
		case len(piece.Shape):
			fmt.Fprintf(p, ", cells: %s", p.cells(cells))
		default:
			fmt.Fprintf(p, ", covers: %s", p.cells(cells))
		}
		p.WriteString("}\n")
	}
}

// quotedText is a text as JSON and YAML have it.
func quotedText(text string) string { return jsonText(text) }

// jsonText is a value as JSON and YAML have it: a text, or lists of texts or numbers.
func jsonText(value any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(value) != nil {
		return "" // such values always have a JSON
	}
	return strings.TrimSuffix(b.String(), "\n")
}
