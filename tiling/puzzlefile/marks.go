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
func (p *markReader) readGroups(n *node) error {
	if n == nil {
		return nil
	}
	if n.kind != sequence {
		return n.errorf("groups is %s, want a list such as [{of: [F5, L5], copies: 1}]", kindNames[n.kind])
	}
	members := 0
	for _, item := range n.items {
		if len(p.Groups) == tiling.MaxGroups {
			return item.errorf("more than %d groups, want at most that many", tiling.MaxGroups)
		}
		g, err := p.readGroup(item)
		if err != nil {
			return err
		}
		if members += len(g.Pieces); members > tiling.MaxMembers {
			return item.errorf("groups of more than %d pieces together, want at most that many", tiling.MaxMembers)
		}
		p.Groups = append(p.Groups, g)
	}
	return nil
}

func (p *markReader) readGroup(n *node) (g tiling.PieceGroup, err error) {
	f, err := n.fields("a group", groupKeys)
	if err != nil {
		return g, err
	}
	for _, key := range groupKeys {
		if f[key] == nil {
			return g, n.errorf("a group without %s, want one such as {of: [F5, L5], copies: 3..4}", key)
		}
	}
	if g.Min, g.Max, err = f["copies"].copies(); err != nil {
		return g, err
	}
	of := []*node{f["of"]}
	if f["of"].kind == sequence {
		of = f["of"].items
	}
	members := map[int]bool{}
	for _, item := range of {
		if err := p.readMembers(members, item); err != nil {
			return g, err
		}
	}
	g.Pieces = slices.Sorted(maps.Keys(members))
	return g, f["copies"].placed(p.CheckGroup(g))
}

// readMembers adds to a group the pieces of one word: the name of a piece or a set, or "all".
func (p *markReader) readMembers(members map[int]bool, n *node) error {
	name, err := n.word("a piece of a group")
	if err != nil {
		return err
	}
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
		k := p.roster.Index(member)
		if k < 0 {
			return p.errNoPiece(n, member, slices.Collect(maps.Keys(p.Board.Lattice.Sets()))...)
		}
		if members[k] {
			return n.errorf("piece %s is in the group already, want each piece once", wording.Quote(member))
		}
		members[k] = true
	}
	return nil
}

// findPiece returns the index of the named piece, or an error if the puzzle does not have it.
func (p *markReader) findPiece(n *node, name string) (int, error) {
	if k := p.roster.Index(name); k >= 0 {
		return k, nil
	}
	return -1, p.errNoPiece(n, name)
}

// errNoPiece returns the error for the name of a missing piece. The error may suggest a piece of
// the puzzle or one of the other names.
func (p *markReader) errNoPiece(n *node, name string, others ...string) error {
	var names []string
	for _, piece := range p.Pieces[:min(len(p.Pieces), 30)] {
		names = append(names, piece.Name)
	}
	return n.errorf("the puzzle has no piece %s, %s", wording.Quote(name),
		meant(name, "one of "+wording.List(names), names, others))
}

// readMarks reads the values of the keys place and forbid, which may be missing.
func (p *markReader) readMarks(place, forbid *node) error {
	var err error
	if p.Place, err = p.readParts(place, "place"); err != nil {
		return err
	}
	if p.Forbid, err = p.readParts(forbid, "forbid"); err != nil {
		return err
	}
	if len(p.Place)+len(p.Forbid) > tiling.MaxParts {
		return cmp.Or(forbid, place).errorf("%d places and forbidden places, want at most %d",
			len(p.Place)+len(p.Forbid), tiling.MaxParts)
	}
	of, i, err := p.Misplaced()
	switch {
	case err == nil:
		return nil
	case of == "place":
		return place.items[i].wrap(err)
	}
	return forbid.items[i].wrap(err)
}

const partForm = "{piece: X5, cells: [[0, 1], …]}, {piece: X5, covers: [0, 1]} or X5@0,1"

