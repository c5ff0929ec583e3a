package puzzlefile

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/tiling"
)

// MaxFileBytes limits the size of a puzzle file: it is that of a drawing of a board as large as
// tiling.MaxVolume.
const MaxFileBytes = 1 << 21

// The keys of a puzzle.
var (
	puzzleKeys = []string{"title", "lattice", "board", "wrap", "open", "parameters", "except", "cover", "motions", "pieces", "colours", "allow", "place", "forbid", "groups"}
	coverNames = []string{"exact", "at-most"}
)

// Read reads a puzzle file of at most MaxFileBytes bytes; see Parse.
func Read(name string, r io.Reader) (*tiling.Puzzle, error) {
	data, err := io.ReadAll(io.LimitReader(r, MaxFileBytes+1)) // Parse refuses the one too many
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return Parse(name, data)
}

// Parse reads a puzzle file, version 1, in YAML or JSON:
//
//	title: The 2x3 board with dominoes
//	lattice: square            # square or cube; a board of three dimensions is cube
//	board: 2x3                 # or layers x rows x columns, or drawn:
//	                           # '#' a cell, 'o' a cell that may stay empty, '.' or blank none;
//	                           # a blank line between the layers of a cube board
//	wrap: none                 # or rows, columns, both, moebius, klein: which borders are glued together
//	                           # or a list of rows of words: names of cells, '#', 'o', '.'
//	open: [feb, 29, [0, 1]]    # cells that stay free: names of cells, parameters, [row, column]
//	parameters: {day: 1..31}   # values left open; see ParseWith
//	except: [{day: 30}]        # settings that are left out
//	cover: exact               # or at-most: every cell may stay empty
//	motions: free              # free, one-sided or fixed; free is the default on square boards, one-sided on cube boards
//	pieces:
//	  - pentominoes                                   # a set, each piece once
//	  - O4                                            # a named piece
//	  - {set: tetrominoes, copies: 0..2}              # each piece 0 to 2 times
//	  - {name: domino, copies: any}
//	  - {name: slab, shape: "##\n##", copies: 2.., motions: fixed}
//	  - {name: brick, box: 1x1x2, copies: 3, color: red}    # a full box of cells; its colour in pictures
//	  - {name: corner, cells: [[0,0,0],[0,0,1],[0,1,0],[1,0,0]]}
//	colours: {w: white, b: black, pattern: wb/bw}     # letters for drawings; colours of the board over and over
//	allow: [[white, black]]                           # colours of a piece and of the board that may meet, besides equal ones
//	place: [{piece: O4, cells: [[0,0],[0,1],[1,0],[1,1]]}]    # placements that must be used
//	forbid: [{piece: domino, covers: [2,2]}]          # and that must not
//	groups: [{of: [domino, slab], copies: 3..4}]      # copies of several pieces together
//
// board and pieces must be there. Cells of a piece are [row, column] or
// [layer, row, column], of any origin. The pieces of the sets one-sided-… are
// one-sided unless the entry itself says otherwise.
//
// name is the file's, for errors. An error wraps ErrPuzzle, is an *Error, and
// reads "name:line:column: what is wrong, what was expected".
func Parse(name string, data []byte) (*tiling.Puzzle, error) { return ParseWith(name, data, nil) }

// ParseWith is Parse with values for some of the file's parameters. Others have their first
// values, or the first that the file does not leave out.
func ParseWith(name string, data []byte, values map[string]string) (*tiling.Puzzle, error) {
	root, err := readYAML(name, data)
	if err != nil {
		return nil, err
	}
	return readPuzzle(root, values)
}

// Inline makes a puzzle of the arguments of a command: a board as in a puzzle
// file; pieces that are names of pieces or sets, boxes, or drawings, each with its
// copies after a '=' if need be (pentominoes, domino=any, 1x1x2=3, ##/#.=any); and
// cover and motions as in a file, empty for the defaults. Drawings, the board's
// too, may have / between their rows. A shape in place of a name is called as it is written, with X for
// each '#'. The place of an error is the argument.
func Inline(board string, pieces []string, cover, motions string) (*tiling.Puzzle, error) {
	return Words{Board: board, Pieces: pieces, Cover: cover, Motions: motions}.Puzzle()
}

// Words are the arguments of a command that stand for a puzzle: see Inline. Those that
// are empty are left out. A board may also be a shape and its sides, such as hexagon:4,4,4,
// triangle:5 or rhombus:4x9.
type Words struct {
	Board, Lattice string
	Pieces         []string
	Wrap           string
	Cover, Motions string
}

