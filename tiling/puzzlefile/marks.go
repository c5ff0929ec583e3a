package puzzlefile

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/tiling"
)

var (
	groupKeys = []string{"of", "copies"}
	partKeys  = []string{"piece", "cells", "covers"}
)

const (
	allPieces = "all"
	groupForm = "a group such as {of: [F5, L5], copies: 3..4}"
)

// markReader reads groups and parts, which refer to the pieces of a puzzle.
type markReader struct {
	*tiling.Puzzle
	roster *tiling.Roster
}

func (p *markReader) readGroups(n *node) {
	for _, item := range n.list("groups", "a list such as [{of: [F5, L5], copies: 1}]") {
		if item.kind != mapping {
			item.fail("a group is %s, expected %s", kindNames[item.kind], groupForm)
		}
		f := item.fields("a group", groupKeys)
		for _, key := range groupKeys {
			if f[key] == nil {
				item.fail("the group has no key %q, expected %s", key, groupForm)
			}
		}
		var g tiling.PieceGroup
		g.Min, g.Max = f["copies"].bounds("copies", tiling.MaxCopies)
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

func (p *markReader) readMembers(members map[int]bool, n *node) {
	name := n.word("a piece of a group", "text")
	var of []string
	s, isSet := p.Board.Lattice.Sets()[name]
	switch {
	case p.roster.Index(name) >= 0 || !isSet && name != allPieces:
		of = []string{name}
	case isSet:
		for _, member := range s.Shapes() {
			if p.roster.Index(member.Name) < 0 {
				n.fail("the puzzle has no piece %s, which belongs to the set %s; expected all pieces of the set", wording.Quote(member.Name), name)
			}
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
			n.fail("piece %s is in the group already, expected each piece once", wording.Quote(member))
		}
		members[k] = true
	}
}

func (p *markReader) piece(n *node, name string, sets ...*tiling.Lattice) int {
	k := p.roster.Index(name)
	if k < 0 {
		var names []string
		for _, piece := range p.Pieces[:min(len(p.Pieces), 30)] {
			names = append(names, piece.Name)
		}
		n.fail("the puzzle has no piece %s, %s", wording.Quote(name),
			meant(name, wording.List(names), names, setNames(sets...)))
	}
	return k
}

func (p *markReader) readMarks(f fields) {
	p.Walls = p.readPairs("walls", f["walls"])
	p.Joined = p.readPairs("joined", f["joined"])
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

func (p *markReader) readPairs(key string, n *node) (pairs [][2]int) {
	for _, item := range n.list(key, "a list of pairs of cells such as [[[0, 0], [0, 1]]]") {
		var pair []int
		if item.kind == sequence {
			pair = p.boardCells(item) // a single cell, too, is a sequence
		}
		if len(pair) != 2 {
			item.fail("bad pair of cells, expected two neighbours such as [[0, 0], [0, 1]]")
		}
		pairs = append(pairs, [2]int(pair))
	}
	return pairs
}

// readRegions reads the name of the region of each cell from a drawing, or from rows of words:
//
//	regions: |              regions: ["left left b", ". left b"]
//	  aab
//	  .ab
func readRegions(n *node, b *tiling.Board) (names map[tiling.Cell]string) {
	switch {
	case n == nil:
		return nil
	case n.kind != sequence:
		var err error
		names, err = b.ReadRegions(n.drawn("regions"))
		n.check(err)
		return names
	case b.Lattice.Dimensions() != 2:
		n.fail("regions on the %s lattice cannot be rows of words, expected a drawing", b.Lattice)
	}
	names = map[tiling.Cell]string{}
	if len(n.items) != b.Size[1] {
		n.fail("the regions have %s, expected %d, as the board has", wording.Plural(len(n.items), "row"), b.Size[1])
	}
	for r, row := range n.items {
		words := row.words()
		if len(words) != b.Size[2] {
			row.fail("row %d of the regions has %s, expected %d: one for each column of the board", r+1, wording.Plural(len(words), "word"), b.Size[2])
		}
		for c, word := range words {
			at := tiling.Cell{0, r, c}
			switch {
			case word.text == ".":
				continue
			case !tiling.ValidRegionName(word.text):
				word.fail("bad name %s of a region, expected %s, or '.' for no region", wording.Quote(word.text), tiling.NameForm)
			case b.Index(at) < 0:
				word.fail("the board has no cell %s, expected '.' there", b.CellName(at))
			}
			names[at] = word.text
		}
	}
	return names
}

func (p *markReader) readSums(names map[tiling.Cell]string, n *node) {
	numbers := map[string]int{}
	for i, c := range p.Board.Cells {
		name := names[c]
		k, met := numbers[name]
		switch {
		case name == "":
			continue
		case !met:
			k, numbers[name] = len(p.Regions), len(p.Regions)
			p.Regions = append(p.Regions, tiling.Region{Name: name, Max: cover.Unbounded})
		}
		p.Regions[k].Cells = append(p.Regions[k].Cells, i)
	}
	if n == nil {
		return
	}
	if n.kind != mapping {
		n.fail("the value of \"sums\" is %s, expected a mapping such as {a: 7, b: 0..3}", kindNames[n.kind])
	}
	known := map[string]bool{}
	for i, key := range n.keys {
		k, met := numbers[key.text]
		switch {
		case !met:
			var all []string
			for _, r := range p.Regions[:min(len(p.Regions), 30)] {
				all = append(all, r.Name)
			}
			key.fail("unknown region %s, %s", wording.Quote(key.text), meant(key.text, cmp.Or(wording.List(all), "a region of the key \"regions\""), all))
		case known[key.text]:
			key.fail("the sum of region %s is given twice, expected one sum for each region", wording.Quote(key.text))
		}
		known[key.text] = true
		p.Regions[k].Min, p.Regions[k].Max = n.items[i].bounds("sum", tiling.MaxSum)
	}
	n.check(p.CheckRegions())
}

const partForm = "{piece: X5, cells: [[0, 1], …]}, {piece: X5, covers: [0, 1]} or X5@0,1"

func (p *markReader) readPart(n *node) (part tiling.Part) {
	if n.kind != mapping {
		return p.readAt(n)
	}
	f := n.fields("a place", partKeys)
	if f["piece"] == nil {
		n.fail("the place has no piece, expected %s", partForm)
	}
	name := f["piece"].word("piece", "text")
	part.Piece = p.piece(f["piece"], name)
	switch key := f.one("cells", "covers"); key {
	case "covers":
		part.Cells = p.boardCells(f[key])
	case "cells":
		part.Cells = p.boardCells(f[key])
		if size := len(p.Pieces[part.Piece].Shape); len(part.Cells) != size {
			f[key].fail("the number of cells is %d, but the piece %s has %d cells; expected all cells of the piece, or the key \"covers\" in place of \"cells\"",
				len(part.Cells), wording.Quote(name), size)
		}
	}
	return part
}

// readAt reads PIECE@CELL, such as X5@0,1.
func (p *markReader) readAt(n *node) tiling.Part {
	text := n.word("a place", partForm)
	at := strings.LastIndexByte(text, '@')
	if at < 0 {
		n.fail("bad place %s, expected %s", wording.Quote(text), partForm)
	}
	piece := p.piece(n, text[:at])
	axes := p.Board.Lattice.Axes()
	numbers := strings.Split(text[at+1:], ",")
	if len(numbers) != len(axes) {
		n.fail("bad cell %s, expected %s (inside brackets, quote the whole entry)", wording.Quote(text[at+1:]), strings.Join(axes, ","))
	}
	var c tiling.Cell
	for i, number := range numbers {
		c[len(c)-len(axes)+i] = n.coordinate(strings.TrimSpace(number))
	}
	return tiling.Part{Piece: piece, Cells: []int{p.boardCell(n, c)}}
}

func (p *markReader) boardCells(n *node) (cells []int) {
	if n.kind != sequence || len(n.items) == 0 {
		n.fail("no list of cells, expected a list such as [[0, 1], [0, 2]]")
	}
	items := n.items
	if items[0].kind == scalar {
		items = []*node{n}
	}
	for _, item := range items {
		i := p.boardCell(item, item.cell(p.Board.Lattice.Dimensions()))
		if slices.Contains(cells, i) {
			item.fail("a cell is given twice, expected each cell once")
		}
		cells = append(cells, i)
	}
	slices.Sort(cells)
	return cells
}

func (p *markReader) boardCell(n *node, c tiling.Cell) int {
	i := p.Board.Index(c)
	if i < 0 {
		n.fail("the board has no cell %s, expected %s of a cell, counted from 0",
			p.Board.CellName(c), strings.Join(p.Board.Lattice.Axes(), ", "))
	}
	return i
}
