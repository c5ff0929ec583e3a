package tiling

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/subsetsum"
	"github.com/pavage/pavage/internal/kit/wording"
)

// Obstruction is a reason why a puzzle has no tiling.
type Obstruction struct {
	Kind string `json:"kind" doc:"cell, piece, area, colour or item"`
	Text string `json:"text" doc:"a line for people"`

	Cells  [][]int  `json:"cells,omitempty" doc:"if the kind is cell: the first 1000 cells that no placement covers"`
	Pieces []string `json:"pieces,omitempty" doc:"if the kind is piece: the names of the pieces"`
}

const maxBareCells = 1000

const (
	bareCell     = "cell"   // no placement covers a cell that must be covered
	misfitPiece  = "piece"  // a piece has fewer placements than copies that must be used
	unevenArea   = "area"   // the pieces cannot cover the right number of cells
	unevenColour = "colour" // the pieces cannot cover the right numbers of black and white cells
	unmetItem    = "item"   // the options of a cover cannot use an item at least Min times
)

// Obstructions returns reasons why the puzzle has no tiling. It does not search, so it may miss a
// reason. It compares the number of cells of the board with the numbers of cells that the pieces
// can cover: see [subsetsum.Sums]. If the board can be coloured like a chequerboard, it does the
// same for the black and for the white cells:
//
//	. # .        Without two corners, there are 6 black and 8 white cells. Each domino
//	# . # .      covers one black and one white cell, so seven dominoes would cover 7 and 7.
//	. # . #
//	  . # .
//
// For a cover without a board, it calls [cover.Problem.Split], which ctx can stop.
func (m *Model) Obstructions(ctx context.Context) []Obstruction {
	if m.IsAbstract() {
		return m.unmet(ctx)
	}
	all := slices.Concat(m.bareCells(), m.misfits())
	if len(all) > 0 {
		return all // these reasons are simpler than reasons about sums
	}
	one := make([]bool, len(m.Puzzle.Board.Cells))
	if m.uneven(one) {
		return []Obstruction{{Kind: unevenArea, Text: m.areaText(one)}}
	}
	if colours := m.Puzzle.Board.chequered(); colours != nil && m.uneven(colours) {
		return []Obstruction{{Kind: unevenColour, Text: m.colourText(colours)}}
	}
	return nil
}

// unmet returns an item that cannot be covered, even without the bounds of [Model.WithBounds].
func (m *Model) unmet(ctx context.Context) []Obstruction {
	if m.plain != nil {
		m = m.plain
	}
	p := m.Problem
	s, err := p.Split(ctx)
	if err != nil || !s.Impossible {
		return nil
	}
	i := s.Steps[len(s.Steps)-1].Item
	name, uses := wording.Quote(p.Items[i].Name), 0
	if p.Items[i].Name == "" {
		name = strconv.Itoa(i)
	}
	for _, option := range p.Options {
		for _, u := range option {
			if u.Item == i {
				uses += int(u.Times)
			}
		}
	}
	text := fmt.Sprintf("the item %s cannot be covered: too few of its options agree with the other items", name)
	switch least := p.Items[i].Min; {
	case uses == 0:
		text = fmt.Sprintf("the item %s must be used, but no option uses it", name)
	case uses < least:
		text = fmt.Sprintf("the item %s must be used %d times, but all options together use it only %s", name, least, wording.Plural(uses, "time"))
	}
	return []Obstruction{{Kind: unmetItem, Text: text}}
}

func (m *Model) bareCells() []Obstruction {
	b := m.Puzzle.Board
	covered := make([]bool, len(b.Cells))
	for i := range covered {
		covered[i] = m.Problem.Items[i].Min == 0
	}
	for _, p := range m.Placements {
		for _, c := range p.Cells {
			covered[c] = true
		}
	}
	bare, others := []Cell{}, -1
	for i, yes := range covered {
		if yes {
			continue
		}
		if others++; len(bare) < maxBareCells {
			bare = append(bare, b.Cells[i])
		}
	}
	if others < 0 {
		return nil
	}
	text := "no placement covers the cell " + b.CellName(bare[0])
	if others > 0 {
		text = fmt.Sprintf("%d cells, such as %s, are covered by no placement", 1+others, b.CellName(bare[0]))
	}
	return []Obstruction{{Kind: bareCell, Text: text, Cells: b.Lattice.Written(bare)}}
}

