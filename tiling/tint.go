package tiling

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
)

// tinted is a shape whose cells may have colours: nil, or as many as cells.
type tinted struct {
	shape   Shape
	colours []int
}

// key is a text that tells shapes with their colours apart. (By fmt.Sprint it took three times as
// long as to make the shape.)
func (t tinted) key() string {
	key := make([]byte, 0, 4*len(t.shape))
	key = binary.AppendUvarint(key, uint64(len(t.shape)))
	for _, c := range t.shape {
		for _, v := range c {
			key = binary.AppendVarint(key, int64(v))
		}
	}
	for _, c := range t.colours {
		key = binary.AppendUvarint(key, uint64(c))
	}
	return string(key)
}

// tint is the shape of the cells, which are distinct, with their colours.
func (l *Lattice) tint(cells []Cell, colours []int) tinted {
	t := tinted{shape: l.Shape(cells...)}
	if colours == nil {
		return t
	}
	// A shape is its cells sorted and then moved, which keeps their order.
	order := make([]int, len(cells))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return compareCells(cells[i], cells[j]) })
	for _, i := range order {
		t.colours = append(t.colours, colours[i])
	}
	return t
}

func compareTinted(a, b tinted) int {
	return cmp.Or(compareShapes(a.shape, b.shape), slices.Compare(a.colours, b.colours))
}

// tints are the distinct images of a shape with its colours under the motions, sorted.
func (l *Lattice) tints(s Shape, colours []int, g []motion) []tinted {
	images := make([]tinted, 0, len(g))
	for _, m := range g {
		images = append(images, l.tint(l.moved(m, s), colours))
	}
	slices.SortFunc(images, compareTinted)
	return slices.CompactFunc(images, func(a, b tinted) bool { return compareTinted(a, b) == 0 })
}

// checkColours checks the colours of so many cells, nil if none has one.
func checkColours(colours []int, cells, known int) error {
	if colours == nil {
		return nil
	}
	if len(colours) != cells {
		return fmt.Errorf("%d colours of %d cells, want one each", len(colours), cells)
	}
	for _, c := range colours {
		if c < 0 || c > known {
			return fmt.Errorf("a cell of colour %d, want a number from 0 to %d", c, known)
		}
	}
	return nil
}
