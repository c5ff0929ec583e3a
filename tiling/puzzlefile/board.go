package puzzlefile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/tiling"
)

const (
	boardForm = `a size such as 8x8 or 4x4x4, or a drawing of '#', 'o' and '.'`
	boxForm   = "a size such as 2x3 or 1x1x2"
)

const figureForm = "{hexagon: [4, 4, 4]}, {triangle: 5}, {rhombus: [4, 9]} or {diamond: 6}"

func readBoard(root *node, f fields, colours *colourReader, cells tiling.CellLimit) (b *tiling.Board) {
	n := f["board"]
	if n == nil {
		root.fail("the key \"board\" is missing, expected \"board:\" with %s", boardForm)
	}
	var lattice *tiling.Lattice // nil if the file has no key lattice
	if which := f.choice("lattice", tiling.LatticeNames(), -1); which >= 0 {
		lattice = tiling.Lattices()[which]
	}
	wrap := tiling.Wrap(f.choice("wrap", tiling.WrapNames(), int(tiling.NoWrap)))
	covering := coverNames[f.choice("cover", coverNames, 0)]
	switch n.kind {
	case mapping:
		b = n.figure(lattice, cells)
	case sequence:
		b = n.namedBoard(lattice)
	default:
		text := n.drawn("board")
		colours.checkLetters(cmp.Or(lattice, tiling.Square))
		var err error
		b, err = parseBoard(text, lattice, colours.letters, cells)
		n.check(err)
	}
	if b.Wrap = wrap; wrap != tiling.NoWrap {
		f["wrap"].check(b.ValidateWithin(cells))
	}
	if covering == "at-most" {
		for i := range b.Optional {
			b.Optional[i] = true
		}
	}
	return b
}

// figure reads a board such as {hexagon: [2, 3, 4]} or {hexagon: 2x3x4}. For l see [tiling.Figure].
func (n *node) figure(l *tiling.Lattice, cells tiling.CellLimit) *tiling.Board {
	if len(n.keys) != 1 {
		n.fail("the board has %d shapes, expected one shape such as %s", len(n.keys), figureForm)
	}
	items := n.items
	if items[0].kind == sequence {
		items = items[0].items
	}
	var lengths []int
	for _, item := range items {
		between := func(r rune) bool { return r == ',' || r == 'x' }
		for _, word := range strings.FieldsFunc(item.word("a side", "a number"), between) {
			side, ok := wording.Number(strings.Trim(word, " "), tiling.MaxSide)
			if !ok || side == 0 {
				item.fail("bad side %s, expected a side of 1..%d", wording.Quote(word), tiling.MaxSide)
			}
			lengths = append(lengths, side)
		}
	}
	b, err := tiling.Figure(l, n.keys[0].text, lengths, cells)
	n.keys[0].check(err)
	n.check(b.ValidateWithin(cells))
	return b
}

func parseBoard(text string, l *tiling.Lattice, letters string, cells tiling.CellLimit) (b *tiling.Board, err error) {
	on := cmp.Or(l, tiling.Square)
	solid := false
	if !isSize(text, on.BoardMarks+letters) {
		read := func(l *tiling.Lattice) (err error) {
			b, err = l.ReadBoard(text, letters)
			return err
		}
		if err := hinted(on, read); err != nil {
			return nil, err
		}
		solid = b.Size[0] > 1
	} else {
		size, dimensions, err := parseSize(text, boardForm, cells)
		if err != nil {
			return nil, err
		}
		if dimensions < on.Dimensions() {
			return nil, fmt.Errorf("bad size %s of a %s board, expected %s",
				wording.Quote(text), on, strings.Join(on.Axes(), "s x ")+"s")
		}
		b, solid = tiling.NewBoard(on, size), dimensions == 3
	}
	if solid {
		b.Lattice = tiling.Cube
	}
	if err := b.ValidateWithin(cells); err != nil {
		return nil, err
	}
	if l != nil && l != b.Lattice {
		return nil, fmt.Errorf("the board has three dimensions, but the %s lattice has two; expected a board of two dimensions (or lattice: cube)", l)
	}
	return b, nil
}

// isSize reports whether a text is probably a size, even an invalid size such as 8y8.
func isSize(text, marks string) bool {
	switch text = strings.Trim(text, "\r\n"); {
	case text == "" || strings.Contains(text, "\n"):
		return text == ""
	case drawnIn(text, everyMark):
		return false
	}
	return strings.ContainsAny(text, "0123456789") || !strings.ContainsAny(text, marks)
}

