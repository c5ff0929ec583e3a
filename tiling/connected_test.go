package tiling

import (
	"reflect"
	"slices"
	"testing"

	"github.com/pavage/pavage/internal/test/testkit"
)

// TestConnectedShapes compares with a slow method, on all lattices, and with published counts (OEIS
// A000105, A000988, A001168, A000228, A000577, A000162).
func TestConnectedShapes(t *testing.T) {
	for _, l := range lattices {
		for _, motions := range []Motions{Free, OneSided, Fixed} {
			g := l.group(motions)
			grown := []Shape{l.Shape(Cell{})}
			if motions != Free {
				grown = l.connected(1, g) // a triangle points up or down
			}
			for n := 1; n <= testkit.Size(6, 5); n++ {
				if got := l.connected(n, g); !reflect.DeepEqual(got, grown) {
					t.Errorf("%s, %s: %d shapes of %d cells, want %d", l, motions, len(got), n, len(grown))
				}
				grown = l.largerShapes(grown, g)
			}
		}
	}
	for _, c := range []struct {
		l       *Lattice
		motions Motions
		counts  []int // of 1 cell, 2 cells and so on
	}{
		{Square, Free, []int{1, 1, 2, 5, 12, 35, 108, 369, 1285}},
		{Square, OneSided, []int{1, 1, 2, 7, 18, 60, 196, 704}},
		{Square, Fixed, []int{1, 2, 6, 19, 63, 216, 760, 2725}},
		{Hexagon, Free, []int{1, 1, 3, 7, 22, 82, 333}},
		{Triangle, Free, []int{1, 1, 1, 3, 4, 12, 24, 66, 160, 448}},
		{Cube, OneSided, []int{1, 1, 2, 8, 29, 166}},
	} {
		for i, want := range c.counts {
			if got := len(c.l.connected(i+1, c.l.group(c.motions))); got != want {
				t.Errorf("%s, %s: %d shapes of %d cells, want %d", c.l, c.motions, got, i+1, want)
			}
		}
	}
}

// largerShapes are the shapes that have a cell more, up to the motions, each by its least
// image, sorted.
func (l *Lattice) largerShapes(shapes []Shape, g []motion) []Shape {
	var next []Shape
	for _, s := range shapes {
		for _, c := range s {
			for _, step := range l.Steps(c) {
				if beside := c.Plus(step); !slices.Contains(s, beside) {
					next = append(next, l.orientations(l.Shape(append(slices.Clone(s), beside)...), g)[0])
				}
			}
		}
	}
	slices.SortFunc(next, compareShapes)
	return slices.CompactFunc(next, slices.Equal[Shape])
}
