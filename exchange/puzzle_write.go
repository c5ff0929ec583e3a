package exchange

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/pavage/pavage/tiling"
)

// writePuzzle writes a puzzle file, of which package tiling reads the same puzzle. Sets of pieces
// are not found again: each piece is written with its cells.
func writePuzzle(_ context.Context, w io.Writer, m *tiling.Model) error {
	p := m.Puzzle
	if err := plain(p, "this program cannot write to a puzzle file"); err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	if p.Title != "" {
		fmt.Fprintf(b, "title: %s\n", quotedText(p.Title))
	}
	fmt.Fprintf(b, "lattice: %s\n", p.Board.Lattice)
	if err := writeBoard(b, p.Board); err != nil {
		return err
	}
	if p.Board.Wrap != tiling.NoWrap {
		fmt.Fprintf(b, "wrap: %s\n", p.Board.Wrap)
	}
	fmt.Fprint(b, "pieces:\n")
	for _, piece := range p.Pieces {
		cells, err := json.Marshal(p.Board.Lattice.Written(piece.Shape))
		if err != nil {
			return err // numbers always have a JSON
		}
		fmt.Fprintf(b, "  - {name: %s, cells: %s, copies: %s, motions: %s}\n", quotedText(piece.Name), cells, piece.Copies(), piece.Motions)
	}
	return b.Flush()
}

// plain refuses a puzzle that has more than a board and pieces.
func plain(p *tiling.Puzzle, who string) error {
	for _, more := range []struct {
		what string
		is   bool
	}{
		{"colours", len(p.Colours) > 0},
		{"groups of pieces", len(p.Groups) > 0},
		{"placements that must be there", len(p.Place) > 0},
		{"placements that are forbidden", len(p.Forbid) > 0},
	} {
		if more.is {
			return unsaid("the puzzle has %s, which %s", more.what, who)
		}
	}
	return nil
}

// quotedText is a text as JSON and YAML have it.
func quotedText(text string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(text) != nil {
		return "" // a text always has a JSON
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// writeBoard writes the size of a full box, or a drawing.
func writeBoard(b *bufio.Writer, board *tiling.Board) error {
	full := len(board.Cells) == board.Size[0]*board.Size[1]*board.Size[2]
	some := slices.Contains(board.Optional, true)
	all := !slices.Contains(board.Optional, false)
	switch {
	case full && (!some || all):
		fmt.Fprintf(b, "board: %s\n", board.Lattice.SizeName(board.Size))
		if all {
			fmt.Fprint(b, "cover: at-most\n")
		}
		return nil
	case board.Wrap != tiling.NoWrap && board.Lattice != tiling.Square:
		return unsaid("the board wraps and has holes on the %s lattice, which a drawing cannot say", board.Lattice)
	}
	var rows []string
	for i, layer := range board.Typed() {
		if i > 0 {
			rows = append(rows, "")
		}
		rows = append(rows, layer...)
	}
	fmt.Fprintf(b, "board: %s\n", quotedText(strings.Join(rows, "\n")))
	return nil
}
