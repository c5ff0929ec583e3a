package puzzlefile

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/tiling"
)

// namedBoard reads a board from a list of rows of words, and validates it. A word is a mark of a
// drawing, or the name of a cell that must be covered:
//
//	board:
//	  - jan feb mar .       also ["jan", "feb", "mar", "."]
//	  - "#  1   2   o"
//
// The marks are '#', 'o' and '.' on every lattice: the row and the number of a word in it name the
// cell, so the marks for triangles, which point up or down, are not needed.
func (n *node) namedBoard(l *tiling.Lattice) (*tiling.Board, error) {
	b := &tiling.Board{Lattice: l, Names: map[tiling.Cell]string{}}
	if l == nil {
		b.Lattice = tiling.Square
	}
	if b.Lattice.Dimensions() != 2 {
		return nil, n.errorf("rows of words on the %s lattice, want a flat one", b.Lattice)
	}
	if n.isNumbers() {
		return nil, n.errorf("a list of %d numbers, want a size such as 6x10, or rows of several words", len(n.items))
	}
	seen := map[string]bool{}
	columns := 0
	for r, row := range n.items {
		words, err := row.words()
		if err != nil {
			return nil, err
		}
		if r == 0 {
			columns = len(words)
		}
		if len(words) != columns || columns == 0 {
			return nil, row.errorf("row %d of the board has %d words, want %d like the first "+
				"(a '#' after a blank begins a comment: quote the row)", r, len(words), max(1, columns))
		}
		if err := tiling.CheckBox([3]int{1, r + 1, columns}, tiling.MaxVolume); err != nil {
			return nil, row.wrap(fmt.Errorf("the box around the cells has %w", err))
		}
		for c, word := range words {
			if err := addNamed(b, tiling.Cell{0, r, c}, word.text, seen); err != nil {
				return nil, word.wrap(err)
			}
		}
	}
	b.Size = [3]int{1, len(n.items), columns}
	return b, n.placed(b.Validate())
}

// isNumbers reports whether all items of a list are whole numbers: the user more likely means a
// size such as [6, 10] than one column of cells with these names.
func (n *node) isNumbers() bool {
	return len(n.items) > 0 && !slices.ContainsFunc(n.items, func(row *node) bool {
		return row.kind != scalar || row.text == "" || strings.Trim(row.text, "0123456789") != ""
	})
}

// addNamed adds the cell of a word to the board, and the name of the cell, if it has one, to seen.
// It returns an error if seen has the name already.
func addNamed(b *tiling.Board, c tiling.Cell, word string, seen map[string]bool) error {
	switch word {
	case ".":
		return nil
	case "#", "o":
	default:
		if !validCellName(word) {
			return fmt.Errorf("bad name %s of a cell, want %s", wording.Quote(word), cellNameForm)
		}
		if seen[word] {
			return fmt.Errorf("a second cell named %s, want each name once", wording.Quote(word))
		}
		seen[word] = true
		b.Names[c] = word
	}
	b.Cells, b.Optional = append(b.Cells, c), append(b.Optional, word == "o")
	return nil
}

// words returns the words of a row: the items of a list, or a text split at blanks.
func (n *node) words() ([]*node, error) {
	if n.kind == sequence {
		for _, item := range n.items {
			if _, err := item.word("a cell"); err != nil {
				return nil, err
			}
		}
		return n.items, nil
	}
	text, err := n.word("a row of the board")
	if err != nil {
		return nil, err
	}
	var words []*node
	column, rest := n.column, text
	for word := range strings.FieldsSeq(text) {
		at := *n
		if n.line > 0 && !n.folded { // in a folded row, a column in the text is no column of the file
			blanks, after, _ := strings.Cut(rest, word)
			at.column = column + utf8.RuneCountInString(blanks)
			column, rest = at.column+utf8.RuneCountInString(word), after
		}
		at.text = word
		words = append(words, &at)
	}
	return words, nil
}

// readOpen removes from the board the cells of the key open. An entry is the name of a cell, a
// parameter whose value is the name of a cell, or [row, column].
func readOpen(p *tiling.Puzzle, n *node) error {
	b := p.Board
	if n == nil {
		return nil
	}
	if n.kind != sequence || len(n.items) == 0 {
		return n.errorf("open is not a list with a cell in it, want names of cells, parameters, or [row, column]")
	}
	named := make(map[string]tiling.Cell, len(b.Names))
	for c, name := range b.Names {
		named[name] = c
	}
	open := make([]bool, len(b.Cells))
	for _, item := range n.items {
		c, err := openCell(p, item, named)
		if err != nil {
			return err
		}
		i := b.Index(c)
		if i < 0 || open[i] {
			return item.errorf("cell %s is not on the board or open already, want a cell of the board", b.CellName(c))
		}
		open[i] = true
	}
	b.Cells, b.Optional = closed(b.Cells, open), closed(b.Optional, open)
	b.Colours = closed(b.Colours, open)
	if len(b.Cells) == 0 {
		return n.errorf("all cells are open, want at least one to cover")
	}
	return nil
}

// closed returns the values of the cells that are not open. There is one value for each cell.
func closed[T any](values []T, open []bool) (left []T) {
	for i, v := range values {
		if !open[i] {
			left = append(left, v)
		}
	}
	return left
}

// checkParameters returns an error if a parameter is not in the key open, or if a value of a
// parameter, chosen or not, is not the name of a cell.
func checkParameters(p *tiling.Puzzle, open, parameters *node) error {
	names := map[string]bool{}
	for _, name := range p.Board.Names {
		names[name] = true
	}
	for i, q := range p.Parameters.All {
		if !open.has(q.Name) {
			return parameters.keys[i].errorf("parameter %s is used nowhere, want it in open", wording.Quote(q.Name))
		}
		for k, v := range q.Values {
			if names[v] {
				continue
			}
			place := parameters.items[i]
			if place.kind == sequence {
				place = place.items[k]
			}
			return place.errorf("no cell named %s, want values of parameter %s that are names of cells of the board", wording.Quote(v), q.Name)
		}
	}
	return nil
}

// has reports whether n, which may be nil, is a list with the word.
func (n *node) has(word string) bool {
	return n != nil && slices.ContainsFunc(n.items, func(item *node) bool { return item.kind == scalar && item.text == word })
}

// openCell returns the cell of an entry of the key open.
func openCell(p *tiling.Puzzle, n *node, named map[string]tiling.Cell) (tiling.Cell, error) {
	if n.kind == sequence {
		return readCell(n, p.Board.Lattice.Dimensions())
	}
	name, err := n.word("open")
	if err != nil {
		return tiling.Cell{}, err
	}
	if i, err := p.Parameters.Index(name); err == nil {
		name = p.Setting[i]
	}
	c, known := named[name]
	if !known {
		return c, n.errorf("no cell named %s, want the name of a cell of the board or a parameter", wording.Quote(name))
	}
	return c, nil
}

// cellNameForm describes the names of cells, for errors.
const cellNameForm = "1 to 16 printable characters without a blank"

const maxCellNameRunes = 16

func validCellName(name string) bool {
	return name != "" && wording.Printable(name, maxCellNameRunes) && !strings.Contains(name, " ")
}
