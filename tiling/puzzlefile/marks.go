package puzzlefile

import (
	"cmp"
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
	members := 0
	for _, item := range n.list("groups", "a list such as [{of: [F5, L5], copies: 1}]") {
		if len(p.Groups) == tiling.MaxGroups {
			item.fail("more than %d groups, want at most that many", tiling.MaxGroups)
		}
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
		f["copies"].check(p.CheckGroup(g))
		if members += len(g.Pieces); members > tiling.MaxMembers {
			item.fail("groups of more than %d pieces together, want at most that many", tiling.MaxMembers)
		}
		p.Groups = append(p.Groups, g)
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
func (p *markReader) readMarks(place, forbid *node) {
	for _, item := range place.list("place", "a list of "+partForm) {
		p.Place = append(p.Place, p.readPart(item, true))
	}
	for _, item := range forbid.list("forbid", "a list of "+partForm) {
		p.Forbid = append(p.Forbid, p.readPart(item, false))
	}
	if len(p.Place)+len(p.Forbid) > tiling.MaxParts {
		cmp.Or(forbid, place).fail("%d places and forbidden places, want at most %d",
			len(p.Place)+len(p.Forbid), tiling.MaxParts)
	}
	of, i, err := p.Misplaced()
	switch {
	case err == nil:
	case of == "place":
		place.items[i].check(err)
	default:
		forbid.items[i].check(err)
	}
}

const partForm = "{piece: X5, cells: [[0, 1], …]}, {piece: X5, covers: [0, 1]} or X5@0,1"

// readPart reads an entry of the key place (asked) or forbid.
func (p *markReader) readPart(n *node, asked bool) (part tiling.Part) {
	if n.kind != mapping {
		return p.readAt(n)
	}
	f := n.fields("a place", partKeys)
	if f["piece"] == nil {
		n.fail("a place without a piece, want %s", partForm)
	}
	name := f["piece"].word("piece")
	part.Piece = p.piece(f["piece"], name)
	size := len(p.Pieces[part.Piece].Shape)
	cells, covers := f["cells"], f["covers"]
	switch {
	case cells != nil && covers != nil:
		covers.fail("covers beside cells, want either all cells of the placement or some that it covers")
	case cells != nil:
		all := cellsIn(cells)
		if len(all) > 0 && len(all) != size {
			cells.fail("%d cells, but the piece %s has %d; want all of them, or covers in place of cells",
				len(all), wording.Quote(name), size)
		}
		part.Cells = p.boardCells(cells, all)
	case covers != nil:
		all := cellsIn(covers)
		if len(all) > size {
			covers.fail("%d cells, but the piece %s has %d; want at most that many",
				len(all), wording.Quote(name), size)
		}
		part.Cells = p.boardCells(covers, all)
	case asked:
		n.fail("a place without cells, want %s", partForm)
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

// cellsIn returns the nodes of the cells in n: its items if n is a list of cells, n itself if it is
// one cell, or none.
func cellsIn(n *node) []*node {
	switch {
	case n.kind != sequence || len(n.items) == 0:
		return nil
	case n.items[0].kind == scalar:
		return []*node{n}
	}
	return n.items
}

// boardCells returns the indices, sorted, of the cells of the board in items, which are those of n.
func (p *markReader) boardCells(n *node, items []*node) (cells []int) {
	if len(items) == 0 {
		n.fail("no cells, want a list such as [[0, 1], [0, 2]]")
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
