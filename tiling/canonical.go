package tiling

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// The versions of the forms below. Whoever keeps answers by their digests must not find
// those of another form.
const (
	canonicalForm = "pavage canonical puzzle 1\n"
	literalForm   = "pavage literal puzzle 1\n"
)

// Canonical are bytes that puzzles have in common which mean the same: the lattice, the board's
// cells from the origin on, which of them may stay empty, and for each piece its bounds and all
// shapes that it may be turned into, in an order of their own. So it does not matter how a piece is
// called, which place it has in the list, how it was turned when it was written down, or whether
// it came with a set. Puzzles with the same bytes have the same tilings, but for names and numbers of pieces
// and where the board begins. Symmetries of a board are not looked for: a board and its mirror image
// have different bytes.
//
// The puzzle must be valid. It takes as long as to turn each piece.
func (p *Puzzle) Canonical() []byte {
	b := p.Board
	pieces := make([][]byte, len(p.Pieces))
	for i, piece := range p.Pieces {
		pieces[i] = piece.canonical()
	}
	slices.SortFunc(pieces, bytes.Compare)
	form := b.appendTo([]byte(canonicalForm), b.origin())
	for _, piece := range pieces {
		form = appendNumbers(form, len(piece))
		form = append(form, piece...)
	}
	return form
}

// canonical are the bounds of a piece and its orientations.
func (p Piece) canonical() []byte {
	form := appendNumbers(nil, p.Min, p.Max)
	for _, s := range p.Orientations() {
		form = appendCells(form, s, Cell{})
	}
	return form
}

// Literal are bytes that puzzles have in common whose tilings are written alike: those of
// Canonical, and the names and the order of the pieces, how each was written down, and where the board lies
// in its box. Only the title is left out.
//
// The puzzle must be valid.
func (p *Puzzle) Literal() []byte {
	b := p.Board
	form := appendNumbers([]byte(literalForm), b.Size[:]...)
	form = b.appendTo(form, Cell{})
	for _, piece := range p.Pieces {
		form = appendNumbers(form, len(piece.Name))
		form = append(form, piece.Name...)
		form = appendNumbers(form, piece.Min, piece.Max, int(piece.Motions))
		form = appendCells(form, piece.Shape, Cell{})
	}
	return form
}

// appendTo appends the lattice, the cells as seen from an origin, and which may stay empty.
func (b *Board) appendTo(form []byte, origin Cell) []byte {
	form = append(form, b.Lattice.name...)
	form = appendCells(append(form, '\n'), b.Cells, origin)
	for _, optional := range b.Optional {
		if optional {
			form = append(form, 1)
		} else {
			form = append(form, 0)
		}
	}
	return form
}

// appendCells appends how many cells there are and each of them, as seen from an origin.
func appendCells(form []byte, cells []Cell, origin Cell) []byte {
	form = appendNumbers(form, len(cells))
	for _, c := range cells {
		c = c.minus(origin)
		form = appendNumbers(form, c[:]...)
	}
	return form
}

func appendNumbers(form []byte, numbers ...int) []byte {
	for _, n := range numbers {
		form = binary.AppendVarint(form, int64(n))
	}
	return form
}
