package tiling

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
)

// groupKeys and partKeys are the keys of a group, of a place and of a forbidden one.
var (
	groupKeys = []string{"of", "copies"}
	partKeys  = []string{"piece", "cells", "covers"}
)

// allPieces is what groups call all pieces of the puzzle.
const allPieces = "all"

// readGroups reads the value of the key groups, which may be missing.
func (p *Puzzle) readGroups(n *node) error {
	if n == nil {
		return nil
	}
	if n.kind != sequence {
		return n.errorf("groups is %s, want a list such as [{of: [F5, L5], copies: 1}]", kindNames[n.kind])
	}
	members := 0
	for _, item := range n.items {
		if len(p.Groups) == MaxGroups {
			return item.errorf("more than %d groups, want at most that many", MaxGroups)
		}
		g, err := p.readGroup(item)
		if err != nil {
			return err
		}
		if members += len(g.Pieces); members > MaxMembers {
			return item.wrap(errMembers)
		}
		p.Groups = append(p.Groups, g)
	}
	return nil
}

func (p *Puzzle) readGroup(n *node) (g PieceGroup, err error) {
	f, err := n.fields("a group", groupKeys)
	if err != nil {
		return g, err
	}
	for _, key := range groupKeys {
		if f[key] == nil {
			return g, n.errorf("a group without %s, want one such as {of: [F5, L5], copies: 3..4}", key)
		}
	}
	text, err := f["copies"].word("copies")
	if err != nil {
		return g, err
	}
	if g.Min, g.Max, err = parseCopies(text); err != nil {
		return g, f["copies"].wrap(err)
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
	if err := p.checkGroup(g); err != nil {
		return g, f["copies"].wrap(err)
	}
	return g, nil
}

// readMembers adds a piece to those of a group, or those of a set, or all.
func (p *Puzzle) readMembers(members map[int]bool, n *node) error {
	name, err := n.word("a piece of a group")
	if err != nil {
		return err
	}
	var of []string
	s, isSet := p.Board.Lattice.knownSets()[name]
	switch {
	case p.piece(name) >= 0 || !isSet && name != allPieces:
		of = []string{name}
	case isSet:
		for _, member := range s.shapes() {
			of = append(of, member.name)
		}
	default:
		for _, piece := range p.Pieces {
			of = append(of, piece.Name)
		}
	}
	for _, member := range of {
		k := p.piece(member)
		if k < 0 {
			return p.errNoPiece(n, member, slices.Collect(maps.Keys(p.Board.Lattice.knownSets()))...)
		}
		if members[k] {
			return n.errorf("piece %s is in the group already, want each piece once", quote(member))
		}
		members[k] = true
	}
	return nil
}

// piece is the index of a piece, -1 if there is none of that name.
func (p *Puzzle) piece(name string) int {
	if k, known := p.numbers[name]; known {
		return k
	}
	return -1
}

// findPiece is the index of a piece that the puzzle must have.
func (p *Puzzle) findPiece(n *node, name string) (int, error) {
	if k := p.piece(name); k >= 0 {
		return k, nil
	}
	return -1, p.errNoPiece(n, name)
}

// errNoPiece says that there is no piece of that name. Other words than pieces may have been
// meant.
func (p *Puzzle) errNoPiece(n *node, name string, others ...string) error {
	var names []string
	for _, piece := range p.Pieces[:min(len(p.Pieces), 30)] {
		names = append(names, piece.Name)
	}
	return n.errorf("the puzzle has no piece %s, %s", quote(name), meant(name, "one of "+list(names), names, others))
}

// readMarks reads the values of the keys place and forbid, which may be missing.
func (p *Puzzle) readMarks(place, forbid *node) error {
	var err error
	if p.Place, err = p.readParts(place, "place"); err != nil {
		return err
	}
	if p.Forbid, err = p.readParts(forbid, "forbid"); err != nil {
		return err
	}
	if len(p.Place)+len(p.Forbid) > MaxParts {
		return cmp.Or(forbid, place).errorf("%d places and forbidden places, want at most %d", len(p.Place)+len(p.Forbid), MaxParts)
	}
	of, i, err := p.misplaced(context.Background())
	switch {
	case err == nil:
		return nil
	case of == "place":
		return place.items[i].wrap(err)
	}
	return forbid.items[i].wrap(err)
}

const partForm = "{piece: X5, cells: [[0, 1], …]}, {piece: X5, covers: [0, 1]} or X5@0,1"

func (p *Puzzle) readParts(n *node, key string) ([]Part, error) {
	if n == nil {
		return nil, nil
	}
	if n.kind != sequence {
		return nil, n.errorf("%s is %s, want a list of %s", key, kindNames[n.kind], partForm)
	}
	var all []Part
	for _, item := range n.items {
		part, err := p.readPart(item, key)
		if err != nil {
			return nil, err
		}
		all = append(all, part)
	}
	return all, nil
}

// readPart reads a piece and cells that it covers.
func (p *Puzzle) readPart(n *node, key string) (part Part, err error) {
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
			return part, cells.errorf("%d cells, but the piece %s has %d; want all of them, or covers in place of cells", len(all), quote(name), size)
		}
		part.Cells, err = p.readBoardCells(cells)
	case covers != nil:
		if all := cellsIn(covers); len(all) > size {
			return part, covers.errorf("%d cells, but the piece %s has %d; want at most that many", len(all), quote(name), size)
		}
		part.Cells, err = p.readBoardCells(covers)
	case key == "place":
		return part, n.errorf("a place without cells, want %s", partForm)
	}
	return part, err
}

// readAt reads PIECE@CELL, such as X5@0,1.
func (p *Puzzle) readAt(n *node) (part Part, err error) {
	text, err := n.word("a place")
	if err != nil {
		return part, err
	}
	at := strings.LastIndexByte(text, '@')
	if at < 0 {
		return part, n.errorf("bad place %s, want %s", quote(text), partForm)
	}
	if part.Piece, err = p.findPiece(n, text[:at]); err != nil {
		return part, err
	}
	axes := p.Board.Lattice.axes
	numbers := strings.Split(text[at+1:], ",")
	if len(numbers) != len(axes) {
		return part, n.errorf("bad cell %s, want %s (in brackets quote the whole)", quote(text[at+1:]), strings.Join(axes, ","))
	}
	var c Cell
	for i, number := range numbers {
		if c[len(c)-len(axes)+i], err = readCoordinate(strings.TrimSpace(number)); err != nil {
			return part, n.wrap(err)
		}
	}
	i, err := p.boardCell(n, c)
	part.Cells = []int{i}
	return part, err
}

// cellsIn are the cells of a list, or the one cell that n is; none if it is neither.
func cellsIn(n *node) []*node {
	switch {
	case n.kind != sequence || len(n.items) == 0:
		return nil
	case n.items[0].kind == scalar:
		return []*node{n}
	}
	return n.items
}

// readBoardCells reads a cell of the board or a list of them, sorted.
func (p *Puzzle) readBoardCells(n *node) ([]int, error) {
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

func (p *Puzzle) boardCell(n *node, c Cell) (int, error) {
	i := p.Board.Index(c)
	if i < 0 {
		return i, n.errorf("the board has no cell %s, want %s of one, counted from 0", p.Board.cellName(c), strings.Join(p.Board.Lattice.axes, ", "))
	}
	return i, nil
}