// parseSize reads a size such as 6x10, which has one layer, or 2x6x10. It accepts X and × in place
// of x, and blanks around them. It fails if the box has more cells than the limit allows.
func parseSize(text, form string, cells tiling.CellLimit) (size [3]int, dimensions int, err error) {
	sides := strings.Split(strings.NewReplacer("X", "x", "×", "x").Replace(text), "x")
	dimensions = len(sides)
	if dimensions != 2 && dimensions != 3 {
		return size, 0, fmt.Errorf("bad size %s, expected %s", wording.Quote(text), form)
	}
	size[0] = 1
	for i, side := range sides {
		side = strings.Trim(side, " ")
		n, ok := wording.Number(side, tiling.MaxSide)
		if !ok || n == 0 {
			return size, 0, fmt.Errorf("bad side %s in size %s, expected a side of 1..%d",
				wording.Quote(side), wording.Quote(text), tiling.MaxSide)
		}
		size[3-dimensions+i] = n
	}
	volume := int64(size[0]) * int64(size[1]) * int64(size[2])
	return size, dimensions, cells.Check("size "+wording.Quote(text)+" has", volume)
}

// hinted calls read, which reads a drawing on a lattice, for the lattice on. To an error it adds
// the names of the other flat lattices for which read returns no error.
func hinted(on *tiling.Lattice, read func(*tiling.Lattice) error) error {
	err := read(on)
	var others []string
	for _, l := range tiling.Lattices() {
		if err != nil && l.Dimensions() == 2 && read(l) == nil {
			others = append(others, l.String())
		}
	}
	if others == nil {
		return err
	}
	return fmt.Errorf("%w (or lattice: %s)", err, wording.List(others))
}

const everyMark = "#^vo. "

func drawnIn(text, marks string) bool { return strings.Trim(text, marks+"\r\n") == "" }

// namedBoard reads and validates a board of rows of words, on a flat lattice. A word is the name of
// a cell, or one of the marks '#', 'o' and '.'.
//
//	board:
//	  - jan feb mar .       # or ["jan", "feb", "mar", "."]
//	  - "#  1   2   o"
func (n *node) namedBoard(l *tiling.Lattice) *tiling.Board {
	b := &tiling.Board{Lattice: cmp.Or(l, tiling.Square), Names: map[tiling.Cell]string{}}
	if b.Lattice.Dimensions() != 2 {
		n.fail("a board on the %s lattice cannot be rows of words, expected a drawing or a flat lattice", b.Lattice)
	}
	noNumber := func(row *node) bool {
		return row.kind != scalar || row.text == "" || strings.Trim(row.text, "0123456789") != ""
	}
	if len(n.items) > 0 && !slices.ContainsFunc(n.items, noNumber) { // probably a size
		n.fail("the board is a list of %d numbers, expected a size such as 6x10, or rows of several words", len(n.items))
	}
	seen := map[string]bool{}
	columns := 0
	for r, row := range n.items {
		words := row.words()
		if r == 0 {
			columns = len(words)
		}
		if len(words) != columns || columns == 0 {
			wanted := "at least one"
			if r > 0 {
				wanted = fmt.Sprintf("%d as in the first row", columns)
			}
			row.fail("row %d of the board has %s, expected %s "+
				"(a '#' after a blank begins a comment: quote the row)", r+1, wording.Plural(len(words), "word"), wanted)
		}
		if err := tiling.CheckBox([3]int{1, r + 1, columns}, tiling.MaxVolume); err != nil {
			row.fail("the box around the cells has %w", err)
		}
		for c, word := range words {
			switch {
			case word.text == ".":
				continue
			case word.text == "#" || word.text == "o":
			case !validCellName(word.text):
				word.fail("bad name %s of a cell, expected %s", wording.Quote(word.text), cellNameForm)
			case seen[word.text]:
				word.fail("two cells have the name %s, expected different names", wording.Quote(word.text))
			default:
				seen[word.text] = true
				b.Names[tiling.Cell{0, r, c}] = word.text
			}
			b.Cells = append(b.Cells, tiling.Cell{0, r, c})
			b.Optional = append(b.Optional, word.text == "o")
		}
	}
	b.Size = [3]int{1, len(n.items), columns}
	n.check(b.Validate())
	return b
}

func (n *node) words() (words []*node) {
	if n.kind == sequence {
		for _, item := range n.items {
			item.word("a cell", "text")
		}
		return n.items
	}
	rest := n.word("a row of the board", "text or a list")
	column := n.column
	for word := range strings.FieldsSeq(rest) {
		at := *n
		if n.line > 0 && !n.folded { // columns in a folded row are not the columns in the file
			blanks, after, _ := strings.Cut(rest, word)
			at.column = column + utf8.RuneCountInString(blanks)
			column, rest = at.column+utf8.RuneCountInString(word), after
		}
		at.text = word
		words = append(words, &at)
	}
	return words
}

const cellNameForm = "1 to 16 printable characters without a blank"

const maxCellNameRunes = 16

func validCellName(name string) bool {
	return name != "" && wording.Printable(name, maxCellNameRunes) && !strings.Contains(name, " ")
}