func (p *markReader) readParts(n *node, key string) ([]tiling.Part, error) {
	if n == nil {
		return nil, nil
	}
	if n.kind != sequence {
		return nil, n.errorf("%s is %s, want a list of %s", key, kindNames[n.kind], partForm)
	}
	var all []tiling.Part
	for _, item := range n.items {
		part, err := p.readPart(item, key)
		if err != nil {
			return nil, err
		}
		all = append(all, part)
	}
	return all, nil
}

// readPart reads an entry of the key "place" or "forbid".
func (p *markReader) readPart(n *node, key string) (part tiling.Part, err error) {
	if n.kind != mapping {
		return p.readAt(n)
	}
	f, err := n.fields("a place", partKeys)
	if err != nil {
		return part, err
	}
	if f["piece"] == nil {
		return part, n.errorf("a place without a piece, want %s", partForm)
	}
	name, err := f["piece"].word("piece")
	if err != nil {
		return part, err
	}
	if part.Piece, err = p.findPiece(f["piece"], name); err != nil {
		return part, err
	}
	cells, covers := f["cells"], f["covers"]
	switch size := len(p.Pieces[part.Piece].Shape); {
	case cells != nil && covers != nil:
		return part, covers.errorf("covers beside cells, want either all cells of the placement or some that it covers")
	case cells != nil:
		if all := cellsIn(cells); len(all) > 0 && len(all) != size {
			return part, cells.errorf("%d cells, but the piece %s has %d; want all of them, or covers in place of cells",
				len(all), wording.Quote(name), size)
		}
		part.Cells, err = p.readBoardCells(cells)
	case covers != nil:
		if all := cellsIn(covers); len(all) > size {
			return part, covers.errorf("%d cells, but the piece %s has %d; want at most that many",
				len(all), wording.Quote(name), size)
		}
		part.Cells, err = p.readBoardCells(covers)
	case key == "place":
		return part, n.errorf("a place without cells, want %s", partForm)
	}
	return part, err
}

// readAt reads PIECE@CELL, such as X5@0,1.
func (p *markReader) readAt(n *node) (part tiling.Part, err error) {
	text, err := n.word("a place")
	if err != nil {
		return part, err
	}
	at := strings.LastIndexByte(text, '@')
	if at < 0 {
		return part, n.errorf("bad place %s, want %s", wording.Quote(text), partForm)
	}
	if part.Piece, err = p.findPiece(n, text[:at]); err != nil {
		return part, err
	}
	axes := p.Board.Lattice.Axes()
	numbers := strings.Split(text[at+1:], ",")
	if len(numbers) != len(axes) {
		return part, n.errorf("bad cell %s, want %s (in brackets quote the whole)", wording.Quote(text[at+1:]), strings.Join(axes, ","))
	}
	var c tiling.Cell
	for i, number := range numbers {
		if c[len(c)-len(axes)+i], err = readCoordinate(strings.TrimSpace(number)); err != nil {
			return part, n.wrap(err)
		}
	}
	i, err := p.boardCell(n, c)
	part.Cells = []int{i}
	return part, err
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

// readBoardCells returns the indices, sorted, of a cell of the board or of a list of cells.
func (p *markReader) readBoardCells(n *node) ([]int, error) {
	items := cellsIn(n)
	if len(items) == 0 {
		return nil, n.errorf("no cells, want a list such as [[0, 1], [0, 2]]")
	}
	var cells []int
	for _, item := range items {
		c, err := readCell(item, p.Board.Lattice.Dimensions())
		if err != nil {
			return nil, err
		}
		i, err := p.boardCell(item, c)
		if err != nil {
			return nil, err
		}
		if slices.Contains(cells, i) {
			return nil, item.errorf("a cell a second time, want each cell once")
		}
		cells = append(cells, i)
	}
	slices.Sort(cells)
	return cells, nil
}

func (p *markReader) boardCell(n *node, c tiling.Cell) (int, error) {
	i := p.Board.Index(c)
	if i < 0 {
		return i, n.errorf("the board has no cell %s, want %s of one, counted from 0",
			p.Board.CellName(c), strings.Join(p.Board.Lattice.Axes(), ", "))
	}
	return i, nil
}
