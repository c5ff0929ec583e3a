package puzzlefile

import (
	"cmp"
	"strings"

	"github.com/pavage/pavage/tiling"
)

// puzzleKeys are the keys of a puzzle, coverNames the values of the key cover.
var (
	puzzleKeys = []string{
		"title", "lattice", "board", "wrap", "open", "parameters", "except", "cover",
		"motions", "pieces", "colours", "allow", "place", "forbid", "groups",
	}
	coverNames = []string{"exact", "at-most"}
)

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
	if err := cmp.Or(colours.checkLetters(p.Board.Lattice), colours.dye(p.Board)); err != nil {
		return nil, err
	}
	if p.Colours = colours.words; p.Colours != nil {
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
	r := &pieceReader{roster, lattice, tiling.Motions(byDefault), colours.letters, p.Entries}
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
	title = strings.TrimRight(title, "\n") // YAML ends a block of text with a newline
	return title, n.placed(tiling.CheckTitle(title))
}