func (m *Model) misfits() []Obstruction {
	places := make([]int, len(m.Puzzle.Pieces))
	for _, p := range m.Placements {
		places[p.Piece]++
	}
	var nowhere []string
	var few []Obstruction
	for k, piece := range m.Puzzle.Pieces {
		switch {
		case piece.Min > 0 && places[k] == 0:
			nowhere = append(nowhere, piece.Name)
		case piece.Min > places[k]:
			text := fmt.Sprintf("the piece %s must be used %d times, but fits in only %s", piece.Name, piece.Min, wording.Plural(places[k], "place"))
			few = append(few, Obstruction{Kind: misfitPiece, Text: text, Pieces: []string{piece.Name}})
		}
	}
	o := Obstruction{Kind: misfitPiece, Pieces: nowhere}
	switch len(nowhere) {
	case 0:
		return few[:min(1, len(few))]
	case 1:
		o.Text = fmt.Sprintf("the piece %s must be used, but fits nowhere", nowhere[0])
	default:
		o.Text = fmt.Sprintf("the pieces %s must be used, but fit nowhere", shortened(nowhere))
	}
	return []Obstruction{o}
}

// chequered colours the cells black and white so that neighbours differ, and returns for each cell
// whether it is black. It returns nil if there is no such colouring.
func (b *Board) chequered() []bool {
	f := newFitter(b)
	met, black := make([]bool, len(b.Cells)), make([]bool, len(b.Cells))
	for i, c := range b.Cells {
		if met[i] {
			continue
		}
		met[i], black[i] = true, (c[0]+c[1]+c[2])&1 == 0
		for todo := []int{i}; len(todo) > 0; {
			at := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			for _, step := range b.Lattice.Steps(b.Cells[at]) {
				n := f.cell(b.Cells[at].Plus(step))
				switch {
				case n < 0:
				case !met[n]:
					met[n], black[n] = true, !black[at]
					todo = append(todo, n)
				case black[n] == black[at]:
					return nil
				}
			}
		}
	}
	return black
}

// Measures returns lists that have a value for each cell. In the first list all values are 1. If
// the board can be coloured like a chequerboard, there is a second list, with 1 for black and -1
// for white cells. If no cell is optional, the values of the covered cells have a fixed sum.
func (m *Model) Measures() [][]int {
	area := slices.Repeat([]int{1}, len(m.Puzzle.Board.Cells))
	black := m.Puzzle.Board.chequered()
	if black == nil {
		return [][]int{area}
	}
	excess := slices.Repeat([]int{-1}, len(black))
	for i, yes := range black {
		if yes {
			excess[i] = 1
		}
	}
	return [][]int{area, excess}
}

func (b *Board) tallies(black []bool) (least, most subsetsum.Pair) {
	for i := range b.Cells {
		most.Add(black[i])
		if !b.Optional[i] {
			least.Add(black[i])
		}
	}
	return least, most
}

// covered returns, for each piece, the number of its placements, and pairs without duplicates: the
// numbers of black and of white cells that its placements cover.
func (m *Model) covered(black []bool) (places []int, pairs [][]subsetsum.Pair) {
	places, pairs = make([]int, len(m.Puzzle.Pieces)), make([][]subsetsum.Pair, len(m.Puzzle.Pieces))
	for _, p := range m.Placements {
		var t subsetsum.Pair
		for _, c := range p.Cells {
			t.Add(black[c])
		}
		places[p.Piece]++
		if !slices.Contains(pairs[p.Piece], t) {
			pairs[p.Piece] = append(pairs[p.Piece], t)
		}
	}
	return places, pairs
}

// uneven reports whether the pieces cannot cover the right number of cells of each colour.
func (m *Model) uneven(black []bool) bool {
	least, most := m.Puzzle.Board.tallies(black)
	places, takes := m.covered(black)
	s := subsetsum.New(most)
	for k, piece := range m.Puzzle.Pieces {
		size := max(1, len(piece.Shape))
		s.Add(takes[k], piece.Min, min(piece.Max, places[k], (most.Black+most.White)/size))
	}
	return !s.Reaches(least)
}