// Puzzle makes the puzzle.
func (w Words) Puzzle() (*tiling.Puzzle, error) {
	list := &node{kind: sequence, name: "pieces"}
	for _, p := range w.Pieces {
		list.items = append(list.items, inlinePiece(p))
	}
	root := &node{kind: mapping, name: "puzzle"}
	root.put("board", inlineBoard(w.Board))
	root.put("pieces", list)
	for _, word := range [][2]string{{"lattice", w.Lattice}, {"wrap", w.Wrap}, {"cover", w.Cover}, {"motions", w.Motions}} {
		if word[1] != "" {
			root.put(word[0], &node{text: word[1], name: word[0]})
		}
	}
	return readPuzzle(root, nil)
}

// inlineBoard is a size, a drawing, or a shape and its sides.
func inlineBoard(arg string) *node {
	if name, lengths, ok := splitFigure(arg); ok {
		board := &node{kind: mapping, name: "board"}
		board.put(name, &node{text: lengths, name: "board"})
		return board
	}
	return &node{text: inlineRows(arg), name: "board"}
}

func inlinePiece(arg string) *node {
	place := "piece " + wording.Quote(arg)
	what, copies, hasCopies := strings.Cut(arg, "=")
	name := &node{text: what, name: place}
	key, shape := inlineShape(what)
	if !hasCopies && key == "" {
		return name
	}
	entry := &node{kind: mapping, name: place}
	if home(what) != nil {
		entry.put("set", name)
	} else {
		// A name has no blank and no '#', which may begin a comment in a file.
		entry.put("name", &node{text: strings.NewReplacer("#", "X", " ", ".").Replace(what), name: place})
	}
	if key != "" {
		entry.put(key, &node{text: shape, name: place})
	}
	if hasCopies {
		entry.put("copies", &node{text: copies, name: place})
	}
	return entry
}

// inlineShape is the key and the value of a shape that an argument gives in
// place of a name: a drawing with / between its rows, or a box. The key is empty
// if it gives none.
func inlineShape(what string) (key, value string) {
	switch {
	case strings.Contains(what, "/") || strings.ContainsAny(what, "#^") && strings.Trim(what, "#^v. ") == "":
		return "shape", inlineRows(what)
	case what != "" && what[0] >= '0' && what[0] <= '9' && strings.Contains(what, "x"):
		return "box", what
	}
	return "", ""
}

func readPuzzle(root *node, values map[string]string) (*tiling.Puzzle, error) {
	f, err := root.fields("the puzzle", puzzleKeys)
	if err != nil {
		return nil, err
	}
	p := &tiling.Puzzle{}
	if p.Title, err = readTitle(f["title"]); err != nil {
		return nil, err
	}
	if err := choose(p, root, f, values); err != nil {
		return nil, err
	}
	colours, err := readColours(f["colours"])
	if err != nil {
		return nil, err
	}
	if p.Board, err = readBoard(root, f, colours); err != nil {
		return nil, err
	}
	if err := cmp.Or(checkParameters(p, f["open"], f["parameters"]), readOpen(p, f["open"])); err != nil {
		return nil, err
	}
	if err := colours.checkLetters(p.Board.Lattice); err != nil {
		return nil, err
	}
	if err := colours.dye(p.Board); err != nil {
		return nil, err
	}
	if p.Colours = colours.names(); p.Colours != nil {
		if p.Allow, err = colours.readAllow(f["allow"]); err != nil {
			return nil, err
		}
	} else if n := f["allow"]; n != nil {
		return nil, n.errorf("allow without colours, want colours: {w: white, b: black}")
	}
	lattice := p.Board.Lattice
	byDefault, err := choice(f, "motions", tiling.MotionNames(), int(lattice.Motions()))
	if err != nil {
		return nil, err
	}
	p.Entries = map[string]tiling.Error{}
	roster := tiling.NewRoster(lattice, len(p.Colours))
	r := &pieceReader{roster, lattice, tiling.Motions(byDefault), colours.letters(), p.Entries}
	if err := r.readAll(root, f["pieces"]); err != nil {
		return nil, err
	}
	p.Pieces = roster.Pieces
	m := &markReader{p, roster}
	if err := cmp.Or(m.readGroups(f["groups"]), m.readMarks(f["place"], f["forbid"])); err != nil {
		return nil, err
	}
	return p, nil
}

func readTitle(n *node) (string, error) {
	if n == nil {
		return "", nil
	}
	title, err := n.word("title")
	if err != nil {
		return "", err
	}
	title = strings.TrimRight(title, "\n") // of a block
	if err := tiling.CheckTitle(title); err != nil {
		return "", n.wrap(err)
	}
	return title, nil
}

// readBoard reads the keys board, lattice and cover.
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

// board reads the value of the key board. The lattice is nil where the puzzle does not say
// one.
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
	b, err := parseBoard(text, l, colours.letters())
	return b, n.placed(hinted(err, l, text, known.BoardMarks(), colours.letters()))
}

// figure reads a board that is told by its sides. The lattice is nil where the puzzle does not say one.
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
	if err := b.Validate(); err != nil {
		return nil, n.wrap(err)
	}
	return b, nil
}

// sides reads lengths of sides: one, several with signs between them, or a list.
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
