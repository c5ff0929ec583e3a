package puzzlefile

import (
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

func readPuzzle(root *node, values map[string]string) *tiling.Puzzle {
	f := root.fields("the puzzle", puzzleKeys)
	p := &tiling.Puzzle{}
	if n := f["title"]; n != nil {
		p.Title = strings.TrimRight(n.word("title"), "\n") // YAML ends a block of text with a newline
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
	p.Board = readBoard(root, f, colours)
	checkParameters(p, f["open"], f["parameters"])
	readOpen(p, f["open"])
	colours.checkLetters(p.Board.Lattice)
	colours.dye(p.Board)
	if p.Colours = colours.words; p.Colours != nil {
		p.Allow = colours.readAllow(f["allow"])
	} else if n := f["allow"]; n != nil {
		n.fail("allow without colours, want colours: {w: white, b: black}")
	}

	lattice := p.Board.Lattice
	motions := tiling.Motions(choice(f, "motions", tiling.MotionNames(), int(lattice.Motions())))
	p.Entries = map[string]tiling.Error{}
	roster := tiling.NewRoster(lattice, len(p.Colours))
	r := &pieceReader{roster, lattice, motions, colours.letters, p.Entries}
	pieces := f["pieces"]
	if pieces == nil {
		root.fail("no pieces, want a list of pieces")
	}
	for _, entry := range pieces.list("pieces", "a list") {
		r.read(entry)
	}
	if p.Pieces = roster.Pieces; len(p.Pieces) == 0 {
		pieces.fail("no pieces, want at least one")
	}
	m := &markReader{p, roster}
	m.readGroups(f["groups"])
	m.readMarks(f["place"], f["forbid"])
	return p
}
