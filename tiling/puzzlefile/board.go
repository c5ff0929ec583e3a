package puzzlefile

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/tiling"
)

// boardForm and boxForm are what an error wants in place of a bad size.
const (
	boardForm = `a size such as 8x8 or 4x4x4, or a drawing of '#', 'o' and '.'`
	boxForm   = "a size such as 2x3 or 1x1x2"
)

// readBoard reads the keys board, lattice, wrap and cover.
func readBoard(root *node, f map[string]*node, colours *colourReader) (*tiling.Board, error) {
	n := f["board"]
	if n == nil {
		return nil, root.errorf("no board, want board: %s", boardForm)
	}
	const notSaid = -1
	which, err := choice(f, "lattice", tiling.LatticeNames(), notSaid)
	if err != nil {
		return nil, err
	}
	wrap, err := choice(f, "wrap", tiling.WrapNames(), int(tiling.NoWrap))
	if err != nil {
		return nil, err
	}
	covering, err := choice(f, "cover", coverNames, 0)
	if err != nil {
		return nil, err
	}
	var lattice *tiling.Lattice
	if which != notSaid {
		lattice = tiling.Lattices()[which]
	}
	b, err := n.board(lattice, colours)
	if err != nil {
		return nil, err
	}
	if b.Wrap = tiling.Wrap(wrap); b.Wrap != tiling.NoWrap {
		if err := b.Validate(); err != nil {
			return nil, f["wrap"].wrap(err)
		}
	}
	if coverNames[covering] == "at-most" {
		for i := range b.Optional {
			b.Optional[i] = true
		}
	}
	return b, nil
}

// board reads the value of the key board. The lattice is nil if the file has no key lattice.
func (n *node) board(l *tiling.Lattice, colours *colourReader) (*tiling.Board, error) {
	switch n.kind {
	case mapping:
		return n.figure(l)
	case sequence:
		return n.namedBoard(l)
	}
	text, err := n.drawn("board")
	if err != nil {
		return nil, err
	}
	known := cmp.Or(l, tiling.Square)
	if err := colours.checkLetters(known); err != nil {
		return nil, err
	}
	b, err := parseBoard(text, l, colours.letters)
	return b, n.placed(hinted(err, l, text, known.BoardMarks(), colours.letters))
}

// figure reads a board such as {hexagon: [2, 3, 4]}. The lattice is nil if the file has no key
// lattice.
func (n *node) figure(l *tiling.Lattice) (*tiling.Board, error) {
	if len(n.keys) != 1 {
		return nil, n.errorf("a board of %d shapes, want one such as %s", len(n.keys), figureForm)
	}
	lengths, err := n.items[0].sides()
	if err != nil {
		return nil, err
	}
	name := n.keys[0].text
	b, err := tiling.Figure(l, name, lengths)
	if err != nil {
		return nil, n.keys[0].wrap(err)
	}
	return b, n.placed(b.Validate())
}

// sides returns the lengths of sides. Its node is a text for parseSides, or a list of such texts.
func (n *node) sides() (lengths []int, err error) {
	items := n.items
	if n.kind != sequence {
		items = []*node{n}
	}
	for _, item := range items {
		text, err := item.word("a side")
		if err != nil {
			return nil, err
		}
		read, err := parseSides(text)
		if err != nil {
			return nil, item.wrap(err)
		}
		lengths = append(lengths, read...)
	}
	return lengths, nil
}

// parseBoard reads a board from a size or a drawing. If l is nil, the board is on Square or, if it
// has three dimensions, on Cube.
func parseBoard(text string, l *tiling.Lattice, letters string) (*tiling.Board, error) {
	on := cmp.Or(l, tiling.Square)
	if !isSize(text, on.BoardMarks()+letters) {
		b, err := on.ReadBoard(text, letters)
		if err != nil {
			return nil, err
		}
		return b, settle(b, l, b.Size[0] > 1)
	}
	size, dimensions, err := parseSize(text, boardForm, tiling.MaxCells)
	if err != nil {
		return nil, err
	}
	if dimensions < on.Dimensions() {
		return nil, fmt.Errorf("size %s of a %s board, want %s",
			wording.Quote(text), on, strings.Join(on.Axes(), "s x ")+"s")
	}
	b := tiling.NewBoard(on, size)
	return b, settle(b, l, dimensions == 3)
}

// settle validates a board. It puts a solid board on Cube, or returns an error if the file gives
// another lattice.
func settle(b *tiling.Board, given *tiling.Lattice, solid bool) error {
	if solid {
		b.Lattice = tiling.Cube
	}
	if err := b.Validate(); err != nil {
		return err
	}
	if given != nil && given != b.Lattice {
		return fmt.Errorf("a board of three dimensions on the %s lattice, want two (or lattice: cube)", given)
	}
	return nil
}

// isSize reports whether a text is meant as a size, even a bad size such as 8y8, and not as a
// drawing. A drawing is a text of several lines, a text of the marks of any lattice only, or a text
// with one of the given marks and no digit.
func isSize(text, marks string) bool {
	switch text = strings.Trim(text, "\r\n"); {
	case text == "" || strings.Contains(text, "\n"):
		return text == ""
	case drawnIn(text, everyMark):
		return false
	}
	return strings.ContainsAny(text, "0123456789") || !strings.ContainsAny(text, marks)
}

// parseSize reads the size of a box, RxC or LxRxC; RxC has one layer. X and × are read as x, and
// blanks around x are ignored. It returns an error for a box of more than most cells. It also
// returns the number of sides, 2 or 3.
func parseSize(text, form string, most int64) (size [3]int, dimensions int, err error) {
	sides := strings.Split(strings.NewReplacer("X", "x", "×", "x").Replace(text), "x")
	dimensions = len(sides)
	if dimensions != 2 && dimensions != 3 {
		return size, 0, fmt.Errorf("bad size %s, want %s", wording.Quote(text), form)
	}
	size[0] = 1
	for i, side := range sides {
		side = strings.Trim(side, " ")
		n, ok := wording.Number(side, tiling.MaxSide)
		if !ok || n == 0 {
			return size, 0, fmt.Errorf("bad side %s in size %s, want a side of 1..%d",
				wording.Quote(side), wording.Quote(text), tiling.MaxSide)
		}
		size[3-dimensions+i] = n
	}
	if err := tiling.CheckBox(size, most); err != nil {
		return size, 0, fmt.Errorf("size %s is %w in all", wording.Quote(text), err)
	}
	return size, dimensions, nil
}

// splitFigure splits an argument such as hexagon:4,4,4 or rhombus:4x9. It reports whether the
// argument has a colon.
func splitFigure(text string) (name, lengths string, ok bool) {
	name, lengths, ok = strings.Cut(text, ":")
	return strings.Trim(name, " "), lengths, ok
}

// parseSides reads the lengths of sides, separated by commas or x.
func parseSides(text string) (lengths []int, err error) {
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == 'x' }) {
		n, ok := wording.Number(strings.Trim(word, " "), tiling.MaxSide)
		if !ok || n == 0 {
			return nil, fmt.Errorf("bad side %s, want a side of 1..%d", wording.Quote(word), tiling.MaxSide)
		}
		lengths = append(lengths, n)
	}
	return lengths, nil
}

// figureForm has examples of figures, for errors.
const figureForm = "{hexagon: [4, 4, 4]}, {triangle: 5}, {rhombus: [4, 9]} or {diamond: 6}"
