package tiling

import (
	"context"
	"fmt"

	"github.com/pavage/pavage/cover"
)

// Puzzle is a board and the pieces to tile it with. Parse, Read and Inline make
// valid puzzles; one made by hand is checked by Validate and by Model.
type Puzzle struct {
	Title  string
	Board  *Board
	Pieces []Piece
}

// Validate reports the first thing that makes p not a puzzle within the
// limits. Its errors wrap ErrPuzzle and have no place in a file.
func (p *Puzzle) Validate() error {
	if err := p.validateParts(); err != nil {
		return &Error{Text: err.Error()}
	}
	return nil
}

func (p *Puzzle) validateParts() error {
	if !printable(p.Title, MaxTitleRunes) {
		return errTitle(p.Title)
	}
	if err := p.Board.validate(); err != nil {
		return fmt.Errorf("board: %w", err)
	}
	if len(p.Pieces) == 0 {
		return errNoPieces
	}
	r := newRoster(p.Board.Lattice)
	for _, piece := range p.Pieces {
		if err := r.add(piece); err != nil {
			return err
		}
	}
	return nil
}

var errNoPieces = fmt.Errorf("no pieces, want at least one")

func errTitle(title string) error {
	return fmt.Errorf("bad title %s, want one line of at most %d printable characters", quote(title), MaxTitleRunes)
}

// Placement is a piece (index into Puzzle.Pieces) at a place of the board: the
// indices into Board.Cells that it covers, ascending.
type Placement struct {
	Piece int
	Cells []int
}

// Model is a puzzle, all its placements, and the same as an exact cover:
// option i of Problem is placement i, item c < len(Board.Cells) is board cell
// c, and item len(Board.Cells)+k is piece k.
//
// Placements are sorted by piece, then orientation (as Piece.Orientations has
// them), then position. Problem.Symmetries are those of [Model.Group],
// reflections included, if there is more than one.
//
// Problem.Orders are ways to go through the cells; OrderNames says in words how each
// does, such as "by rows".
type Model struct {
	Puzzle     *Puzzle
	Placements []Placement
	Problem    *cover.Problem
	OrderNames []string
}

// Model lists the placements of the pieces on the board. It fails if the puzzle
// does not validate, or has more placements than cover.MaxOptions or larger
// ones than MaxUses allows. A piece that fits nowhere has no placement. It looks
// at ctx before each orientation of a piece: the largest models take seconds
// (900 monominoes on 64x64, 3.7 million placements: 2.9 s).
func (p *Puzzle) Model(ctx context.Context) (*Model, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	b := p.Board
	m := &Model{Puzzle: p, Problem: &cover.Problem{Items: p.items()}}
	for _, o := range b.orders() {
		m.Problem.Orders = append(m.Problem.Orders, o.cells)
		m.OrderNames = append(m.OrderNames, o.name)
	}
	f := newFitter(b)
	for k, piece := range p.Pieces {
		if len(piece.Shape) > len(b.Cells) {
			continue // saves the work on orientations that cannot fit
		}
		for _, o := range piece.Orientations() {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			for at := range b.Cells {
				if cells := f.fit(o, at); cells != nil {
					m.add(Placement{k, cells})
				}
			}
		}
		if len(m.Placements) > cover.MaxOptions || f.uses > MaxUses {
			return nil, &Error{Text: fmt.Sprintf(
				"too many placements: %d, of %d cells, by piece %s; want at most %d, of %d cells",
				len(m.Placements), f.uses, quote(piece.Name), cover.MaxOptions, MaxUses)}
		}
	}
	if g := m.Group(true); len(g.Elements) > 1 {
		m.Problem.Symmetries = g.Symmetries()
	}
	return m, nil
}

func (m *Model) add(p Placement) {
	option := make(cover.Option, 0, len(p.Cells)+1)
	for _, c := range p.Cells {
		option = append(option, cover.Use{Item: c, Times: 1})
	}
	pieceItem := len(m.Puzzle.Board.Cells) + p.Piece
	m.Placements = append(m.Placements, p)
	m.Problem.Options = append(m.Problem.Options, append(option, cover.Use{Item: pieceItem, Times: 1}))
}

// items are the cells, named by their coordinates, and then the pieces.
func (p *Puzzle) items() []cover.Item {
	b := p.Board
	items := make([]cover.Item, 0, len(b.Cells)+len(p.Pieces))
	for i, c := range b.Cells {
		least := 1
		if b.Optional[i] {
			least = 0
		}
		items = append(items, cover.Item{Name: b.cellName(c), Min: least, Max: 1})
	}
	for _, piece := range p.Pieces {
		items = append(items, cover.Item{Name: piece.Name, Min: piece.Min, Max: piece.Max})
	}
	return items
}

// cellName is "row,column" in the plane and "layer,row,column" in space, counted
// from 0.
func (b *Board) cellName(c Cell) string { return join(b.Lattice.Coordinates(c), ",") }

// fitter looks up board cells by place, in a table of the board's box: at most
// MaxVolume entries, -1 where there is no cell.
type fitter struct {
	board *Board
	table []int32
	uses  int // cells of the placements found, and one for each placement
}

func newFitter(b *Board) *fitter {
	f := &fitter{board: b, table: make([]int32, b.Size[0]*b.Size[1]*b.Size[2])}
	for i := range f.table {
		f.table[i] = -1
	}
	for i, c := range b.Cells {
		f.table[f.place(c)] = int32(i)
	}
	return f
}

func (f *fitter) place(c Cell) int { return (c[0]*f.board.Size[1]+c[1])*f.board.Size[2] + c[2] }

// cell is the index of the board cell at c, -1 if there is none.
func (f *fitter) cell(c Cell) int {
	for axis, side := range f.board.Size {
		if uint(c[axis]) >= uint(side) { // negative ones are large
			return -1
		}
	}
	return int(f.table[f.place(c)])
}

// fit puts o with its first cell on board cell at, and returns the board cells
// covered, or nil if one of them is not on the board. Both lists are sorted
// alike, so the result ascends.
func (f *fitter) fit(o Shape, at int) []int {
	shift := f.board.Cells[at].minus(o[0])
	if !f.board.Lattice.isTranslation(shift) {
		return nil
	}
	for _, c := range o {
		if f.cell(c.plus(shift)) < 0 {
			return nil
		}
	}
	f.uses += len(o) + 1
	if f.uses > MaxUses {
		return []int{} // the model fails anyway: take no more memory
	}
	cells := make([]int, len(o))
	for i, c := range o {
		cells[i] = f.cell(c.plus(shift))
	}
	return cells
}
