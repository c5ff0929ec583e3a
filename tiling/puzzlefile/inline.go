package puzzlefile

import (
	"strings"

	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/tiling"
)

// Inline returns the puzzle that the arguments of a command describe:
//
//   - board, as in a puzzle file;
//   - pieces, each the name of a piece or set, a box or a drawing, then '=' and its copies (by
//     default 1 copy): pentominoes, domino=any, 1x1x2=3, ##/#.=any;
//   - cover and motions, as in a file; empty for the defaults.
//
// A drawing may have '/' between its rows. A piece given as a box or a drawing is named by its
// argument, with X in place of '#'. The place of an error is the name of the argument.
func Inline(board string, pieces []string, cover, motions string) (*tiling.Puzzle, error) {
	return Words{Board: board, Pieces: pieces, Cover: cover, Motions: motions}.Puzzle()
}

// Words has the arguments of a command for a puzzle: see [Inline]. An empty string stands for the
// default. Board may also be a figure and its sides: hexagon:4,4,4, triangle:5 or rhombus:4x9.
type Words struct {
	Board, Lattice string
	Pieces         []string
	Wrap           string
	Cover, Motions string
}

// Puzzle returns the puzzle, which is valid. An error is a *[tiling.Error].
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
	return readPuzzle(root, nil), nil
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
	if home(what) != nil {
		entry.put("set", argument(place, what))
	} else {
		// A name has no blank and no '#', which may begin a comment in a file.
		entry.put("name", argument(place, strings.NewReplacer("#", "X", " ", ".").Replace(what)))
	}
	if key != "" {
		entry.put(key, argument(place, shape))
	}
	if hasCopies {
		entry.put("copies", argument(place, copies))
	}
	return entry
}

// inlineRows returns a drawing with a newline in place of each '/', which no lattice has as a mark.
func inlineRows(drawing string) string { return strings.ReplaceAll(drawing, "/", "\n") }
