package tiling

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// The bytes of Canonical and Literal begin with these versions. A cache has digests of the bytes as
// keys, so it finds no answer that was stored under an older version.
const (
	canonicalForm = "pavage canonical puzzle 2\n"
	literalForm   = "pavage literal puzzle 2\n"
)

// Canonical returns bytes that do not depend on how a puzzle is written. Puzzles with equal bytes
// have the same tilings, except for names, the order of the pieces and the origin of the board. The
// bytes contain the lattice, the cells, the bounds and all orientations of each piece, and the
// other parts of the puzzle. A board and its mirror image usually have different bytes.
//
// The puzzle must be valid. The time is proportional to the number of orientations of its pieces.
func (p *Puzzle) Canonical() []byte {
	b := p.Board
	sets := p.colourSets()
	plain, coloured, marked := make([][]byte, len(p.Pieces)), make([][]byte, len(p.Pieces)), make([][]byte, len(p.Pieces))
	order := make([]int, len(p.Pieces)) // piece numbers, sorted by the bytes of the pieces
	for i, piece := range p.Pieces {
		order[i], plain[i], coloured[i], marked[i] = i, piece.canonical(), sets.canonical(piece), sets.canonicalMarks(piece)
	}
	slices.SortStableFunc(order, func(i, j int) int {
		return cmp.Or(bytes.Compare(plain[i], plain[j]), bytes.Compare(coloured[i], coloured[j]), bytes.Compare(marked[i], marked[j]))
	})
	form := b.appendTo([]byte(canonicalForm), b.Lattice.origin(b.Cells))
	form = appendNumbers(form, len(order))
	for _, i := range order {
		form = appendBytes(form, plain[i])
	}
	if sets != nil {
		body := appendNumbers(nil, sets.board...)
		for _, i := range order {
			body = appendBytes(body, coloured[i])
		}
		form = appendSection(form, "colours", body)
	}
	if slices.ContainsFunc(marked, func(form []byte) bool { return form != nil }) {
		var body []byte
		for _, i := range order {
			body = appendBytes(body, marked[i])
		}
		form = appendSection(form, "marks", body)
	}
	rank := make([]int, len(order))
	for k, i := range order {
		rank[i] = k
	}
	// Groups and parts are sorted. Repeated parts are removed, but repeated groups are not.
	return p.appendMarks(form, func(piece int) int { return rank[piece] }, sorted, func(texts [][]byte) [][]byte {
		return slices.CompactFunc(sorted(texts), bytes.Equal)
	})
}

func (p Piece) canonical() []byte {
	form := appendNumbers(nil, p.Min, p.Max)
	p.Colours, p.Marks = nil, ""
	for _, s := range p.Orientations() {
		form = appendCells(form, s, Cell{})
	}
	return form
}

// Literal returns bytes that depend on how a puzzle is written. Puzzles with equal bytes have the
// same tilings, written in the same way. Besides the contents of Canonical, the bytes have the
// names, the order of all parts, the origin of the board and the parameters, but neither the title
// nor the colours of pieces in pictures. The puzzle must be valid.
func (p *Puzzle) Literal() []byte {
	b := p.Board
	form := appendNumbers([]byte(literalForm), b.Size[:]...)
	form = b.appendTo(form, Cell{})
	form = appendNumbers(form, len(p.Pieces))
	for _, piece := range p.Pieces {
		form = appendBytes(form, []byte(piece.Name))
		form = appendNumbers(form, piece.Min, piece.Max, int(piece.Motions))
		form = appendCells(form, piece.Shape, Cell{})
	}
	var colours, names, parameters []byte
	if len(p.Colours) > 0 {
		colours = appendNumbers(nil, len(p.Colours))
		for _, name := range p.Colours {
			colours = appendBytes(colours, []byte(name))
		}
		colours = appendNumbers(colours, len(p.Allow))
		for _, pair := range p.Allow {
			colours = appendNumbers(colours, pair.Piece, pair.Board)
		}
		colours = appendNumbers(appendNumbers(colours, len(b.Colours)), b.Colours...)
		for _, piece := range p.Pieces {
			colours = appendNumbers(appendNumbers(colours, len(piece.Colours)), piece.Colours...)
		}
	}
	form = appendSection(form, "colours", colours)
	if p.hasMarks() {
		var marks []byte
		for _, piece := range p.Pieces {
			marks = appendBytes(marks, []byte(piece.Marks))
		}
		form = appendSection(form, "marks", marks)
	}
	asWritten := func(texts [][]byte) [][]byte { return texts }
	form = p.appendMarks(form, func(piece int) int { return piece }, asWritten, asWritten)
	for _, r := range p.Regions {
		names = appendBytes(names, []byte(r.Name))
	}
	form = appendSection(form, "names of regions", names)
	names = nil
	for _, c := range slices.SortedFunc(maps.Keys(b.Names), compareCells) {
		names = appendBytes(appendNumbers(names, c[:]...), []byte(b.Names[c]))
	}
	form = appendSection(form, "names", names)
	if p.Parameters != nil {
		for i, q := range p.Parameters.All {
			parameters = appendBytes(appendBytes(parameters, []byte(q.Name)), []byte(p.Setting[i]))
			parameters = appendNumbers(parameters, len(q.Values))
			for _, v := range q.Values {
				parameters = appendBytes(parameters, []byte(v))
			}
		}
	}
	return appendSection(form, "parameters", parameters)
}

