package puzzlefile

import (
	"maps"
	"slices"
	"strings"

	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/tiling"
)

// pieceKeys are the keys of an entry, which is a piece or a set. One of shapeKeys gives the shape.
var (
	pieceKeys = []string{"set", "name", "shape", "box", "cells", "copies", "motions", "color"}
	shapeKeys = []string{"shape", "box", "cells"}
)

// pieceReader reads the entries of the key pieces into its roster.
type pieceReader struct {
	roster  *tiling.Roster
	lattice *tiling.Lattice
	motions tiling.Motions          // for entries without the key motions
	letters string                  // letters[k-1] stands for colour k
	entries map[string]tiling.Error // the field Entries of the puzzle
}

// read reads an entry: the name of a set or a piece, or a mapping.
func (r *pieceReader) read(entry *node) {
	p := tiling.Piece{Motions: r.motions, Min: 1, Max: 1}
	if entry.kind != mapping {
		if name := entry.word("a piece"); homes(name, isSet) != nil {
			r.addSet(entry, name, p, false)
		} else {
			r.addNamed(entry, name, p)
		}
		return
	}
	f := entry.fields("a piece", pieceKeys)
	if n := f["copies"]; n != nil {
		p.Min, p.Max = n.copies()
	}
	if n := f["color"]; n != nil {
		p.Color = n.color()
	}
	p.Motions = tiling.Motions(choice(f, "motions", tiling.MotionNames(), int(r.motions)))
	if n := f["set"]; n != nil {
		for _, key := range append([]string{"name"}, shapeKeys...) {
			if f[key] != nil {
				f[key].fail("%s beside set, want either a set or one piece", key)
			}
		}
		r.addSet(n, n.word("set"), p, f["motions"] != nil)
		return
	}
	n := f["name"]
	if n == nil {
		entry.fail("a piece without a name, want name or set, such as name: domino")
	}
	p.Name = n.word("name")
	given := "" // the key that gives the shape
	for _, key := range shapeKeys {
		if f[key] != nil && given != "" {
			f[key].fail("%s beside %s, want one of %s", key, given, wording.List(shapeKeys))
		}
		if f[key] != nil {
			given = key
		}
	}
	switch given {
	case "":
		r.addNamed(n, p.Name, p)
		return
	case "shape":
		text := f[given].drawn(given)
		var err error
		p.Shape, p.Colours, err = r.lattice.ReadShape(text, r.letters)
		f[given].check(hinted(err, r.lattice, text, r.lattice.ShapeMarks(), r.letters))
	case "box":
		size, _, err := parseSize(f[given].drawn(given), boxForm, tiling.MaxBoxCells)
		f[given].check(err)
		p.Shape = tiling.NewBoard(r.lattice, size).Cells
	case "cells":
		p.Shape = r.cells(f[given])
	}
	r.add(n, p)
}

// cells returns the shape of a list of [row, column] or of [layer, row, column].
func (r *pieceReader) cells(n *node) tiling.Shape {
	if n.kind != sequence || len(n.items) == 0 {
		n.fail("cells is not a list with a cell in it, want [[row, column], …] or [[layer, row, column], …]")
	}
	seen := map[tiling.Cell]bool{}
	var cells []tiling.Cell
	for _, item := range n.items {
		c := item.cell(len(n.items[0].items))
		if seen[c] {
			item.fail("a cell a second time, want each cell once")
		}
		seen[c] = true
		cells = append(cells, c)
	}
	return r.lattice.Shape(cells...)
}

// addSet adds the pieces of a set, which are like p. They are one-sided if the set has mirror
// images as pieces and the entry has no key motions (moved is false).
func (r *pieceReader) addSet(n *node, name string, p tiling.Piece, moved bool) {
	s, ok := r.lattice.Sets()[name]
	switch on := homes(name, isSet); {
	case ok:
	case on != nil:
		n.fail("%s is a set of %ss, want lattice: %s", name, strings.Join(on, "s and "), wording.List(on))
	case homes(name, isPiece) != nil:
		n.fail("%s is a piece, want it as an entry of its own or as {name: %s}", name, name)
	default:
		n.fail("unknown set %s, %s", wording.Quote(name),
			meant(name, wording.List(setNames(r.lattice)), setNames(tiling.Lattices()...)))
	}
	if s.OneSided && !moved {
		p.Motions = tiling.OneSided
	}
	for _, member := range s.Shapes() {
		p.Name, p.Shape = member.Name, member.Shape
		r.add(n, p)
	}
}

func (r *pieceReader) addNamed(n *node, name string, p tiling.Piece) {
	known := r.lattice.Named()
	i := slices.IndexFunc(known, func(s tiling.NamedShape) bool { return s.Name == name })
	what, copies, isInline := strings.Cut(name, "=")
	switch on := homes(name, isPiece); {
	case name == "":
		n.fail("a piece without a name, want one such as domino or O4, or that of a set such as pentominoes")
	case homes(name, isSet) != nil:
		n.fail("%s is a set, want it as an entry of its own or as {set: %s}", name, name)
	case i >= 0:
	case isInline:
		n.fail("unknown piece %s, want {name: %s, copies: %s} for copies in a file", wording.Quote(name), what, copies)
	case on != nil:
		n.fail("%s is a piece of %ss, want lattice: %s", name, strings.Join(on, "s and "), wording.List(on))
	default:
		var pieces []string
		for _, s := range known {
			pieces = append(pieces, s.Name)
		}
		all := "a piece (" + strings.Join(pieces, " ") + "), a set (" + strings.Join(setNames(r.lattice), " ") + ") or a shape, box or cells"
		n.fail("unknown piece %s, %s", wording.Quote(name), meant(name, all, pieces, setNames(tiling.Lattices()...)))
	}
	p.Name, p.Shape = name, known[i].Shape
	r.add(n, p)
}

func (r *pieceReader) add(n *node, p tiling.Piece) {
	p.Lattice = r.lattice
	n.check(r.roster.Add(p))
	r.entries[p.Name] = tiling.Error{Name: n.name, Line: n.line, Column: n.column}
}

// homes returns the names of the lattices that have a piece or a set of that name.
func homes(name string, has func(*tiling.Lattice, string) bool) (names []string) {
	for _, l := range tiling.Lattices() {
		if has(l, name) {
			names = append(names, l.String())
		}
	}
	return names
}

func isSet(l *tiling.Lattice, name string) bool { return l.Sets()[name].Shapes != nil }

func isPiece(l *tiling.Lattice, name string) bool {
	return slices.ContainsFunc(l.Named(), func(s tiling.NamedShape) bool { return s.Name == name })
}

// setNames returns the names of the sets of some lattices, sorted.
func setNames(of ...*tiling.Lattice) (names []string) {
	for _, l := range of {
		names = slices.AppendSeq(names, maps.Keys(l.Sets()))
	}
	slices.Sort(names)
	return slices.Compact(names)
}
