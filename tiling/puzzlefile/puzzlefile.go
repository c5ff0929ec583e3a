// Package puzzlefile reads puzzles: files in YAML or JSON, and the arguments of a command.
//
// # Purpose
//
// [Parse] makes a [tiling.Puzzle] from a file, [Words.Puzzle] from the arguments of a command.
// The puzzle is valid. An error about a file has the place, the mistake and the expected form:
//
//	puzzle.yaml:2:10: unknown piece "dominoes", did you mean domino?
//
// A place is a line and a column of the file, even within a drawing, or the name of an argument.
//
// # Words
//
// A node is a value and its place in the file. The value is a text, a list or a mapping from keys
// to nodes. Arguments become nodes too, so the same functions read files and arguments. A letter is
// a mark in a drawing, for a cell with a certain colour. A parameter is a value that the file
// leaves open, and a setting has a value for each parameter. Such a file describes a family of
// puzzles. [ParseWith] chooses one puzzle of the family.
//
// # Layers of the package
//
//	Parse                           Words
//	  │ bytes                           │ arguments
//	  ▼                                 │
//	yaml                                │               text ──► nodes
//	  │ nodes                           │ nodes
//	  └────────────────┬────────────────┘
//	                   ▼
//	readPuzzle: parameters, board,                      nodes ──► tiling.Puzzle
//	            colours, pieces, marks
//	                   │
//	                   ▼
//	node                                                a key, a word, a number, copies, a color
//
// Functions that read nodes have no error result. They panic with a fault, which [Parse] and the
// other exported functions return as an error.
//
// # Non-goals
//
// Package exchange reads the files of other programs, and writes puzzle files. Package tiling
// defines the meaning of a puzzle and when it is valid. This package reads only the part of YAML
// that puzzles need: no anchors, aliases, tags, merge keys or second documents.
//
// # Limits
//
// A file has at most [MaxFileBytes] bytes, 16 levels of lists and mappings, and 131,072 commas
// and open brackets. The time of the YAML parser is proportional to the size of the file. The
// limits of package tiling on a puzzle are checked before memory is allocated.
//
// # Example
//
// The 2x3 board with any number of dominoes, as a file and as arguments:
//
//	file := "board: 2x3\npieces: [{name: domino, copies: any}]\n"
//	puzzle, err := puzzlefile.Parse("dominoes.yaml", []byte(file))
//	puzzle, err = puzzlefile.Inline("2x3", []string{"domino=any"}, "", "")
package puzzlefile

import (
	"strings"

	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/tiling"
)

// MaxFileBytes leaves room for a drawing of a board of almost [tiling.MaxVolume] cells.
const MaxFileBytes = 1 << 21

// Parse reads a puzzle file, version 1, in YAML or JSON:
//
//	title: The 2x3 board with dominoes
//	lattice: square            # or cube, hexagon, triangle; the default of solid boards is cube
//	board: 2x3                 # or layers x rows x columns, or drawn:
//	                           # '#' a cell, 'o' a cell that may stay empty, '.' or blank none;
//	                           # a blank line between the layers of a cube board;
//	                           # or a list of rows of words: names of cells, '#', 'o', '.'
//	wrap: none                 # or rows, columns, both, moebius, klein: which borders are glued together
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
//	colours: {w: white, b: black, pattern: wb/bw}     # letters for drawings; a pattern that is repeated over the board
//	allow: [[white, black]]                           # colours of a piece and of the board that may meet, besides equal ones
//	place: [{piece: O4, cells: [[0,0],[0,1],[1,0],[1,1]]}]    # placements that must be used
//	forbid: [{piece: domino, covers: [2,2]}]          # placements that must not be used
//	groups: [{of: [domino, slab], copies: 3..4}]      # copies of several pieces together
//	walls: [[[0,0],[0,1]]]                            # no placement covers both cells
//	joined: [[[1,0],[1,1]]]                           # one placement covers both cells
//	regions: "aab\n.ab"                               # letters for regions; or rows of words
//	sums: {a: 7, b: 0..3}                             # sums of the marks of pieces on regions
//
// The keys board and pieces are required. Cells of a piece are [row, column] or
// [layer, row, column], from any origin. The pieces of the sets one-sided-… are
// one-sided unless the entry has the key motions.
//
// Errors begin with name, which is the name of the file. An error wraps [tiling.ErrPuzzle], is a
// *[tiling.Error], and has the form "name:line:column: mistake, expected X".
func Parse(name string, data []byte) (*tiling.Puzzle, error) {
	return ParseWith(name, data, nil, tiling.CellLimit{})
}

// ParseWith is Parse with values for some parameters of the file. It uses the first setting that
// has these values. The error about the memory for a large board wraps [limit.ErrMemory].
func ParseWith(name string, data []byte, values map[string]string, cells tiling.CellLimit) (_ *tiling.Puzzle, err error) {
	defer catch(&err)
	return readPuzzle(readYAML(name, data), values, cells), nil
}

var (
	puzzleKeys = []string{
		"title", "lattice", "board", "wrap", "open", "parameters", "except", "cover",
		"motions", "pieces", "colours", "allow", "place", "forbid", "groups",
		"walls", "joined", "regions", "sums",
	}
	coverNames = []string{"exact", "at-most"}
)

