package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/tiling"
)

// clues has the rules of a puzzle that a picture shows, except the given placements.
//
//	┏━━━━━━━━━━━┓
//	┃ 7╌╌╌┐   ┃ ┃   a region with the sum 7, and a wall
//	┃ ╎   ╎   ┃ ┃
//	┃ └╌╌╌┘ ══╪═┃   two linked cells, which one placement must cover
//	┃   P       ┃   a cell of the given piece P
//	┗━━━━━━━━━━━┛
type clues struct {
	pairs   map[[2]int32]pairClue // indexed by the positions of two neighbours, in ascending order
	regions *scene                // has the regions as placements; nil without regions
	sums    map[tiling.Cell]string
	letters map[tiling.Cell][]int // indices of the pieces that must cover each cell
	asked   map[int]bool
}

type pairClue int

const (
	noPair pairClue = iota
	wall            // no placement covers both cells
	link            // one placement covers both cells
)

// puzzleScene returns the scene of p without a tiling. Every error wraps ErrInvalid.
func puzzleScene(p *tiling.Puzzle) (*scene, error) {
	s, err := boardScene(p)
	if err != nil {
		return nil, err
	}
	return s, s.placeGiven()
}

func (s *scene) placeGiven() error {
	p := s.puzzle
	var cells []int
	for k, part := range p.Place {
		if part.Piece < 0 || part.Piece >= len(p.Pieces) {
			return fmt.Errorf("%w: place %d has the piece number %d, expected a number from 0 to %d", ErrInvalid, k, part.Piece, len(p.Pieces)-1)
		}
		cells = append(cells, part.Cells...)
	}
	for _, pair := range slices.Concat(p.Walls, p.Joined) {
		cells = append(cells, pair[:]...)
	}
	for _, r := range p.Regions {
		cells = append(cells, r.Cells...)
	}
	for _, c := range cells {
		if c < 0 || c >= len(p.Board.Cells) {
			return fmt.Errorf("%w: a clue is on cell %d, but the board has only %d cells", ErrInvalid, c, len(p.Board.Cells))
		}
	}
	given, parts := p.Given()
	if err := s.place(given); err != nil {
		return err
	}
	c := &clues{pairs: map[[2]int32]pairClue{}, sums: map[tiling.Cell]string{}, letters: map[tiling.Cell][]int{}, asked: p.Asked()}
	for i, cell := range p.Board.Cells {
		if owner := &s.owner[s.position(cell)]; *owner == s.empty() {
			*owner = s.empty() + 1 + i
		}
	}
	for _, part := range parts {
		for _, i := range part.Cells {
			if cell := p.Board.Cells[i]; !s.placed(cell) {
				c.letters[cell] = append(c.letters[cell], part.Piece)
			}
		}
	}
	for kind, pairs := range [][][2]int{wall: p.Walls, link: p.Joined} {
		for _, pair := range pairs {
			c.pairs[[2]int32{s.placeOf(p.Board.Cells[pair[0]]), s.placeOf(p.Board.Cells[pair[1]])}] = pairClue(kind)
		}
	}
	s.clues = c
	if len(p.Regions) == 0 {
		return nil
	}
	return c.addRegions(p)
}

// addRegions makes the scene and the sums of the regions. If a region has several connected parts,
// each part shows the name and the sum of the region.
func (c *clues) addRegions(p *tiling.Puzzle) (err error) {
	board, named := *p.Board, &tiling.Puzzle{Board: nil}
	board.Wrap, board.Colours, board.Names = tiling.NoWrap, nil, nil
	var all []tiling.Placement
	for k, r := range p.Regions {
		named.Pieces = append(named.Pieces, tiling.Piece{Name: r.Name})
		all = append(all, tiling.Placement{Piece: k, Cells: r.Cells})
	}
	named.Board = &board
	if c.regions, err = newScene(named, all); err != nil {
		return fmt.Errorf("regions: %w", err)
	}
	parts, shown := make([]int, len(p.Regions)), []part(nil)
	for layer := range c.regions.layers() {
		shown = append(shown, c.regions.parts(layer)...)
	}
	region := func(p part) int { return c.regions.placements[p.placement].Piece }
	for _, part := range shown {
		parts[region(part)]++
	}
	for _, part := range shown {
		switch r := p.Regions[region(part)]; {
		case r.IsFree():
		case parts[region(part)] > 1:
			c.sums[part.cells[0]] = r.Name + ":" + r.Sum()
		default:
			c.sums[part.cells[0]] = r.Sum()
		}
	}
	return nil
}

func (c *clues) pair(d side) pairClue { return c.pairs[[2]int32{min(d.a, d.b), max(d.a, d.b)}] }

func (c *clues) within(d side) bool {
	return c.regions != nil && d.a != outside && d.b != outside &&
		c.regions.owner[d.a] == c.regions.owner[d.b] && c.regions.owner[d.a] != c.regions.empty()
}

func (s *scene) inMiddle(c tiling.Cell) bool {
	r := s.clues.regions
	return s.sumOf(c) != "" && !s.placed(c) && !s.dot(c) && len(r.placements[r.at(c)].Cells) == 1
}

// clueOf returns the text in the middle of a cell: the labels of given pieces, and a sum.
func (s *scene) clueOf(c tiling.Cell, labels []string) string {
	if s.clues == nil {
		return ""
	}
	var words []string
	for _, k := range s.clues.letters[c] {
		if !slices.Contains(words, labels[k]) {
			words = append(words, labels[k])
		}
	}
	if s.inMiddle(c) {
		words = append(words, s.clues.sums[c])
	}
	return strings.Join(words, " ")
}

func (s *scene) sumOf(c tiling.Cell) string {
	if s.clues == nil {
		return ""
	}
	return s.clues.sums[c]
}

// lettered reports whether a cell or a placement of the scene shows the label of a piece.
func (s *scene) lettered(piece int) bool {
	if s.clues == nil {
		return false
	}
	for _, pieces := range s.clues.letters {
		if slices.Contains(pieces, piece) {
			return true
		}
	}
	return slices.ContainsFunc(s.placements, func(pl tiling.Placement) bool {
		return pl.Piece == piece && s.unmarked(pl)
	})
}

func (s *scene) unmarked(pl tiling.Placement) bool {
	return s.puzzle.Pieces[pl.Piece].Marks != "" && s.mark(s.puzzle.Board.Cells[pl.Cells[0]]) == ""
}

func (s *scene) describeClues() string {
	if s.clues == nil {
		return ""
	}
	text := ""
	for _, n := range []struct {
		count int
		noun  string
	}{{len(s.puzzle.Place), "given piece"}, {len(s.puzzle.Walls), "wall"}, {len(s.puzzle.Joined), "joined pair"}, {len(s.puzzle.Regions), "region"}} {
		if n.count > 0 {
			text += ", " + wording.Plural(n.count, n.noun)
		}
	}
	return text
}

func (s *scene) sidesWhere(layer int, is func(side) bool) (all []edge) {
	for c := range s.cells(layer) {
		sides := s.around(c)
		for k, step := range s.sideSteps(c) {
			beyond := c.Plus(step)
			if (s.at(beyond) == hole || before(c, beyond)) && is(s.side(c, beyond)) {
				all = append(all, sides[k])
			}
		}
	}
	return all
}
