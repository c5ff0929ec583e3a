package tiling

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/pavage/pavage/cover"
)

// Group is the group of symmetries of a board and its pieces. Tilings that an
// element takes to one another are the same up to symmetry.
//
// The running example, 2x3 with dominoes, has the group D2 of order 4:
//
//	a b c    the identity     rotation by 180°   reflection     reflection
//	d e f                                        left-right     top-bottom
//	         a b c            f e d              c b a          d e f
//	         d e f            c b a              f e d          a b c
type Group struct {
	// Name is Cn or Dn in the plane, where Cn has n rotations and Dn as many
	// reflections besides, and Schoenflies' name in space.
	Name     string
	Elements []Element // the identity first, then other rotations, then reflections
	// Reflections tells whether a reflection is a symmetry, also one that moves all
	// cells as a rotation does and is no element of its own.
	Reflections bool
	// TooLarge tells that a board that wraps has more symmetries than
	// cover.MaxSymmetries, or that it takes too long to find them: Elements is the
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
// rotations, that take the board onto itself, optional cells to optional ones,
// cells of a colour to cells of that colour, placements onto placements, and groups of
// pieces to groups with the same bounds. A motion may take the placements of a piece
// to those of another with the same bounds, as a reflection does to a
// one-sided piece and its mirror image. Of several pieces with the same
// placements and the same bounds, the first goes to the first of the others,
// and so on: to swap equal pieces is not a symmetry of the board.
//
// Motions that move all cells alike, as on a board of one row, count once, as
// a rotation if one is among them. The group has at most 12 elements in the
// plane and 48 in space. It takes O(motions · (board cells + shape cells)),
// however many placements there are. But placements are moved one by one where the board has
// colours or some are asked for or forbidden, and on a board that wraps. There motions also
// differ by translations: see Group.TooLarge.
func (m *Model) Group(reflections bool) *Group {
	if m.plain != nil {
		return m.keeping(m.plain.Group(reflections))
	}
	b := m.Puzzle.Board
	s := &seeker{board: b, fitter: newFitter(b), limit: math.MaxInt, group: &Group{}}
	if b.Wrap == NoWrap && !m.Puzzle.isPartial() {
		s.items = newFinder(m).items
	} else {
		owners := newOwners(m)
		s.items = owners.items
		s.uses = owners.uses
	}
	if b.Wrap == NoWrap {
		s.find(reflections)
		s.group.Name = s.group.nameOn(b.Lattice)
		return s.group
	}
	s.limit = maxGroupWork
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

// hints are the symmetries as permutations of the items, if there are more than one.
func (m *Model) hints() []cover.Symmetry {
	g := m.Group(true)
	if len(g.Elements) == 1 {
		return nil
	}
	return g.Symmetries()
}

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
// differ on the board, that take glued cells to glued ones, and then board and placements onto
// themselves. On a board that does not wrap, the gluing is the identity alone.
//
// A motion followed by a translation takes glued cells to glued ones if it takes each motion of the
// gluing to one of the gluing: if it is s, and g is a motion of the gluing, s g s⁻¹ must be one too.
type seeker struct {
	board  *Board
	fitter *fitter
	// items appends to where the cells go where pieces and groups go, if motion k of the lattice
	// moves the cells. It is nil if these do not go to such.
	items       func(k int, cells cover.Symmetry) cover.Symmetry
	uses        int // cells that a call of items moves
	work, limit int // cells
	group       *Group
}

// find finds all symmetries. It gives up when there are too many, or it takes too long.
func (s *seeker) find(reflections bool) bool {
	b, g := s.board, &s.fitter.glue
	least, _ := corners(b.Cells)
	for k, m := range b.Lattice.motions {
		if m.mirrors() && !reflections {
			break // rotations come first
		}
		rows, columns := m.move(Cell{0, g.rows, g.lean}), m.move(Cell{0, 0, g.columns})
		if g.reduce(rows) != (Cell{}) || g.reduce(columns) != (Cell{}) {
			continue // translations of the gluing do not go to such
		}
		// One translation takes the box of the moved cells back to where it was. Where the board
		// has a border, there is no other. But on a Möbius band a cell stands in two rows, so that
		// the box may go to where the cells stand as well: there the middle of all rows stays, also
		// those without cells.
		moved := b.Lattice.moved(m.motion, b.Cells)
		movedLeast, _ := corners(moved)
		first := least.minus(movedLeast)
		if b.Wrap == Moebius {
			if first[1] = 0; m.move(Cell{0, 1, 0})[1] < 0 {
				first[1] = b.Size[1] - 1
			}
		}
		for row := range max(1, g.rows) {
			for column := range max(1, g.columns) {
				step := Cell{0, row, column}
				shift := first.plus(step)
				if !b.Lattice.isTranslation(shift) || !g.keepsGlide(m.motion, shift) {
					continue
				}
				if !s.add(k, moved, shift, step) {
					return false
				}
			}
		}
	}
	return true
}

// keepsGlide reports whether the motion m and then a shift take the glide of the gluing to
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
	along := m.move(g.along).plus(shift).minus(g.glide.move(shift))
	return g.reduce(along.minus(g.along)) == Cell{}
}

// add takes in motion k of the lattice, which has moved the cells, and then a shift, if that is a
// symmetry that has not been met. It is false if there are too many. Motions that move all cells
// alike count once: most symmetries differ in the first cells.
func (s *seeker) add(k int, moved []Cell, shift, step Cell) bool {
	m := s.board.Lattice.motions[k]
	cells := s.cells(moved, shift)
	switch {
	case s.work > s.limit:
		return false
	case cells == nil:
		return true
	}
	met := func(e Element) bool { return slices.Equal(e.Items[:len(cells)], cells) }
	if !slices.ContainsFunc(s.group.Elements, met) {
		items := s.items(k, cells)
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

// cells is where a shift takes the moved cells of the board, or nil if not onto the board and
// optional cells to optional ones.
func (s *seeker) cells(moved []Cell, shift Cell) cover.Symmetry {
	b := s.board
	to := make(cover.Symmetry, len(moved))
	for i, c := range moved {
		s.work++
		to[i] = s.fitter.cell(c.plus(shift))
		if to[i] < 0 || b.Optional[to[i]] != b.Optional[i] || b.colour(to[i]) != b.colour(i) {
			return nil
		}
	}
	return to
}

// stepName is what a motion and then a translation do, in words.
func stepName(m namedMotion, step Cell) string {
	var ways []string
	for i, way := range []string{"row", "column"} {
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

// finder tells what motions of the lattice do to pieces. It does not move placements. A motion that
// takes the board onto itself takes all placements of a shape to all placements of the moved shape,
// so that it is enough to compare the sets of shapes that the pieces have on the board. Where not
// all placements of a shape are left, that says nothing, and owners moves the placements.
type finder struct {
	puzzle  *Puzzle
	motions []motion       // all of the lattice: rotations first, the identity before them
	product [][]int        // motion k after motion j is motion product[k][j]; nil until after makes it
	shapes  map[string]int // a number for each shape, from 0
	fits    map[int]bool   // numbers of the shapes that have a placement
	images  [][]int        // images[p][k] is the number of the shape of piece p under motion k
	allowed [3][]int       // the motions of a Motions
	pieces  map[string][]int
	keys    []string // of each piece under no motion
	rank    []int    // of each piece among those of the same placements and bounds
}

func newFinder(m *Model) *finder {
	p, l := m.Puzzle, m.Puzzle.Board.Lattice
	f := &finder{puzzle: p, shapes: map[string]int{}, fits: map[int]bool{}, pieces: map[string][]int{}}
	f.motions = l.group(Free)
	for _, s := range m.placed {
		f.fits[f.number(s)] = true
	}
	f.product = make([][]int, len(f.motions))
	for which := range f.allowed {
		for _, t := range l.group(Motions(which)) {
			f.allowed[which] = append(f.allowed[which], slices.Index(f.motions, t))
		}
	}
	f.rank = make([]int, len(p.Pieces))
	for i, piece := range p.Pieces {
		shape := piece.Shape
		if len(shape) > len(p.Board.Cells) {
			shape = nil // as good as none
		}
		images := make([]int, len(f.motions))
		for k, t := range f.motions {
			images[k] = f.number(l.Shape(l.moved(t, shape)...))
		}
		f.images = append(f.images, images)
		key := f.key(i, 0)
		f.keys = append(f.keys, key)
		f.rank[i] = len(f.pieces[key])
		f.pieces[key] = append(f.pieces[key], i)
	}
	return f
}

// after is motion k after each motion.
func (f *finder) after(k int) []int {
	if f.product[k] == nil {
		row := make([]int, len(f.motions))
		for j, t := range f.motions {
			row[j] = slices.Index(f.motions, f.motions[k].after(t))
		}
		f.product[k] = row
	}
	return f.product[k]
}

func (f *finder) number(s Shape) int {
	key := tinted{shape: s}.key()
	n, known := f.shapes[key]
	if !known {
		n = len(f.shapes)
		f.shapes[key] = n
	}
	return n
}

// key tells what matters of piece p under motion k: its bounds and the shapes
// that it has somewhere on the board, which motion k takes from one place to
// another, if it is a motion of the board. A motion that the piece may use itself takes these
// shapes to one another. (Soma cube: 1 ms of 9.)
func (f *finder) key(p, k int) string {
	piece := &f.puzzle.Pieces[p]
	if p < len(f.keys) && slices.Contains(f.allowed[piece.Motions], k) {
		return f.keys[p]
	}
	images, after := f.images[p], f.after(k)
	var shapes []int
	for _, t := range f.allowed[piece.Motions] {
		if f.fits[images[t]] {
			shapes = append(shapes, images[after[t]])
		}
	}
	slices.Sort(shapes)
	key := make([]byte, 0, 16+4*len(shapes))
	for _, n := range []int{piece.Min, piece.Max} {
		key = binary.LittleEndian.AppendUint64(key, uint64(n))
	}
	for _, s := range slices.Compact(shapes) {
		key = binary.LittleEndian.AppendUint32(key, uint32(s))
	}
	return string(key)
}

// items appends where motion k takes the pieces and the groups, if it takes cells where s says. It is
// nil if it does not take pieces to pieces of the same placements and bounds.
func (f *finder) items(k int, s cover.Symmetry) cover.Symmetry {
	cells := len(s)
	for p := range f.puzzle.Pieces {
		from, to := f.pieces[f.keys[p]], f.pieces[f.key(p, k)]
		if len(from) != len(to) {
			return nil
		}
		s = append(s, cells+to[f.rank[p]])
	}
	return f.puzzle.mapGroups(s)
}

// owners tells which pieces have a placement. Pieces with the same placements and bounds are
// one kind.
type owners struct {
	model *Model
	kinds []kindOfPiece
	from  [][]owned // by first cell, the sets of cells that have an owner; sorted
	uses  int       // cells of all placements
	moved []int
}

type kindOfPiece struct {
	members    []int // pieces, ascending
	least      int
	most       int
	placements []Placement // of the first member
}

// owned are cells, and the kinds that have a placement there.
type owned struct {
	cells []int
	kinds []int
}

func newOwners(m *Model) *owners {
	o := &owners{model: m, from: make([][]owned, len(m.Puzzle.Board.Cells))}
	of, alike := make([][]Placement, len(m.Puzzle.Pieces)), map[string]int{}
	for _, p := range m.Placements {
		of[p.Piece] = append(of[p.Piece], p)
		o.uses += len(p.Cells)
	}
	for k, piece := range m.Puzzle.Pieces {
		alike[roughly(piece, of[k])]++
	}
	known := map[string]int{}
	for k, piece := range m.Puzzle.Pieces {
		key := roughly(piece, of[k])
		if alike[key] > 1 {
			key += exactly(of[k])
		}
		kind, met := known[key]
		if !met {
			kind = len(o.kinds)
			known[key] = kind
			o.kinds = append(o.kinds, kindOfPiece{nil, piece.Min, piece.Max, of[k]})
			for _, p := range of[k] {
				o.from[p.Cells[0]] = append(o.from[p.Cells[0]], owned{p.Cells, []int{kind}})
			}
		}
		o.kinds[kind].members = append(o.kinds[kind].members, k)
	}
	for c, all := range o.from {
		o.from[c] = gathered(all)
	}
	return o
}

// roughly and exactly tell pieces apart that are not of one kind: most differ in the first.
func roughly(piece Piece, placements []Placement) string {
	return fmt.Sprint(piece.Min, " ", piece.Max, " ", len(piece.Shape), " ", len(placements), " ")
}

func exactly(placements []Placement) string {
	keys := make([]string, len(placements))
	for i, p := range placements {
		keys[i] = cellsKey(p.Cells)
	}
	slices.Sort(keys)
	return strings.Join(keys, "")
}

// gathered sorts what is owned, and puts the owners of the same cells together.
func gathered(all []owned) []owned {
	slices.SortStableFunc(all, func(a, b owned) int { return slices.Compare(a.cells, b.cells) })
	kept := all[:0]
	for _, at := range all {
		if last := len(kept) - 1; last >= 0 && slices.Equal(kept[last].cells, at.cells) {
			kept[last].kinds = append(kept[last].kinds, at.kinds...)
		} else {
			kept = append(kept, at)
		}
	}
	return kept
}

// items appends where the pieces and groups go, when cells go where s says. It is nil if the
// placements of some piece do not go to those of another of the same kind, or a group does
// not go to one of the same bounds, or a cell that has to be covered to one that may stay empty.
func (o *owners) items(_ int, s cover.Symmetry) cover.Symmetry {
	for from, to := range s {
		if o.model.Problem.Items[from].Min != o.model.Problem.Items[to].Min {
			return nil
		}
	}
	cells := len(s)
	s = append(s, make(cover.Symmetry, len(o.model.Puzzle.Pieces))...)
	for from := range o.kinds {
		to := o.image(from, s)
		if to < 0 {
			return nil
		}
		for i, p := range o.kinds[from].members {
			s[cells+p] = cells + o.kinds[to].members[i]
		}
	}
	return o.model.Puzzle.mapGroups(s)
}

// image is the kind to whose placements those of a kind go, -1 if there is none.
func (o *owners) image(from int, s cover.Symmetry) int {
	k := &o.kinds[from]
	if len(k.placements) == 0 {
		return from
	}
	candidates := slices.Clone(o.owners(k.placements[0], s))
	for _, p := range k.placements[1:] {
		owners := o.owners(p, s)
		candidates = slices.DeleteFunc(candidates, func(to int) bool { return !slices.Contains(owners, to) })
	}
	for _, to := range candidates {
		t := &o.kinds[to]
		if t.least == k.least && t.most == k.most && len(t.members) == len(k.members) && len(t.placements) == len(k.placements) {
			return to
		}
	}
	return -1
}

// owners are the kinds that have a placement where s takes one.
func (o *owners) owners(p Placement, s cover.Symmetry) []int {
	o.moved = o.moved[:0]
	for _, c := range p.Cells {
		o.moved = append(o.moved, s[c])
	}
	slices.Sort(o.moved)
	all := o.from[o.moved[0]]
	i, owned := slices.BinarySearchFunc(all, o.moved, func(at owned, cells []int) int { return slices.Compare(at.cells, cells) })
	if !owned {
		return nil
	}
	return all[i].kinds
}
