package tiling

import (
	"context"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/pavage/pavage/cover"
)

// Group is the group of symmetries of a board and its pieces. Two tilings are the same up to
// symmetry if an element moves one to the other.
//
// The running example, 2x3 with dominoes, has the group D2 of order 4:
//
//	a b c    the identity     rotation by 180°   reflection     reflection
//	d e f                                        left-right     top-bottom
//	         a b c            f e d              c b a          d e f
//	         d e f            c b a              f e d          a b c
type Group struct {
	// Name is Cn or Dn in the plane, where Cn has n rotations and Dn n
	// reflections besides, and Schoenflies' name in space.
	Name     string
	Elements []Element // the identity first, then other rotations, then reflections
	// Reflections reports whether a reflection is a symmetry, also a reflection that moves all
	// cells as a rotation does and is no element of its own.
	Reflections bool
	// TooLarge reports that a board that wraps has more symmetries than
	// cover.MaxSymmetries, or that the search for them needs too long: Elements is the
	// identity alone.
	TooLarge bool
}

// Element is a symmetry: how it moves the board, and the items.
type Element struct {
	Items      cover.Symmetry
	Motion     string // in words, such as "rotation by 90°"
	Reflection bool   // whether it makes mirror images

	motion motion // without a translation
}

// Symmetries are the elements as permutations of the items.
func (g *Group) Symmetries() []cover.Symmetry {
	all := make([]cover.Symmetry, len(g.Elements))
	for i, e := range g.Elements {
		all[i] = e.Items
	}
	return all
}

// Group finds the motions of the lattice, or with reflections false only its
// rotations, that move the board onto itself, optional cells to optional cells,
// cells of a colour to cells of that colour, placements onto placements, groups of
// pieces to groups with the same bounds, and regions to regions with the same bounds. A motion may move the placements of a piece
// to the placements of another piece with the same bounds, as a reflection does to a
// one-sided piece and its mirror image. Of several pieces with the same
// placements and the same bounds, the first goes to the first of the others,
// and so on: to swap equal pieces is not a symmetry of the board.
//
// Motions that move all cells in the same way, as on a board of one row, count once, as
// a rotation if one is among them. The group has at most 12 elements in the
// plane and 48 in space. Motions that are no products of others move all placements. On a board that wraps, motions also
// differ by translations: see Group.TooLarge.
func (m *Model) Group(reflections bool) *Group {
	if m.plain != nil {
		return m.keeping(m.plain.Group(reflections))
	}
	b := m.Puzzle.Board
	s := newSeeker(m)
	if b.Wrap == NoWrap {
		s.find(reflections)
		s.group.Name = s.group.nameOn(b.Lattice)
		return s.group
	}
	s.group.Name = fmt.Sprintf("%s %s", wraps[b.Wrap].surface, b.Lattice.SizeName(b.Size))
	if s.uses > maxGroupWork/8 || !s.find(reflections) {
		s.group.TooLarge = true
		only := make(cover.Symmetry, len(m.Problem.Items))
		for i := range only {
			only[i] = i
		}
		s.group.Elements = []Element{{Items: only, Motion: b.Lattice.motions[0].words}}
	}
	return s.group
}

// maxGroupWork is how many cells are moved to find the symmetries of a board that wraps: half
// a second.
const maxGroupWork = 1 << 26

// mostSymmetries is how many symmetries there are at most.
func (b *Board) mostSymmetries(g *gluing) int {
	most := len(b.Lattice.motions)
	if b.Wrap == NoWrap {
		return most
	}
	most *= max(1, g.rows) * max(1, g.columns)
	return min(most, cover.MaxSymmetries, maxGroupWork/len(b.Cells))
}

// nameOn is the lattice's name of a group without translations.
func (g *Group) nameOn(l *Lattice) string {
	var motions []motion
	for _, e := range g.Elements {
		motions = append(motions, e.motion)
	}
	return l.groupName(motions)
}

// keeping returns the part of a group of the model without bounds that preserves the bounds. Its
// elements permute the items of the bounds too.
func (m *Model) keeping(g *Group) *Group {
	plain := *m.plain.Problem
	plain.Symmetries = g.Symmetries()
	preserving := plain.Symmetries
	bounded, err := plain.WithBounds(context.Background(), m.bounds)
	if err == nil { // the same bounds were valid when the model was made
		preserving = bounded.Symmetries
	}
	kept := &Group{Name: g.Name, TooLarge: g.TooLarge}
	for _, e := range g.Elements {
		if n := len(kept.Elements); n < len(preserving) && slices.Equal(e.Items, preserving[n][:len(e.Items)]) {
			kept.Elements = append(kept.Elements, Element{preserving[n], e.Motion, e.Reflection, e.motion})
		}
	}
	reflects := func(e Element) bool { return e.Reflection }
	kept.Reflections = slices.ContainsFunc(kept.Elements, reflects) || g.Reflections && !slices.ContainsFunc(g.Elements, reflects)
	switch {
	case len(kept.Elements) == len(g.Elements):
	case m.Puzzle.Board.Wrap != NoWrap: // then motions have no other name than the surface
		kept.Name = "in " + g.Name
	default:
		kept.Name = kept.nameOn(m.Puzzle.Board.Lattice)
	}
	return kept
}

