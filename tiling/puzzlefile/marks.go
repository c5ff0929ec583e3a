package puzzlefile

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/tiling"
)

// groupKeys are the keys of a group, partKeys the keys of a place or a forbidden place.
var (
	groupKeys = []string{"of", "copies"}
	partKeys  = []string{"piece", "cells", "covers"}
)

// allPieces in a group stands for all pieces of the puzzle.
const allPieces = "all"

// markReader reads groups, places and forbidden places. They refer to the pieces of a puzzle, so
// the pieces are read first.
type markReader struct {
	*tiling.Puzzle
	roster *tiling.Roster
}

// readGroups reads the value of the key groups, which may be missing.
func (p *markReader) readGroups(n *node) {
	for _, item := range n.list("groups", "a list such as [{of: [F5, L5], copies: 1}]") {
		f := item.fields("a group", groupKeys)
		for _, key := range groupKeys {
			if f[key] == nil {
				item.fail("a group without %s, want one such as {of: [F5, L5], copies: 3..4}", key)
			}
		}
		var g tiling.PieceGroup
		g.Min, g.Max = f["copies"].copies()
		of := []*node{f["of"]}
		if f["of"].kind == sequence {
			of = f["of"].items
		}
		known := map[int]bool{}
		for _, word := range of {
			p.readMembers(known, word)
		}
		g.Pieces = slices.Sorted(maps.Keys(known))
		f["copies"].check(p.AddGroup(g))
	}
}

// readMembers adds to a group the pieces of one word: the name of a piece or a set, or "all".
func (p *markReader) readMembers(members map[int]bool, n *node) {
	name := n.word("a piece of a group")
	var of []string
	s, isSet := p.Board.Lattice.Sets()[name]
	switch {
	case p.roster.Index(name) >= 0 || !isSet && name != allPieces:
		of = []string{name}
	case isSet:
		for _, member := range s.Shapes() {
			of = append(of, member.Name)
		}
	default:
		for _, piece := range p.Pieces {
			of = append(of, piece.Name)
		}
	}
	for _, member := range of {
		k := p.piece(n, member, p.Board.Lattice)
		if members[k] {
			n.fail("piece %s is in the group already, want each piece once", wording.Quote(member))
		}
		members[k] = true
	}
}

// piece returns the index of the named piece. If the puzzle does not have it, the error may suggest
// a piece of the puzzle or a set of the lattices.
func (p *markReader) piece(n *node, name string, sets ...*tiling.Lattice) int {
	k := p.roster.Index(name)
	if k < 0 {
		var names []string
		for _, piece := range p.Pieces[:min(len(p.Pieces), 30)] {
			names = append(names, piece.Name)
		}
		n.fail("the puzzle has no piece %s, %s", wording.Quote(name),
			meant(name, "one of "+wording.List(names), names, setNames(sets...)))
	}
	return k
}

// readMarks reads the values of the keys place and forbid, which may be missing.
func (p *markReader) readMarks(f fields) {
	for _, item := range f["place"].list("place", "a list of "+partForm) {
		p.Place = append(p.Place, p.readPart(item))
	}
	for _, item := range f["forbid"].list("forbid", "a list of "+partForm) {
		p.Forbid = append(p.Forbid, p.readPart(item))
	}
	var bad *tiling.PartError
	if errors.As(p.Misplaced(), &bad) {
		f[bad.List].items[bad.Index].fail("%s", bad.Text)
	}
}

const partForm = "{piece: X5, cells: [[0, 1], …]}, {piece: X5, covers: [0, 1]} or X5@0,1"

// readPart reads an entry of the key place or forbid.
func (p *markReader) readPart(n *node) (part tiling.Part) {
	if n.kind != mapping {
		return p.readAt(n)
	}
	f := n.fields("a place", partKeys)
	if f["piece"] == nil {
		n.fail("a place without a piece, want %s", partForm)
	}
	name := f["piece"].word("piece")
	part.Piece = p.piece(f["piece"], name)
	switch key := f.one("cells", "covers"); key {
	case "covers":
		part.Cells = p.boardCells(f[key])
	case "cells":
		part.Cells = p.boardCells(f[key])
		if size := len(p.Pieces[part.Piece].Shape); len(part.Cells) != size {
			f[key].fail("%d cells, but the piece %s has %d; want all of them, or covers in place of cells",
				len(part.Cells), wording.Quote(name), size)
		}
	}
	return part
}

// readAt reads PIECE@CELL, such as X5@0,1.
func (p *markReader) readAt(n *node) tiling.Part {
	text := n.word("a place")
	at := strings.LastIndexByte(text, '@')
	if at < 0 {
		n.fail("bad place %s, want %s", wording.Quote(text), partForm)
	}
	piece := p.piece(n, text[:at])
	axes := p.Board.Lattice.Axes()
	numbers := strings.Split(text[at+1:], ",")
	if len(numbers) != len(axes) {
		n.fail("bad cell %s, want %s (in brackets quote the whole)", wording.Quote(text[at+1:]), strings.Join(axes, ","))
	}
	var c tiling.Cell
	for i, number := range numbers {
		c[len(c)-len(axes)+i] = n.coordinate(strings.TrimSpace(number))
	}
	return tiling.Part{Piece: piece, Cells: []int{p.boardCell(n, c)}}
}

// boardCells returns the indices, sorted, of cells of the board: of a list of cells, or of one cell.
func (p *markReader) boardCells(n *node) (cells []int) {
	if n.kind != sequence || len(n.items) == 0 {
		n.fail("no cells, want a list such as [[0, 1], [0, 2]]")
	}
	items := n.items
	if items[0].kind == scalar {
		items = []*node{n}
	}
	for _, item := range items {
		i := p.boardCell(item, item.cell(p.Board.Lattice.Dimensions()))
		if slices.Contains(cells, i) {
			item.fail("a cell a second time, want each cell once")
		}
		cells = append(cells, i)
	}
	slices.Sort(cells)
	return cells
}

func (p *markReader) boardCell(n *node, c tiling.Cell) int {
	i := p.Board.Index(c)
	if i < 0 {
		n.fail("the board has no cell %s, want %s of one, counted from 0",
			p.Board.CellName(c), strings.Join(p.Board.Lattice.Axes(), ", "))
	}
	return i
}
