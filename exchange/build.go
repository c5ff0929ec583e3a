package exchange

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/tiling"
)

// site is a cell of a board or a piece, as a file has it.
type site struct {
	cell     tiling.Cell
	colour   int  // from 1, 0 for none
	optional bool // of a board: it may stay empty
}

func compareSites(a, b site) int { return slices.Compare(a.cell[:], b.cell[:]) }

// builder makes a puzzle of boards and pieces, and holds it to the limits before it takes
// memory. Files of other programs know no rules for names, so it makes some that can be
// written everywhere.
type builder struct {
	puzzle tiling.Puzzle
	names  map[string]bool
	tried  map[string]int // by a name that more than one wished for: the next number
	cells  int            // of all pieces
}

func newBuilder(l *tiling.Lattice, title string) *builder {
	if !wording.Printable(title, tiling.MaxTitleRunes) {
		title = ""
	}
	return &builder{puzzle: tiling.Puzzle{Title: title, Board: &tiling.Board{Lattice: l}}, names: map[string]bool{}, tried: map[string]int{}}
}

// board sets the cells of the board, all different ones.
func (b *builder) board(size [3]int, sites []site) error {
	if len(sites) > tiling.MaxCells {
		return fmt.Errorf("a board of %d cells, want at most %d", len(sites), tiling.MaxCells)
	}
	slices.SortFunc(sites, compareSites)
	board := b.puzzle.Board
	board.Size = size
	for _, s := range sites {
		board.Cells = append(board.Cells, s.cell)
		board.Optional = append(board.Optional, s.optional)
	}
	board.Colours = coloursOf(sites)
	return nil
}

// coloursOf are the colours of cells, nil if none has one.
func coloursOf(sites []site) []int {
	if !slices.ContainsFunc(sites, func(s site) bool { return s.colour != 0 }) {
		return nil
	}
	colours := make([]int, len(sites))
	for i, s := range sites {
		colours[i] = s.colour
	}
	return colours
}

// piece adds a piece of so many cells, which sites then gives.
func (b *builder) piece(p tiling.Piece, size int, sites func() []site) error {
	if b.cells += tiling.LargeCells(size); b.cells > tiling.MaxShapeCells {
		return fmt.Errorf("pieces of more than %d cells have more than %d together, want at most that many", tiling.MaxSmallCells, tiling.MaxShapeCells)
	}
	if len(b.puzzle.Pieces) == tiling.MaxPieces {
		return fmt.Errorf("more than %d pieces, want at most that many", tiling.MaxPieces)
	}
	all := sites()
	slices.SortFunc(all, compareSites) // the order of a shape's cells
	for i := range len(all) - 1 {
		if compareSites(all[i], all[i+1]) == 0 {
			return fmt.Errorf("a cell of piece %s a second time, want each once", wording.Quote(p.Name))
		}
	}
	p.Lattice = b.puzzle.Board.Lattice
	cells := make([]tiling.Cell, len(all))
	for i, s := range all {
		cells[i] = s.cell
	}
	p.Shape = p.Lattice.Shape(cells...)
	p.Colours = coloursOf(all)
	// A file has any names; a piece gets a unique name that puzzle files can have.
	const room = 8 // for a number
	var name []rune
	for _, r := range p.Name {
		if len(name) == tiling.MaxNameRunes-room {
			break
		}
		if !unicode.IsPrint(r) || unicode.IsSpace(r) || strings.ContainsRune("=,*#", r) {
			r = '_'
		}
		name = append(name, r)
	}
	unique := string(name)
	k := max(2, b.tried[unique]) // names with lower numbers are taken
	for ; b.names[unique] || unique == ""; k++ {
		unique = fmt.Sprintf("%s-%d", string(name), k)
	}
	b.names[unique], b.tried[string(name)] = true, k
	p.Name = unique
	b.puzzle.Pieces = append(b.puzzle.Pieces, p)
	return nil
}

// copy adds a piece, or a copy of one of the same shape: like has the number of the first piece
// of each shape.
func (b *builder) copy(p tiling.Piece, sites []site, like map[string]int) error {
	if err := b.piece(p, len(sites), func() []site { return sites }); err != nil {
		return err
	}
	all := b.puzzle.Pieces
	last := len(all) - 1
	shape := fmt.Sprint(all[last].Orientations()[0])
	first, again := like[shape]
	if !again {
		like[shape] = last
		return nil
	}
	all[first].Min++
	all[first].Max++
	b.puzzle.Pieces = all[:last]
	b.cells -= tiling.LargeCells(len(sites))
	return nil
}

// done is the puzzle, if it is one.
func (b *builder) done() (*tiling.Puzzle, error) {
	var e *tiling.Error
	if err := b.puzzle.Validate(); errors.As(err, &e) {
		return nil, errors.New(e.Text)
	}
	return &b.puzzle, nil
}

// colours sets what colours mean: how many there are, and the pairs that may meet. Colours of the
// board alone stay: they bar no placement, but symmetries keep them.
func (b *builder) colours(number int, allow []tiling.Pair) {
	p := &b.puzzle
	if p.Board.Colours == nil && !slices.ContainsFunc(p.Pieces, func(p tiling.Piece) bool { return p.Colours != nil }) {
		return
	}
	for c := range number {
		p.Colours = append(p.Colours, fmt.Sprintf("c%d", c+1))
	}
	slices.SortFunc(allow, func(x, y tiling.Pair) int {
		return slices.Compare([]int{x.Piece, x.Board}, []int{y.Piece, y.Board})
	})
	p.Allow = slices.Compact(allow)
}
