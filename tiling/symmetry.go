package tiling

import (
	"context"
	"encoding/binary"
	"slices"

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

// plainGroup is Group on a board that does not wrap. Motions that move all cells alike, as on a
// board of one row, count once, as a rotation if one is among them.
func (m *Model) plainGroup(reflections bool) *Group {
	f := newFinder(m)
	g := &Group{}
	var kept []motion
	l := m.Puzzle.Board.Lattice
	for k, t := range f.motions {
		if t.mirrors() && !reflections {
			break // rotations come first
		}
		items := f.symmetry(k)
		g.Reflections = g.Reflections || items != nil && t.mirrors()
		if items == nil || g.has(items) {
			continue
		}
		kept = append(kept, t)
		g.Elements = append(g.Elements, Element{items, l.motions[k].words, t.mirrors(), t})
	}
	g.Name = l.groupName(kept)
	return g
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
	if len(kept.Elements) < len(g.Elements) {
		kept.Name = m.Puzzle.Board.subgroupName(kept, g.Name)
	}
	return kept
}

// subgroupName is the name of a part of a group. The motions of a board that wraps have no
// other name than the surface.
func (b *Board) subgroupName(part *Group, whole string) string {
	if b.Wrap != NoWrap {
		return "in " + whole
	}
	var motions []motion
	for _, e := range part.Elements {
		motions = append(motions, e.motion)
	}
	return b.Lattice.groupName(motions)
}

func (g *Group) has(items cover.Symmetry) bool {
	return slices.ContainsFunc(g.Elements, func(e Element) bool { return slices.Equal(e.Items, items) })
}

// finder tells which motions of a lattice are symmetries of a puzzle. It does
// not move placements. A motion that takes the board onto itself takes all
// placements of a shape to all placements of the moved shape, so that it is
// enough to compare the sets of shapes that the pieces have on the board. Where not all
// placements of a shape are left, that says nothing, and owners moves the placements.
type finder struct {
	puzzle  *Puzzle
	fitter  *fitter
	motions []motion       // all of the lattice: rotations first, the identity before them
	product [][]int        // motion k after motion j is motion product[k][j]; nil until after makes it
	shapes  map[string]int // a number for each shape, from 0
	fits    map[int]bool   // numbers of the shapes that have a placement
	images  [][]int        // images[p][k] is the number of the shape of piece p under motion k
	allowed [3][]int       // the motions of a Motions
	pieces  map[string][]int
	keys    []string // of each piece under no motion
	rank    []int    // of each piece among those of the same placements and bounds
	owners  *owners
}

func newFinder(m *Model) *finder {
	p := m.Puzzle
	f := &finder{puzzle: p, fitter: newFitter(p.Board), shapes: map[string]int{}, fits: map[int]bool{}, pieces: map[string][]int{}}
	f.motions = p.Board.Lattice.group(Free)
	if p.isPartial() {
		f.owners = newOwners(m)
		return f
	}
	for _, s := range m.placed {
		f.fits[f.number(s)] = true
	}
	f.product = make([][]int, len(f.motions))
	for m := range f.allowed {
		for _, t := range p.Board.Lattice.group(Motions(m)) {
			f.allowed[m] = append(f.allowed[m], slices.Index(f.motions, t))
		}
	}
	f.rank = make([]int, len(p.Pieces))
	for i, piece := range p.Pieces {
		f.images = append(f.images, f.imagesOf(piece.Shape))
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

// imagesOf numbers the shape under each motion. One of more cells than the
// board is as good as none.
func (f *finder) imagesOf(s Shape) []int {
	images := make([]int, len(f.motions))
	if len(s) > len(f.puzzle.Board.Cells) {
		s = nil
	}
	l := f.puzzle.Board.Lattice
	for k, t := range f.motions {
		images[k] = f.number(l.Shape(l.moved(t, s)...))
	}
	return images
}

func (f *finder) number(s Shape) int {
	key := make([]byte, 0, 2*3*len(s))
	for _, c := range s {
		for _, v := range c {
			key = binary.LittleEndian.AppendUint16(key, uint16(v)) // v < 4·MaxSide, also where a motion adds two coordinates
		}
	}
	n, known := f.shapes[string(key)]
	if !known {
		n = len(f.shapes)
		f.shapes[string(key)] = n
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

// symmetry is what motion k does to the items, or nil if it is no symmetry.
func (f *finder) symmetry(k int) cover.Symmetry {
	s := f.cells(f.motions[k])
	if s == nil {
		return nil
	}
	if f.owners != nil {
		return f.owners.items(s)
	}
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

// cells is where a motion takes the board's cells, or nil if not onto the
// board and optional cells to optional ones. The box around the cells has to
// go onto itself, which leaves one translation to try.
func (f *finder) cells(t motion) cover.Symmetry {
	b := f.puzzle.Board
	moved := b.Lattice.moved(t, b.Cells)
	least, _ := corners(b.Cells)
	movedLeast, _ := corners(moved)
	shift := least.minus(movedLeast)
	if !b.Lattice.isTranslation(shift) {
		return nil
	}
	s := make(cover.Symmetry, len(moved), len(moved)+len(f.puzzle.Pieces)+len(f.puzzle.Groups))
	for i, c := range moved {
		s[i] = f.fitter.cell(c.plus(shift))
		if s[i] < 0 || b.Optional[s[i]] != b.Optional[i] || b.colour(s[i]) != b.colour(i) {
			return nil
		}
	}
	return s
}