// seeker finds the symmetries of a puzzle: motions of the lattice, each with all translations that
// differ on the board, that move glued cells to glued cells, and then board and placements onto
// themselves. On a board that does not wrap, the gluing is the identity alone.
//
// A motion s followed by a translation moves glued cells to glued cells if s g s⁻¹ is a motion of
// the gluing for each motion g of the gluing.
type seeker struct {
	model   *Model
	fitter  *fitter
	asked   map[int]bool    // cells, see Puzzle.asked
	weights []uint64        // of each cell of the board
	own     []alike         // of each piece
	members map[alike][]int // the pieces, ascending
	uses    int             // cells that a call of items moves
	work    int             // cells that were moved
	moved   []Cell          // the cells of the board after the last motion, without a shift
	group   *Group

	generators []cover.Symmetry // the elements for which placements were moved
}

func newSeeker(m *Model) *seeker {
	cells := len(m.Puzzle.Board.Cells)
	s := &seeker{
		model: m, fitter: newFitter(m.Puzzle.Board), asked: m.Puzzle.Asked(), weights: make([]uint64, cells),
		members: map[alike][]int{}, moved: make([]Cell, cells), group: &Group{},
	}
	identity := make(cover.Symmetry, cells)
	for i := range identity {
		identity[i], s.weights[i] = i, rand.Uint64()
	}
	s.own = s.pieces(identity)
	for k, a := range s.own {
		s.members[a] = append(s.members[a], k)
	}
	for _, p := range m.Placements {
		s.uses += len(p.Cells)
	}
	return s
}

// find finds all symmetries. It gives up when there are too many, or when the search is too long.
func (s *seeker) find(reflections bool) bool {
	b, g := s.model.Puzzle.Board, &s.fitter.glue
	least, _ := corners(b.Cells)
	for k, m := range b.Lattice.motions {
		if m.mirrors() && !reflections {
			break // rotations come first
		}
		rows, columns := m.move(Cell{0, g.rows, g.lean}), m.move(Cell{0, 0, g.columns})
		if g.reduce(rows) != (Cell{}) || g.reduce(columns) != (Cell{}) {
			continue // translations of the gluing do not go to such
		}
		// One translation moves the box of the moved cells back to where it was. Where the board
		// has a border, there is no other. But on a Möbius band a cell stands in two rows, so that
		// the box may go to where the cells stand as well: there the middle of all rows stays, also
		// those without cells.
		for i, c := range b.Cells {
			s.moved[i] = b.Lattice.move(m.motion, c)
		}
		movedLeast, _ := corners(s.moved)
		first := least.minus(movedLeast)
		if b.Wrap == Moebius {
			if first[1] = 0; m.move(Cell{0, 1, 0})[1] < 0 {
				first[1] = b.Size[1] - 1
			}
		}
		for row := range max(1, g.rows) {
			for column := range max(1, g.columns) {
				step := Cell{0, row, column}
				shift := first.Plus(step)
				if !b.Lattice.isTranslation(shift) || !g.keepsGlide(m.motion, shift) {
					continue
				}
				if !s.add(k, shift, step) {
					return false
				}
			}
		}
	}
	return true
}

// keepsGlide reports whether the motion m and then a shift move the glide of the gluing to
// a motion of the gluing. The glide moves x to Gx + a. So the other moves x to
//
//	m(G m⁻¹(x - shift) + a) + shift = m G m⁻¹ x - m G m⁻¹ shift + m a + shift
func (g *gluing) keepsGlide(m motion, shift Cell) bool {
	if g.glide == (motion{}) {
		return true
	}
	if m.after(g.glide) != g.glide.after(m) {
		return false
	}
	along := m.move(g.along).Plus(shift).minus(g.glide.move(shift))
	return g.reduce(along.minus(g.along)) == Cell{}
}

