package tiling

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pavage/pavage/cover"
)

// maxGroupWork is how many cells are moved to find the symmetries of a board that wraps: half
// a second.
const maxGroupWork = 1 << 26

// wrapped finds the symmetries of a board that wraps: motions of the lattice, each with all
// translations that differ on the board, that take glued cells to glued ones, and then board
// and placements onto themselves.
//
// A motion followed by a translation does so if it takes each motion of the gluing to one of
// the gluing: if it is s, and g is a motion of the gluing, s g s⁻¹ must be one too.
type wrapped struct {
	model    *Model
	fitter   *fitter
	owners   *owners
	work     int
	elements []Element
	mirrors  bool // whether a reflection is a symmetry
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
	if m.Puzzle.Board.Wrap == NoWrap {
		return m.plainGroup(reflections)
	}
	return m.wrappedGroup(reflections)
}

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

// wrappedGroup is Group on a board that wraps.
func (m *Model) wrappedGroup(reflections bool) *Group {
	b := m.Puzzle.Board
	g := &Group{Name: fmt.Sprintf("%s %s", surfaces[b.Wrap], b.Lattice.SizeName(b.Size))}
	w := &wrapped{model: m, fitter: newFitter(b)}
	if w.owners = newOwners(m); w.owners.uses > maxGroupWork/8 || !w.findAll(reflections) {
		g.TooLarge = true
		w.elements = []Element{{Items: identitySymmetry(len(m.Problem.Items)), Motion: b.Lattice.motions[0].words}}
	}
	g.Elements, g.Reflections = w.elements, w.mirrors
	return g
}

func identitySymmetry(n int) cover.Symmetry {
	s := make(cover.Symmetry, n)
	for i := range s {
		s[i] = i
	}
	return s
}

// findAll finds all symmetries. It gives up when there are too many, or it takes too long.
func (w *wrapped) findAll(reflections bool) bool {
	l := w.model.Puzzle.Board.Lattice
	for _, m := range l.motions {
		if m.mirrors() && !reflections {
			break // rotations come first
		}
		if !w.keepsTranslations(m.motion) {
			continue
		}
		first := w.first(m.motion)
		for _, step := range w.steps() {
			shift := first.plus(step)
			if !w.keepsGlide(m.motion, shift) {
				continue
			}
			if !w.add(m, shift, step) {
				return false
			}
		}
	}
	return true
}

// keepsTranslations reports whether m takes the translations of the gluing to such.
func (w *wrapped) keepsTranslations(m motion) bool {
	g := &w.fitter.glue
	return g.reduce(m.move(Cell{0, g.rows, g.lean})) == Cell{} && g.reduce(m.move(Cell{0, 0, g.columns})) == Cell{}
}

// keepsGlide reports whether the motion m and then a shift take the glide of the gluing to
// a motion of the gluing. The glide moves x to Gx + a. So the other moves x to
//
//	m(G m⁻¹(x - shift) + a) + shift = m G m⁻¹ x - m G m⁻¹ shift + m a + shift
func (w *wrapped) keepsGlide(m motion, shift Cell) bool {
	g := &w.fitter.glue
	if g.glide == (motion{}) {
		return true
	}
	if m.after(g.glide) != g.glide.after(m) {
		return false
	}
	along := m.move(g.along).plus(shift).minus(g.glide.move(shift))
	return g.reduce(along.minus(g.along)) == Cell{}
}

// first is the translation that takes the box of the cells, after a motion, back to where it
// was. Where the board has a border, there is no other. But on a Möbius band a cell stands in two
// rows, so that the box may go to where the cells stand as well: there the middle of all
// rows stays, also those without cells.
func (w *wrapped) first(m motion) Cell {
	b := w.model.Puzzle.Board
	least, _ := corners(b.Cells)
	moved, _ := corners(b.Lattice.moved(m, b.Cells))
	first := least.minus(moved)
	if b.Wrap == Moebius {
		if first[1] = 0; m.move(Cell{0, 1, 0})[1] < 0 {
			first[1] = b.Size[1] - 1
		}
	}
	return first
}

// steps are the translations along the ways on which the board has no border, 0 first.
func (w *wrapped) steps() []Cell {
	g := &w.fitter.glue
	var all []Cell
	for r := range max(1, g.rows) {
		for c := range max(1, g.columns) {
			all = append(all, Cell{0, r, c})
		}
	}
	return all
}

// add takes in the motion m and then a shift, if that is a symmetry that has not been met. It
// is false if there are too many.
func (w *wrapped) add(m namedMotion, shift, step Cell) bool {
	s := w.cells(m.motion, shift)
	if w.work > maxGroupWork {
		return false
	}
	if s == nil {
		return true
	}
	if w.met(s) {
		w.mirrors = w.mirrors || m.mirrors()
		return true
	}
	s = w.owners.items(s)
	if w.work += w.owners.uses; s == nil {
		return true
	}
	if len(w.elements) == cover.MaxSymmetries {
		return false
	}
	w.mirrors = w.mirrors || m.mirrors()
	w.elements = append(w.elements, Element{s, stepName(m, step), m.mirrors(), m.motion})
	return true
}

// met reports whether a symmetry moves the cells so. Most differ in the first cells.
func (w *wrapped) met(cells cover.Symmetry) bool {
	return slices.ContainsFunc(w.elements, func(e Element) bool { return slices.Equal(e.Items[:len(cells)], cells) })
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

// cells is where a motion and then a shift take the board's cells, or nil if not onto the board
// and optional cells to optional ones.
func (w *wrapped) cells(m motion, shift Cell) cover.Symmetry {
	b := w.model.Puzzle.Board
	s := make(cover.Symmetry, 0, len(w.model.Problem.Items))
	for i, c := range b.Cells {
		w.work++
		to := w.fitter.cell(b.Lattice.move(m, c).plus(shift))
		if to < 0 || b.Optional[to] != b.Optional[i] || b.colour(to) != b.colour(i) {
			return nil
		}
		s = append(s, to)
	}
	return s
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
func (o *owners) items(s cover.Symmetry) cover.Symmetry {
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