func (p *Puzzle) appendMarks(form []byte, number func(piece int) int, groupOrder, partOrder func([][]byte) [][]byte) []byte {
	section := func(name string, texts [][]byte) {
		var body []byte
		for _, text := range texts {
			body = appendBytes(body, text)
		}
		form = appendSection(form, name, body)
	}
	var groups [][]byte
	for _, g := range p.Groups {
		members := make([]int, len(g.Pieces))
		for i, k := range g.Pieces {
			members[i] = number(k)
		}
		slices.Sort(members)
		groups = append(groups, appendNumbers(appendNumbers(nil, g.Min, g.Max), members...))
	}
	parts := func(of []Part) (all [][]byte) {
		for _, part := range of {
			all = append(all, appendNumbers(appendNumbers(nil, number(part.Piece)), part.Cells...))
		}
		return partOrder(all)
	}
	section("groups", groupOrder(groups))
	section("place", parts(p.Place))
	section("forbid", parts(p.Forbid))
	pairs := func(of [][2]int) (all [][]byte) {
		for _, pair := range of {
			all = append(all, appendNumbers(nil, pair[:]...))
		}
		return partOrder(all)
	}
	section("walls", pairs(p.Walls))
	section("joined", pairs(p.Joined))
	var regions [][]byte
	for _, r := range p.Regions {
		regions = append(regions, appendNumbers(appendNumbers(nil, r.Min, r.Max), r.Cells...))
	}
	section("regions", regions)
	return form
}

// appendTo appends the lattice, the wrap, the cells relative to origin, and b.Optional.
func (b *Board) appendTo(form []byte, origin Cell) []byte {
	form = append(form, b.Lattice.name...)
	if b.Wrap != NoWrap {
		form = fmt.Appendf(form, " %s %v %v", b.Wrap, b.Size, origin)
	}
	form = appendCells(append(form, '\n'), b.Cells, origin)
	for _, optional := range b.Optional {
		mark := byte(0)
		if optional {
			mark = 1
		}
		form = append(form, mark)
	}
	return form
}

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

func appendBytes(form, text []byte) []byte {
	return append(appendNumbers(form, len(text)), text...)
}

func appendSection(form []byte, name string, body []byte) []byte {
	if len(body) == 0 {
		return form
	}
	return appendBytes(appendBytes(form, []byte(name)), body)
}

func sorted(texts [][]byte) [][]byte {
	slices.SortFunc(texts, bytes.Compare)
	return texts
}

// colourSets describes colours without their names. The colours of the board are numbered from 1,
// in the order in which they first occur. A colour of a piece is replaced by a set: the numbers of
// the board colours that this colour may cover.
type colourSets struct {
	board []int   // number of the colour of each cell; 0 means no colour
	sets  [][]int // the different sets, sorted; each set is sorted
	of    []int   // for each colour of a piece, 1 + index in sets; 0 if it may cover all colours
}

// colourSets returns nil if no cell of the board has a colour.
func (p *Puzzle) colourSets() *colourSets {
	if !slices.ContainsFunc(p.Board.Colours, func(c int) bool { return c > 0 }) {
		return nil
	}
	s := &colourSets{of: make([]int, len(p.Colours)+1)}
	number := map[int]int{0: 0}
	for _, c := range p.Board.Colours {
		if _, met := number[c]; !met {
			number[c] = len(number) // 1 for the first colour, since the map has the key 0
		}
		s.board = append(s.board, number[c])
	}
	goes := make([][]int, len(p.Colours)+1)
	for _, pair := range p.Allow {
		if number[pair.Board] > 0 {
			goes[pair.Piece] = append(goes[pair.Piece], number[pair.Board])
		}
	}
	for c := 1; c < len(goes); c++ {
		slices.Sort(goes[c])
		if len(goes[c]) < len(number)-1 {
			s.sets = append(s.sets, goes[c])
		}
	}
	slices.SortFunc(s.sets, slices.Compare[[]int])
	s.sets = slices.CompactFunc(s.sets, slices.Equal[[]int])
	for c := 1; c < len(goes); c++ {
		i, found := slices.BinarySearchFunc(s.sets, goes[c], slices.Compare[[]int])
		if found {
			s.of[c] = i + 1
		}
	}
	return s
}

func (s *colourSets) canonical(p Piece) (form []byte) {
	if p.Colours = s.ofCells(p.Colours); p.Colours == nil {
		return nil
	}
	p.Marks = ""
	for _, t := range p.tints() {
		form = s.appendTint(form, t)
	}
	return form
}

func (s *colourSets) canonicalMarks(p Piece) (form []byte) {
	if strings.Trim(p.Marks, "0") == "" {
		return nil
	}
	p.Colours = s.ofCells(p.Colours)
	for _, t := range p.tints() {
		form = appendBytes(s.appendTint(form, t), []byte(t.marks))
	}
	return form
}

func (s *colourSets) ofCells(colours []int) []int {
	if s == nil {
		return nil
	}
	sets := make([]int, len(colours))
	for i, c := range colours {
		sets[i] = s.of[c]
	}
	if !slices.ContainsFunc(sets, func(i int) bool { return i > 0 }) {
		return nil
	}
	return sets
}

func (s *colourSets) appendTint(form []byte, t tinted) []byte {
	form = appendCells(form, t.shape, Cell{})
	for _, i := range t.colours {
		if i == 0 {
			form = appendNumbers(form, 0)
		} else {
			form = appendNumbers(appendNumbers(form, 1+len(s.sets[i-1])), s.sets[i-1]...)
		}
	}
	return form
}
