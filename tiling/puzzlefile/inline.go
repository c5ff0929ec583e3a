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

// inlineBoard returns the value of the key board for an argument.
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

// inlineShape returns the key "shape" and its value for a drawing, or "box" and its value for a
// box. For a name it returns an empty key.
func inlineShape(what string) (key, value string) {
	switch {
	case strings.Contains(what, "/") || strings.ContainsAny(what, "#^") && strings.Trim(what, "#^v. ") == "":
		return "shape", inlineRows(what)
	case what != "" && what[0] >= '0' && what[0] <= '9' && strings.Contains(what, "x"):
		return "box", what
	}
	return "", ""
}

// inlineRows returns a drawing with a newline in place of each '/', which no lattice has as a mark.
func inlineRows(drawing string) string { return strings.ReplaceAll(drawing, "/", "\n") }