func readPuzzle(root *node, values map[string]string, cells tiling.CellLimit) *tiling.Puzzle {
	if root.kind == scalar {
		root.fail("the file is text, expected a mapping with keys such as board and pieces, or the name of the format of another program")
	}
	f := root.fields("the puzzle", puzzleKeys)
	p := &tiling.Puzzle{}
	if n := f["title"]; n != nil {
		p.Title = strings.TrimRight(n.word("title", "text"), "\n") // YAML ends a block of text with a newline
		n.check(tiling.CheckTitle(p.Title))
	}
	p.Parameters = readFamily(f)
	var err error
	p.Setting, err = p.Parameters.Choose(values)
	(&node{name: root.name}).check(err)
	if len(p.Setting) > 0 && p.Title != "" {
		p.Title += p.Parameters.Suffix(p.Setting)
	}

	colours := readColours(f["colours"])
	p.Board = readBoard(root, f, colours, cells)
	regions := readRegions(f["regions"], p.Board)
	readOpen(p, f)
	colours.checkLetters(p.Board.Lattice)
	if pattern := colours.pattern; pattern != nil {
		pattern.check(p.Board.Dye(inlineRows(pattern.drawn(patternKey)), colours.letters))
	}
	if p.Colours = colours.words; p.Colours != nil {
		p.Allow = colours.readAllow(f["allow"])
	} else if n := f["allow"]; n != nil {
		n.fail("the key \"allow\" needs the key \"colours\", such as colours: {w: white, b: black}")
	}

	lattice := p.Board.Lattice
	motions := tiling.Motions(f.choice("motions", tiling.MotionNames(), int(lattice.Motions())))
	roster := tiling.NewRoster(lattice, len(p.Colours))
	r := &pieceReader{roster, lattice, motions, colours.letters}
	pieces := f["pieces"]
	if pieces == nil {
		root.fail("the key \"pieces\" is missing, expected \"pieces:\" with a list such as [domino]")
	}
	for _, entry := range pieces.list("pieces", "a list") {
		r.read(entry)
	}
	if p.Pieces = roster.Pieces; len(p.Pieces) == 0 {
		pieces.fail("the puzzle has no pieces, expected at least one piece")
	}
	m := &markReader{p, roster}
	m.readGroups(f["groups"])
	m.readMarks(f)
	m.readSums(regions, f["sums"])
	return p
}

// Inline returns the puzzle that the arguments of a command describe:
//
//   - board, as in a puzzle file.
//   - pieces, such as pentominoes, domino=any, 1x1x2=3 or ##/#.=any: the name of a piece or set, a
//     box, or a drawing with '/' between its rows. The copies come after '='; without '=',
//     there is 1 copy.
//   - cover and motions, as in a puzzle file. If they are empty, they have their defaults.
//
// The name of the piece is the text before '=', with X in place of '#'.
func Inline(board string, pieces []string, cover, motions string) (*tiling.Puzzle, error) {
	return Words{Board: board, Pieces: pieces, Cover: cover, Motions: motions}.Puzzle()
}

// Words has the arguments of a command for a puzzle; see [Inline]. An empty field has its default.
// Board may also be a figure and its sides, such as hexagon:4,4,4, triangle:5 or rhombus:4x9.
type Words struct {
	Board, Lattice string
	Pieces         []string
	Wrap           string
	Cover, Motions string
	Cells          tiling.CellLimit
}

// Puzzle returns a valid puzzle. An error is a *[tiling.Error], or wraps [limit.ErrMemory].
func (w Words) Puzzle() (_ *tiling.Puzzle, err error) {
	defer catch(&err)
	board := argument("board", inlineRows(w.Board))
	if figure, sides, isFigure := strings.Cut(w.Board, ":"); isFigure {
		board = &node{kind: mapping, name: "board"}
		board.put(strings.Trim(figure, " "), argument("board", sides))
	}
	pieces := &node{kind: sequence, name: "pieces"}
	for _, p := range w.Pieces {
		pieces.items = append(pieces.items, inlinePiece(p))
	}
	root := &node{kind: mapping, name: "puzzle"}
	root.put("board", board)
	root.put("pieces", pieces)
	for _, word := range [][2]string{{"lattice", w.Lattice}, {"wrap", w.Wrap}, {"cover", w.Cover}, {"motions", w.Motions}} {
		if word[1] != "" {
			root.put(word[0], argument(word[0], word[1]))
		}
	}
	return readPuzzle(root, nil, w.Cells), nil
}

func argument(name, text string) *node { return &node{name: name, text: text} }

func (n *node) put(key string, value *node) {
	n.keys = append(n.keys, argument(n.name, key))
	n.items = append(n.items, value)
}

func inlinePiece(arg string) *node {
	place := "piece " + wording.Quote(arg)
	what, copies, hasCopies := strings.Cut(arg, "=")
	key, shape := "", what
	switch {
	case strings.Contains(what, "/") || strings.ContainsAny(what, "#^") && strings.Trim(what, "#^v. ") == "":
		key, shape = "shape", inlineRows(what)
	case what != "" && what[0] >= '0' && what[0] <= '9' && strings.Contains(what, "x"):
		key = "box"
	case !hasCopies:
		return argument(place, what)
	}
	entry := &node{kind: mapping, name: place}
	entry.put("name", argument(place, strings.NewReplacer("#", "X", " ", ".").Replace(what)))
	if key != "" {
		entry.put(key, argument(place, shape))
	}
	if hasCopies {
		entry.put("copies", argument(place, copies))
	}
	return entry
}

func inlineRows(drawing string) string { return strings.ReplaceAll(drawing, "/", "\n") }
