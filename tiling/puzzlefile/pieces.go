package puzzlefile

import (
	"cmp"
	"fmt"
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

// pieceReader reads the key pieces into its roster.
type pieceReader struct {
	roster  *tiling.Roster
	lattice *tiling.Lattice
	motions tiling.Motions          // for entries without the key motions
	letters string                  // letters[k-1] stands for colour k
	entries map[string]tiling.Error // the field Entries of the puzzle
}

func (r *pieceReader) readAll(root, pieces *node) error {
	switch {
	case pieces == nil:
		return root.errorf("no pieces, want a list of pieces")
	case pieces.kind != sequence:
		return pieces.errorf("pieces is %s, want a list", kindNames[pieces.kind])
	case len(pieces.items) == 0:
		return pieces.errorf("no pieces, want at least one")
	}
	for _, entry := range pieces.items {
		if err := r.readEntry(entry); err != nil {
			return err
		}
	}
	return nil
}

// readEntry reads an entry of the key pieces: the name of a set or a piece, or a mapping.
func (r *pieceReader) readEntry(entry *node) error {
	once := tiling.Piece{Motions: r.motions, Min: 1, Max: 1}
	if entry.kind == mapping {
		return r.readMapping(entry, once)
	}
	name, err := entry.word("a piece")
	if err != nil {
		return err
	}
	if home(name) != nil {
		return r.addSet(entry, name, once, false)
	}
	return r.addNamed(entry, name, once)
}

// readMapping reads an entry that is a mapping. The pattern has the fields for which the entry has
// no key.
func (r *pieceReader) readMapping(entry *node, pattern tiling.Piece) error {
	f, err := entry.fields("a piece", pieceKeys)
	if err != nil {
		return err
	}
	if n := f["copies"]; n != nil {
		if pattern.Min, pattern.Max, err = n.copies(); err != nil {
			return err
		}
	}
	if n := f["color"]; n != nil {
		text, err := n.word("color")
		if err != nil {
			return err
		}
		if pattern.Color, err = parseColor(text); err != nil {
			return n.wrap(err)
		}
	}
	motions, err := choice(f, "motions", tiling.MotionNames(), int(r.motions))
	if err != nil {
		return err
	}
	pattern.Motions = tiling.Motions(motions)
	if f["set"] != nil {
		return r.readSet(f, pattern)
	}
	return r.readPiece(entry, f, pattern)
}

// readSet reads an entry with the key set.
func (r *pieceReader) readSet(f map[string]*node, pattern tiling.Piece) error {
	n := f["set"]
	for _, key := range append([]string{"name"}, shapeKeys...) {
		if f[key] != nil {
			return f[key].errorf("%s beside set, want either a set or one piece", key)
		}
	}
	name, err := n.word("set")
	if err != nil {
		return err
	}
	switch {
	case home(name) != nil:
		return r.addSet(n, name, pattern, f["motions"] != nil)
	case len(homes(name)) > 0:
		return n.errorf("%s is a piece, want it as an entry of its own or as {name: %s}", name, name)
	default:
		return n.errorf("unknown set %s, %s", wording.Quote(name), meant(name, wording.List(r.sets()), setNames()))
	}
}

// readPiece reads an entry with the key name, and one of shapeKeys or the name of a known piece.
func (r *pieceReader) readPiece(entry *node, f map[string]*node, pattern tiling.Piece) error {
	n := f["name"]
	if n == nil {
		return entry.errorf("a piece without a name, want name or set, such as name: domino")
	}
	name, err := n.word("name")
	if err != nil {
		return err
	}
	given := "" // the key that gives the shape
	for _, key := range shapeKeys {
		if f[key] != nil && given != "" {
			return f[key].errorf("%s beside %s, want one of %s", key, given, wording.List(shapeKeys))
		}
		if f[key] != nil {
			given = key
		}
	}
	if given == "" {
		return r.addNamed(n, name, pattern)
	}
	pattern.Name = name
	if pattern.Shape, pattern.Colours, err = r.readShape(given, f[given]); err != nil {
		return err
	}
	return r.add(n, pattern)
}

// addSet adds the pieces of a set. They are one-sided if the set has mirror images as pieces and
// the entry has no key motions (moved is false).
func (r *pieceReader) addSet(n *node, name string, pattern tiling.Piece, moved bool) error {
	s, ok := r.lattice.Sets()[name]
	if !ok {
		of := home(name)
		return n.errorf("a set of %s pieces on a %s board, want a %s board", cmp.Or(adjectives[of], of.String()), r.lattice, of)
	}
	if s.OneSided && !moved {
		pattern.Motions = tiling.OneSided
	}
	for _, p := range s.Shapes() {
		pattern.Name, pattern.Shape = p.Name, p.Shape
		if err := r.add(n, pattern); err != nil {
			return err
		}
	}
	return nil
}

func (r *pieceReader) addNamed(n *node, name string, pattern tiling.Piece) error {
	shape, ok := findNamed(r.lattice, name)
	switch {
	case name == "":
		return n.errorf("a piece without a name, want one such as domino or O4, or that of a set such as pentominoes")
	case home(name) != nil:
		return n.errorf("%s is a set, want it as an entry of its own or as {set: %s}", name, name)
	case !ok && strings.Contains(name, "="):
		what, copies, _ := strings.Cut(name, "=")
		return n.errorf("unknown piece %s, want {name: %s, copies: %s} for copies in a file", wording.Quote(name), what, copies)
	case !ok && len(homes(name)) > 0:
		return n.errorf("%s is a piece of %ss, want lattice: %s", name, strings.Join(homes(name), "s and "), wording.List(homes(name)))
	case !ok:
		return n.errorf("unknown piece %s, %s", wording.Quote(name), meant(name, r.knownPieces(), r.pieceNames(), setNames()))
	}
	pattern.Name, pattern.Shape = name, shape
	return r.add(n, pattern)
}

// knownPieces lists what an entry may be, for errors.
func (r *pieceReader) knownPieces() string {
	return fmt.Sprintf("a piece (%s), a set (%s) or a shape, box or cells", strings.Join(r.pieceNames(), " "), strings.Join(r.sets(), " "))
}

// sets returns the names of the sets of the board's lattice, sorted.
func (r *pieceReader) sets() []string { return slices.Sorted(maps.Keys(r.lattice.Sets())) }

func (r *pieceReader) pieceNames() (names []string) {
	for _, p := range r.lattice.Named() {
		names = append(names, p.Name)
	}
	return names
}

func (r *pieceReader) add(n *node, p tiling.Piece) error {
	p.Lattice = r.lattice
	if err := r.roster.Add(p); err != nil {
		return n.wrap(err)
	}
	r.entries[p.Name] = tiling.Error{Name: n.name, Line: n.line, Column: n.column}
	return nil
}

// readShape reads the value of one of shapeKeys.
func (r *pieceReader) readShape(key string, n *node) (s tiling.Shape, colours []int, err error) {
	if key == "cells" {
		s, err = r.readCells(n)
		return s, nil, err
	}
	text, err := n.drawn(key)
	if err != nil {
		return nil, nil, err
	}
	if key == "box" {
		var size [3]int
		if size, _, err = parseSize(text, boxForm, tiling.MaxBoxCells); err == nil {
			s = tiling.NewBoard(r.lattice, size).Cells
		}
	} else {
		s, colours, err = r.lattice.ReadShape(text, r.letters)
		err = hinted(err, r.lattice, text, r.lattice.ShapeMarks(), r.letters)
	}
	return s, colours, n.placed(err)
}

// readCells reads a list of [row, column] or of [layer, row, column].
func (r *pieceReader) readCells(n *node) (tiling.Shape, error) {
	if n.kind != sequence || len(n.items) == 0 {
		return nil, n.errorf("cells is not a list with a cell in it, want [[row, column], …] or [[layer, row, column], …]")
	}
	seen := map[tiling.Cell]bool{}
	var cells []tiling.Cell
	for _, item := range n.items {
		c, err := readCell(item, len(n.items[0].items))
		if err != nil {
			return nil, err
		}
		if seen[c] {
			return nil, item.errorf("a cell a second time, want each cell once")
		}
		seen[c] = true
		cells = append(cells, c)
	}
	return r.lattice.Shape(cells...), nil
}