// add adds the symmetry of motion k of the lattice, whose result is s.moved, followed by a shift,
// if it is new. add returns false if there are too many symmetries. Motions that move all cells in
// the same way count once: most symmetries differ in the first cells.
func (s *seeker) add(k int, shift, step Cell) bool {
	b := s.model.Puzzle.Board
	m := b.Lattice.motions[k]
	cells := s.cells(shift)
	switch {
	case s.work > maxGroupWork && b.Wrap != NoWrap:
		return false
	case cells == nil:
		return true
	}
	met := func(e Element) bool { return slices.Equal(e.Items[:len(cells)], cells) }
	if !slices.ContainsFunc(s.group.Elements, met) {
		items := s.product(cells)
		if items == nil {
			if items = s.items(cells); items != nil {
				s.generators = append(s.generators, items)
			}
		}
		if s.work += s.uses; items == nil {
			return true
		}
		if len(s.group.Elements) == cover.MaxSymmetries {
			return false
		}
		s.group.Elements = append(s.group.Elements, Element{items, stepName(m, step), m.mirrors(), m.motion})
	}
	s.group.Reflections = s.group.Reflections || m.mirrors()
	return true
}

// product is a generator after an element, whose images of the cells are given; nil if there are no
// such. (12x12x12 with all pentacubes: 0.3 s of 0.6.)
func (s *seeker) product(cells cover.Symmetry) cover.Symmetry {
	for _, g := range s.generators {
		for _, e := range s.group.Elements {
			i := 0
			for i < len(cells) && g[e.Items[i]] == cells[i] {
				i++
			}
			if i == len(cells) {
				for _, to := range e.Items[len(cells):] {
					cells = append(cells, g[to])
				}
				return cells
			}
		}
	}
	return nil
}

// cells returns the images of the moved cells under a shift, or nil if they are not the board with
// optional cells on optional cells. There is room for the images of the other items.
func (s *seeker) cells(shift Cell) cover.Symmetry {
	b := s.model.Puzzle.Board
	to := make(cover.Symmetry, len(s.moved), len(s.model.Problem.Items))
	for i, c := range s.moved {
		s.work++
		to[i] = s.fitter.cell(c.Plus(shift))
		if to[i] < 0 || b.Optional[to[i]] != b.Optional[i] || b.colour(to[i]) != b.colour(i) {
			return nil
		}
	}
	return to
}

// stepName describes a motion and then a translation.
func stepName(m namedMotion, step Cell) string {
	var ways []string
	for i, way := range axisWords[1:] {
		switch n := step[i+1]; {
		case n == 1:
			ways = append(ways, "1 "+way)
		case n > 1:
			ways = append(ways, fmt.Sprintf("%d %ss", n, way))
		}
	}
	moves := "translation by " + strings.Join(ways, " and ")
	switch {
	case len(ways) == 0:
		return m.words
	case m.motion == identity:
		return moves
	}
	return m.words + ", then " + moves
}

// alike is a key that is equal for pieces that a symmetry may exchange: the bounds of a piece and,
// as a hash, the set of its placements.
type alike struct {
	least, most int
	placements  uint64
}

// pieces returns the key alike of each piece when cells move as in s. The hash of a set is the sum
// of the hashes of its placements, which depend on random weights of the cells: two different sets
// have the same hash with a probability of 2^-64. A motion that is accepted for this reason makes
// no count wrong: a count looks up the image of each option, see [cover.Problem.AllImages], and
// returns an error if an image is not an option.
func (s *seeker) pieces(cells cover.Symmetry) []alike {
	all := make([]alike, len(s.model.Puzzle.Pieces))
	for k, piece := range s.model.Puzzle.Pieces {
		all[k].least, all[k].most = piece.Min, piece.Max
	}
	for _, p := range s.model.Placements {
		sum := uint64(0)
		for i, c := range p.Cells {
			times := uint64(1)
			if p.Marks != "" {
				times += uint64(p.Marks[i] - '0')
			}
			sum += s.weights[cells[c]] * times
		}
		high, low := bits.Mul64(sum, sum^0x9e3779b97f4a7c15) // the constant is no weight: no placement has the hash 0
		all[p.Piece].placements += high ^ low
	}
	return all
}

// items appends the images of the pieces, groups, marks and sums if cells move as in cells. It is nil if the
// placements of some piece do not go to the placements of a piece with the same bounds, or a group
// does not go to a group of the same bounds, or a region to a region of the same bounds, or a cell that must be covered to an optional cell.
func (s *seeker) items(cells cover.Symmetry) cover.Symmetry {
	for from, to := range cells {
		if s.model.Puzzle.Board.Optional[from] && s.asked[from] != s.asked[to] {
			return nil
		}
	}
	all := cells
	rank := map[alike]int{} // the number of pieces that went to pieces like that
	for k, image := range s.pieces(cells) {
		from, to := s.members[s.own[k]], s.members[image]
		if len(from) != len(to) {
			return nil
		}
		all = append(all, len(cells)+to[rank[image]])
		rank[image]++
	}
	return s.model.Puzzle.mapRegions(s.model.Puzzle.mapGroups(all))
}
