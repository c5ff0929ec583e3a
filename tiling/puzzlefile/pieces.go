package puzzlefile

import (
	"maps"
	"slices"
	"strings"

	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/tiling"
)

var pieceKeys = []string{"set", "name", "shape", "box", "cells", "copies", "motions", "color"}

type pieceReader struct {
	roster  *tiling.Roster
	lattice *tiling.Lattice
	motions tiling.Motions // motions of pieces without the key motions
	letters string         // letters[k-1] means colour k
}

func (r *pieceReader) read(entry *node) {
	p := tiling.Piece{Motions: r.motions, Min: 1, Max: 1}
	if entry.kind != mapping {
		p.Name = entry.word("a piece", "text or a mapping")
		r.addNamed(entry, "name", p, false)
		return
	}
	f := entry.fields("a piece", pieceKeys)
	if n := f["copies"]; n != nil {
		p.Min, p.Max = n.bounds("copies", tiling.MaxCopies)
	}
	if n := f["color"]; n != nil {
		p.Color = n.color()
	}
	p.Motions = tiling.Motions(f.choice("motions", tiling.MotionNames(), int(r.motions)))
	naming := f.one("set", "name")
	n := f[naming]
	if n == nil {
		entry.fail("the piece has no name, expected the key \"name\" or \"set\", such as name: domino")
	}
	p.Name = n.word(naming, "text")
	switch key := f.one("set", "shape", "box", "cells"); key {
	case "", "set":
		r.addNamed(n, naming, p, f["motions"] != nil)
		return
	case "shape":
		text := f[key].drawn(key)
		f[key].check(hinted(r.lattice, func(l *tiling.Lattice) error {
			read, err := l.ReadShape(text, r.letters)
			p.Shape, p.Colours, p.Marks = read.Shape, read.Colours, read.Marks
			return err
		}))
	case "box":
		size, _, err := parseSize(f[key].drawn(key), boxForm, tiling.CellLimit{Most: tiling.MaxBoxCells})
		f[key].check(err)
		p.Shape = tiling.NewBoard(r.lattice, size).Cells
	case "cells":
		cells := f[key].list(key, "[[row, column], …] or [[layer, row, column], …]")
		seen := map[tiling.Cell]bool{}
		for _, item := range cells {
			c := item.cell(len(cells[0].items))
			if seen[c] {
				item.fail("a cell is given twice, expected each cell once")
			}
			seen[c] = true
			p.Shape = append(p.Shape, c)
		}
		p.Shape = r.lattice.Shape(p.Shape...)
	}
	r.add(n, p)
}

// addNamed adds the piece or the pieces of the set with the name p.Name, with the copies, color and
// motions of p. But unless moved is true, the pieces of a one-sided set become one-sided. The name
// is the value of the key "name" or "set", for errors.
func (r *pieceReader) addNamed(n *node, key string, p tiling.Piece, moved bool) {
	set := named(r.lattice, p.Name)
	if set.Shapes == nil {
		r.failUnknown(n, key, p.Name)
	}
	if set.OneSided && !moved {
		p.Motions = tiling.OneSided
	}
	for _, member := range set.Shapes() {
		p.Name, p.Shape, p.Marks = member.Name, member.Shape, member.Marks
		r.add(n, p)
	}
}

// named returns the set with this name, or a set of one piece. Shapes is nil for unknown names.
func named(l *tiling.Lattice, name string) tiling.PieceSet {
	for i, piece := range l.Named() {
		if piece.Name == name {
			return tiling.PieceSet{Shapes: func() []tiling.NamedShape { return l.Named()[i : i+1] }}
		}
	}
	return l.Sets()[name]
}

func (r *pieceReader) failUnknown(n *node, key, name string) {
	var homes []string // the lattices that have the name
	for _, l := range tiling.Lattices() {
		if named(l, name).Shapes != nil {
			homes = append(homes, l.String())
		}
	}
	what, copies, isInline := strings.Cut(name, "=")
	switch {
	case name == "":
		n.fail("the piece has no name, expected a name such as domino or O4, or the name of a set such as pentominoes")
	case isInline:
		n.fail("unknown piece %s, expected {name: %s, copies: %s} in a file", wording.Quote(name), what, copies)
	case name == "domino" && r.lattice == tiling.Triangle:
		n.fail("dominoes are made of squares: did you mean lozenge?")
	case homes != nil:
		n.fail("%s is made of %ss, expected lattice: %s", name, strings.Join(homes, "s and "), wording.List(homes))
	}
	var pieces []string
	for _, s := range r.lattice.Named() {
		pieces = append(pieces, s.Name)
	}
	kind, all := "piece", "a piece ("+strings.Join(pieces, " ")+"), a set ("+strings.Join(setNames(r.lattice), " ")+") or a shape, box or cells"
	if key == "set" {
		kind, all = "set", wording.List(setNames(r.lattice))
	}
	n.fail("unknown %s %s, %s", kind, wording.Quote(name), meant(name, all, pieces, setNames(tiling.Lattices()...)))
}

func (r *pieceReader) add(n *node, p tiling.Piece) {
	p.Lattice = r.lattice
	n.check(r.roster.Add(p))
}

func setNames(of ...*tiling.Lattice) (names []string) {
	for _, l := range of {
		names = slices.AppendSeq(names, maps.Keys(l.Sets()))
	}
	slices.Sort(names)
	return slices.Compact(names)
}
