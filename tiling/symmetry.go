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
// symmetry if an element moves one tiling to the other.
//
// The running example, 2x3 with dominoes, has the group D2 of order 4:
//
//	a b c    the identity     rotation by 180°   reflection     reflection
//	d e f                                        left-right     top-bottom
//	         a b c            f e d              c b a          d e f
//	         d e f            c b a              f e d          a b c
type Group struct {
	// Name is Cn (n rotations) or Dn (n rotations and n reflections) in the plane, and a Schoenflies
	// symbol in space. For a board that wraps it has the surface and the size, such as "torus 4x4".
	Name     string
	Elements []Element // first the identity, then other rotations, then reflections
	// Reflections reports whether a reflection is a symmetry. If a rotation and a reflection move
	// all cells in the same way, Elements has only the rotation.
	Reflections bool
	// TooLarge reports that a board that wraps has more symmetries than cover.MaxSymmetries, or that
	// the search for them would take too long. Elements then has only the identity.
	TooLarge bool
}

// Element is a symmetry: a motion of the board, and the permutation of the items that results.
type Element struct {
	Items      cover.Symmetry
	Motion     string // a text such as "rotation by 90°"
	Reflection bool   // whether the motion makes mirror images

	motion motion // the motion without its translation
}

// Symmetries returns the elements as permutations of the items.
func (g *Group) Symmetries() []cover.Symmetry {
	all := make([]cover.Symmetry, len(g.Elements))
	for i, e := range g.Elements {
		all[i] = e.Items
	}
	return all
}

// Group returns the group of motions of the lattice that preserve the board, the placements, the
// groups of pieces, the regions and the bounds of WithBounds. If reflections is false, the group
// has only rotations. A motion may exchange pieces, such as a one-sided piece and its mirror image.
// If two pieces have the same placements and bounds, their exchange does not count as a motion.
//
// If several motions move all cells in the same way, the group has only one of them. It is a
// rotation unless all are reflections. The group has at most 12 elements in the plane and 48 in
// space. It may have more on a board that wraps, since translations count: see Group.TooLarge.
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

// maxGroupWork limits how many images of cells the search for symmetries computes on a board that
// wraps. For 2^26 images, it needs 0.5 s.
const maxGroupWork = 1 << 26

func (b *Board) mostSymmetries(g *gluing) int {
	most := len(b.Lattice.motions)
	if b.Wrap == NoWrap {
		return most
	}
	most *= max(1, g.rows) * max(1, g.columns)
	return min(most, cover.MaxSymmetries, maxGroupWork/len(b.Cells))
}

func (g *Group) nameOn(l *Lattice) string {
	var motions []motion
	for _, e := range g.Elements {
		motions = append(motions, e.motion)
	}
	return l.groupName(motions)
}

// keeping returns the subgroup of g that preserves m.bounds. Its elements permute all items of m.
func (m *Model) keeping(g *Group) *Group {
	plain := *m.plain.Problem
	plain.Symmetries = g.Symmetries()
	preserving := plain.Symmetries
	bounded, err := plain.WithBounds(context.Background(), m.bounds)
	if err == nil { // always nil, since m.WithBounds has accepted the same bounds
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
	case m.Puzzle.Board.Wrap != NoWrap: // on a board that wraps, a subgroup has no name of its own
		kept.Name = "in " + g.Name
	default:
		kept.Name = kept.nameOn(m.Puzzle.Board.Lattice)
	}
	return kept
}

// seeker finds the symmetries of a model. A symmetry s is a motion of the lattice, followed by a
// translation. It moves the board and the placements onto themselves. Cells that are glued together
// stay glued together if s g s⁻¹ is a motion of the gluing for each motion g of the gluing. On a
// board that does not wrap, the gluing has only the identity.
type seeker struct {
	model   *Model
	fitter  *fitter
	asked   map[int]bool    // see Puzzle.Asked
	weights []uint64        // random weight of each cell of the board
	own     []alike         // key of each piece before any motion
	members map[alike][]int // the pieces with each key, ascending
	uses    int             // number of cells of all placements, which seeker.items moves
	work    int             // number of images of cells computed so far
	moved   []Cell          // images of the board's cells under the current motion, not translated
	group   *Group

	generators []cover.Symmetry // the elements that were not found as products of earlier elements
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

// find adds all symmetries to s.group. It ends early and returns false if add returns false.
func (s *seeker) find(reflections bool) bool {
	b, g := s.model.Puzzle.Board, &s.fitter.glue
	least, _ := corners(b.Cells)
	for k, m := range b.Lattice.motions {
		if m.mirrors() && !reflections {
			break // rotations come first
		}
		rows, columns := m.move(Cell{0, g.rows, g.lean}), m.move(Cell{0, 0, g.columns})
		if g.reduce(rows) != (Cell{}) || g.reduce(columns) != (Cell{}) {
			continue // m maps a translation of the gluing to a translation that is not in the gluing
		}
		// In a direction that does not wrap, only one translation moves the box of the images to the box
		// of the board. But on a Möbius band each cell has a second position, in the mirrored row. There
		// the translation must move the middle line of the rows, including empty rows, onto itself.
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

// keepsGlide reports whether the motion m, followed by the translation shift, maps the glide
// x → Gx + a to a motion of the gluing. The image of the glide moves x to
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

// add adds motion k, followed by the translation shift, to the group if it is a symmetry and no
// earlier element moves all cells in the same way. s.moved must have the images under motion k.
// add returns false if there are too many symmetries or if the search takes too long.
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

// product returns the symmetry that maps the cells to the given images, if it is the product of a
// generator and an element of the group that were found before. Otherwise it returns nil.
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

// cells returns the images of the board cells under the current motion, followed by the translation
// shift. It returns nil if an image is not on the board or has another colour or Optional value.
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

// alike is a key of a piece: its bounds and a hash of its placements. A motion can move a piece p
// to a piece q if the key of p after the motion is equal to the key of q before the motion.
type alike struct {
	least, most int
	placements  uint64
}

// pieces returns the key of each piece after a motion that moves each cell c to cells[c]. The hash
// of a piece is the sum of the hashes of its placements, which are made from random weights of the
// cells. Hashes of different placements are equal with a probability of 2^-64. Even then no count
// is wrong, since a count looks up the images of all options with [cover.Problem.AllImages].
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
		high, low := bits.Mul64(sum, sum^0x9e3779b97f4a7c15)
		all[p.Piece].placements += high ^ low
	}
	return all
}

// items adds the images of the items that are not cells. It returns nil if an item has no image.
func (s *seeker) items(cells cover.Symmetry) cover.Symmetry {
	for from, to := range cells {
		if s.model.Puzzle.Board.Optional[from] && s.asked[from] != s.asked[to] {
			return nil
		}
	}
	all := cells
	rank := map[alike]int{} // for each key, how many of the pieces so far move to a piece with the key
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
