package tiling

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// NamedShape is a shape and its name.
type NamedShape struct {
	Name  string
	Shape Shape
	Marks string // see [Piece]
}

// PieceSet is a named set of pieces.
type PieceSet struct {
	Shapes   func() []NamedShape // computes the shapes when it is first called
	OneSided bool                // no piece is turned over, since its mirror image is in the set
}

// family sets all[name] to the shapes, and all["one-sided-"+name] to the shapes and mirror images.
func (l *Lattice) family(all map[string]PieceSet, name string, shapes func() []NamedShape) {
	all[name] = PieceSet{Shapes: sync.OnceValue(shapes)}
	all["one-sided-"+name] = PieceSet{Shapes: sync.OnceValue(func() []NamedShape { return l.mirrored(all[name].Shapes()) }), OneSided: true}
}

func (l *Lattice) generated(name string, n int) func() []NamedShape {
	return func() []NamedShape { return numbered(name, l.freeShapes(n)) }
}

func (l *Lattice) families(all map[string]PieceSet, n int, pieces ...string) {
	for i, piece := range pieces {
		l.family(all, plural(piece), l.generated(piece, n+i))
	}
}

func plural(piece string) string {
	if strings.HasSuffix(piece, "o") || strings.HasSuffix(piece, "x") {
		return piece + "es"
	}
	return piece + "s"
}

// namedRows is a piece and a drawing of the piece, with / between rows.
type namedRows struct{ name, rows string }

func (l *Lattice) sized(n int) func() []NamedShape {
	return func() []NamedShape {
		return slices.DeleteFunc(slices.Clone(l.Named()), func(p NamedShape) bool { return len(p.Shape) != n })
	}
}

// numbered gives each shape a name with a number, such as hexomino-01.
func numbered(name string, shapes []Shape) (all []NamedShape) {
	digits := len(strconv.Itoa(len(shapes)))
	for i, s := range shapes {
		all = append(all, NamedShape{Name: fmt.Sprintf("%s-%0*d", name, digits, i+1), Shape: s})
	}
	return all
}

// mirrored returns each shape, followed by its mirror image unless a rotation makes the two equal.
// The name of a mirror image ends in m, such as L4m.
func (l *Lattice) mirrored(shapes []NamedShape) []NamedShape {
	mirror := l.group(Free)[len(l.group(OneSided))] // the first reflection
	var all []NamedShape
	for _, p := range shapes {
		all = append(all, p)
		turned := Piece{Lattice: l, Shape: p.Shape, Motions: OneSided}.Orientations()
		image := l.Shape(l.moved(mirror, p.Shape)...)
		if !slices.ContainsFunc(turned, func(s Shape) bool { return slices.Equal(s, image) }) {
			all = append(all, NamedShape{Name: p.Name + "m", Shape: image})
		}
	}
	return all
}

// PieceNames returns the names of all pieces and sets of all lattices, sorted.
func PieceNames() (names []string) {
	for _, l := range lattices {
		names = slices.AppendSeq(names, maps.Keys(l.Sets()))
		for _, p := range l.Named() {
			names = append(names, p.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Named returns the pieces with names, in the order of l.drawn. The caller must not modify them.
func (l *Lattice) Named() []NamedShape {
	l.namedOnce.Do(func() {
		for _, p := range l.drawn {
			cells, _ := l.typedCells(art{strings.Split(p.rows, "/")})
			l.named = append(l.named, NamedShape{Name: p.name, Shape: l.Shape(cells...)})
		}
	})
	return l.named
}

// Sets returns the sets of pieces by name. The caller must not modify the map.
func (l *Lattice) Sets() map[string]PieceSet {
	l.setsOnce.Do(func() { l.sets = l.pieceSets(l) })
	return l.sets
}

func (l *Lattice) freeShapes(n int) []Shape { return l.connected(n, l.group(Free)) }

// connected returns the connected shapes of n > 0 cells, sorted. Of shapes that motions of g map
// to each other, it returns only the least. Redelmeier's method ("Counting polyominoes: yet another
// attack", 1981) makes each shape once. It chooses cells from a list, to which it adds the
// neighbours of each chosen cell. If it skips a cell of the list, it does not choose that cell
// later. The first cell is the least cell of the shape.
func (l *Lattice) connected(n int, g []motion) (all []Shape) {
	var cells, list []Cell // the chosen cells, and the cells from which grow chooses
	met := map[Cell]bool{} // whether a cell is or was in list
	meet := func(c Cell) {
		if !met[c] {
			met[c] = true
			list = append(list, c)
		}
	}
	forget := func(from int) {
		for _, c := range list[from:] {
			delete(met, c)
		}
		list = list[:from]
	}
	// grow chooses each cell of list[from:] in turn, and then calls itself to choose further cells.
	var grow func(from int)
	grow = func(from int) {
		for i := from; i < len(list); i++ {
			cells = append(cells, list[i])
			if len(cells) == n {
				s := l.Shape(cells...)
				less := func(m motion) bool { return compareShapes(l.Shape(l.moved(m, s)...), s) < 0 }
				if !slices.ContainsFunc(g[1:], less) {
					all = append(all, s)
				}
			} else {
				before := len(list)
				for _, step := range l.Steps(list[i]) {
					if c := list[i].Plus(step); compareCells(list[0], c) < 0 {
						meet(c)
					}
				}
				grow(i + 1)
				forget(before)
			}
			cells = cells[:len(cells)-1]
		}
	}
	for _, origin := range []Cell{{}, {0, 0, 1}} {
		if origin != (Cell{}) && l.isTranslation(origin) {
			continue // each shape can be moved so that it begins at Cell{}
		}
		meet(origin)
		grow(0)
		forget(0)
	}
	slices.SortFunc(all, compareShapes)
	return all
}
