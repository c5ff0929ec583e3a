package exchange

import (
	"context"
	"io"
	"slices"
	"strings"

	"github.com/pavage/pavage/tiling"
	"github.com/pavage/pavage/tiling/puzzlefile"
)

// puzzleWriter makes the content of a puzzle file, of which package puzzlefile reads the same puzzle: its
// form Literal has the same bytes, but for parameters. Sets of pieces and shapes of boards are not found again: each
// piece and each board is written with its cells. Of parameters the chosen values are
// written, as cells that stay open, and nothing else. A colour that no cell has is left out.
type puzzleWriter struct {
	*tiling.Puzzle
	content entries
	letters string // that of colour k at k-1; a blank for one that no cell has
	worded  bool   // each flat board that is no full box is rows of words
}

// writePuzzle writes the content as YAML: flat boards of squares are drawings, for people.
func writePuzzle(_ context.Context, w io.Writer, m *tiling.Model) error {
	return (&puzzleWriter{Puzzle: m.Puzzle}).write(w, entries.yaml)
}

// writeJSON writes the content as JSON: flat boards are rows of words, which programs take apart by
// their blanks on every lattice alike.
func writeJSON(_ context.Context, w io.Writer, m *tiling.Model) error {
	return (&puzzleWriter{Puzzle: m.Puzzle, worded: true}).write(w, entries.json)
}

// write writes the puzzle in a form, unless it cannot be read from that.
func (p *puzzleWriter) write(w io.Writer, form func(entries) string) error {
	// Each colour of a cell gets a letter: the first of its name if no other colour has it.
	letters := []byte(strings.Repeat(" ", len(p.Colours)))
	free := colourLetters
	for c, name := range p.Colours {
		if name = strings.ToLower(name)[:1]; p.hasColour(c+1) && strings.Contains(free, name) {
			letters[c], free = name[0], strings.Replace(free, name, "", 1)
		}
	}
	for c := range letters {
		if letters[c] != ' ' || !p.hasColour(c+1) {
			continue
		}
		if free == "" {
			return unsaid("the puzzle has more than %d colours, and a puzzle file has a letter for each", len(colourLetters))
		}
		letters[c], free = free[0], free[1:]
	}
	p.letters = string(letters)
	p.put("title", p.Title, p.Title != "")
	p.put("lattice", plain(p.Board.Lattice.String()), true)
	// The board is the size of a full box, a drawing, or rows of words. A drawing of hexagons or triangles
	// would lose the place of the board in its box; words keep it, and only words have the names of cells.
	b := p.Board
	full := len(b.Cells) == b.Size[0]*b.Size[1]*b.Size[2]
	all := !slices.Contains(b.Optional, false)
	some := slices.Contains(b.Optional, true) && !all
	switch {
	case full && !some && len(b.Names) == 0:
		p.put("board", plain(b.Lattice.SizeName(b.Size)), true)
	case b.Lattice.Dimensions() == 3 || b.Lattice == tiling.Square && len(b.Names) == 0 && !p.worded:
		p.put("board", drawing(b.Typed()), true)
	default:
		p.words(all)
	}
	p.put("cover", plain("at-most"), all)
	p.put("wrap", plain(p.Board.Wrap.String()), p.Board.Wrap != tiling.NoWrap)
	p.colours()
	pieces := make([]entries, len(p.Pieces))
	for i, piece := range p.Pieces {
		pieces[i] = entries{{"name", piece.Name}, p.shape(piece), {"copies", plain(piece.Copies())}, {"motions", plain(piece.Motions.String())}}
		if piece.Color != "" {
			pieces[i] = append(pieces[i], entry{"color", piece.Color})
		}
	}
	p.put("pieces", pieces, true)
	p.groups()
	p.parts("place", p.Place)
	p.parts("forbid", p.Forbid)
	text := []byte(form(p.content))
	// A limit of files, such as their length
	if _, err := puzzlefile.Parse("what is written", text); err != nil {
		return unsaid("a puzzle file cannot hold this puzzle: %v", err)
	}
	_, err := w.Write(text)
	return err
}

// put adds a key and its value, if it is wanted.
func (p *puzzleWriter) put(key string, value any, wanted bool) {
	if wanted {
		p.content = append(p.content, entry{key, value})
	}
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
	rows := make([]string, b.Size[1])
	for r := range rows {
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
		rows[r] = strings.Join(row, " ")
	}
	p.put("board", rows, true)
	p.put("open", p.cells(open), len(open) > 0)
}

// shape is the key and the value for the cells of a piece: a drawing if they have colours.
func (p *puzzleWriter) shape(piece tiling.Piece) entry {
	if !slices.ContainsFunc(piece.Colours, isColour) {
		return entry{"cells", p.cells(piece.Shape)}
	}
	// The drawing begins in an even column, so that triangles keep their direction.
	lattice, size := p.Board.Lattice, piece.Shape.Size()
	left, right := 0, 0
	for i, cell := range piece.Shape {
		_, column := lattice.TypedAt(cell)
		if i == 0 {
			left = column
		}
		left, right = min(left, column&^1), max(right, column)
	}
	layers := make([][][]byte, size[0])
	for l := range layers {
		for range size[1] {
			layers[l] = append(layers[l], []byte(strings.Repeat(" ", right-left+1)))
		}
	}
	for i, cell := range piece.Shape {
		line, column := lattice.TypedAt(cell)
		plain := lattice.Typed(lattice.Shape(cell))[0][0]
		layers[cell[0]][line][column-left] = p.mark(plain[len(plain)-1:], piece.Colours[i])
	}
	texts := make([][]string, len(layers))
	for l, rows := range layers {
		for _, row := range rows {
			texts[l] = append(texts[l], string(row))
		}
	}
	return entry{"shape", drawing(texts)}
}

// cells are a list of cells.
func (p *puzzleWriter) cells(cells []tiling.Cell) [][]int { return p.Board.Lattice.Written(cells) }

// groups are the bounds of several pieces together.
func (p *puzzleWriter) groups() {
	all := make([]entries, len(p.Groups))
	for i, g := range p.Groups {
		names := make([]string, len(g.Pieces))
		for j, k := range g.Pieces {
			names[j] = p.Pieces[k].Name
		}
		all[i] = entries{{"of", names}, {"copies", plain(g.Copies())}}
	}
	p.put("groups", all, len(all) > 0)
}

// parts are the value of place or forbid: a whole placement has cells, a part of one covers
// some.
func (p *puzzleWriter) parts(key string, parts []tiling.Part) {
	all := make([]entries, len(parts))
	for i, part := range parts {
		piece := p.Pieces[part.Piece]
		cells := make([]tiling.Cell, len(part.Cells))
		for j, c := range part.Cells {
			cells[j] = p.Board.Cells[c]
		}
		all[i] = entries{{"piece", piece.Name}}
		switch len(cells) {
		case 0: // each placement of the piece
		case len(piece.Shape):
			all[i] = append(all[i], entry{"cells", p.cells(cells)})
		default:
			all[i] = append(all[i], entry{"covers", p.cells(cells)})
		}
	}
	p.put(key, all, len(all) > 0)
}