// areaText describes why the pieces cannot cover the right number of cells. If there is only one
// piece, and more copies of it would help, the text suggests to allow any number of copies.
func (m *Model) areaText(one []bool) string {
	least, most := m.Puzzle.Board.tallies(one)
	board, must, exactly := "the board has "+wording.Plural(most.White, "cell"), "", "exactly "+wording.Plural(most.White, "cell")
	if must = board; least != most {
		must = fmt.Sprintf("%d of the %d cells of the board must be covered", least.White, most.White)
		exactly = fmt.Sprintf("%d to %s", least.White, wording.Plural(most.White, "cell"))
	}
	few, many := 0, 0 // sums of the cells of all pieces, with Min copies and with Max copies
	for _, piece := range m.Puzzle.Pieces {
		few += piece.Min * len(piece.Shape)
		many += piece.Max * len(piece.Shape)
	}
	only := m.Puzzle.Pieces[0].Name
	atLeast, atMost := "at least ", "at most "
	if few == many {
		atLeast, atMost = "", ""
	}
	switch {
	case few > most.White:
		return fmt.Sprintf("the pieces have %s%s, but %s", atLeast, wording.Plural(few, "cell"), board)
	case many < least.White && len(m.Puzzle.Pieces) == 1 && m.anyNumberCovers(one):
		return fmt.Sprintf("the pieces have %s%s, but %s; %s=any (copies: any) allows any number of copies", atMost, wording.Plural(many, "cell"), must, only)
	case many < least.White:
		return fmt.Sprintf("the pieces have %s%s, but %s", atMost, wording.Plural(many, "cell"), must)
	case len(m.Puzzle.Pieces) == 1:
		return fmt.Sprintf("no number of copies of %s covers %s", only, exactly)
	}
	return fmt.Sprintf("no choice of copies of the pieces covers %s", exactly)
}

// anyNumberCovers reports whether the method uneven would return false without upper bounds.
func (m *Model) anyNumberCovers(one []bool) bool {
	puzzle, model := *m.Puzzle, *m
	puzzle.Pieces = slices.Clone(puzzle.Pieces)
	for k := range puzzle.Pieces {
		puzzle.Pieces[k].Max = cover.Unbounded
	}
	model.Puzzle = &puzzle
	return !model.uneven(one)
}

func (m *Model) colourText(black []bool) string {
	least, most := m.Puzzle.Board.tallies(black)
	board := fmt.Sprintf("coloured like a chequerboard, the board has %d black and %d white cells", most.Black, most.White)
	why := fmt.Sprintf("no choice of copies and orientations covers exactly %d black and %d white cells", most.Black, most.White)
	if least != most {
		board += fmt.Sprintf(", of which %d black and %d white cells may stay empty", most.Black-least.Black, most.White-least.White)
		why = "no choice of copies and orientations covers allowed numbers of black and white cells"
	}
	if _, pairs := m.covered(black); len(pairs) == 1 && len(pairs[0]) == 1 {
		one := pairs[0][0]
		why = fmt.Sprintf("each %s covers %d black and %s", m.Puzzle.Pieces[0].Name, one.Black, wording.Plural(one.White, "white cell"))
	}
	return board + "; " + why
}

// Warnings describes possible mistakes: pieces of the same shape, and colours that no cell has. Two
// pieces of the same shape can change places in a tiling, which gives another tiling.
func (p *Puzzle) Warnings() []string {
	images := map[string][]int{} // for the key of an image, the pieces with it, without later twins
	twins := map[int][]string{}  // for each piece, the names of the later pieces of the same shape
	for k, piece := range p.Pieces {
		if piece.Max == 0 {
			continue
		}
		own := map[string]bool{}
		for _, t := range piece.tints() {
			own[t.key()] = true
		}
		look := func(k int) string { return tinted{p.Pieces[k].Shape, p.Pieces[k].Colours, p.Pieces[k].Marks}.key() }
		before := images[look(k)]
		i := slices.IndexFunc(before, func(i int) bool { return own[look(i)] })
		if i >= 0 {
			twins[before[i]] = append(twins[before[i]], piece.Name)
			continue
		}
		for o := range own {
			images[o] = append(images[o], k)
		}
	}
	var all []string
	for _, k := range slices.Sorted(maps.Keys(twins)) {
		all = append(all, fmt.Sprintf(
			"%s has the same shape as %s: tilings in which they change places count separately; make them copies of one piece if they should not",
			p.Pieces[k].Name, shortened(twins[k])))
	}
	for i, name := range p.Colours {
		has := func(piece Piece) bool { return slices.Contains(piece.Colours, i+1) }
		if !slices.Contains(p.Board.Colours, i+1) && !slices.ContainsFunc(p.Pieces, has) {
			all = append(all, fmt.Sprintf("no cell of the board or of a piece has the colour %s", name))
		}
	}
	return all
}

func shortened(names []string) string {
	if len(names) > 4 {
		return fmt.Sprintf("%s, %s and %d more", names[0], names[1], len(names)-2)
	}
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}
