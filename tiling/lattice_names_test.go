package tiling

import (
	"reflect"
	"slices"
	"testing"
)

// TestDrawnPieces compares the drawn tables with the generator.
func TestDrawnPieces(t *testing.T) {
	for _, test := range []struct {
		*Lattice
		pieces []NamedShape
		most   int // all shapes of 3 to most cells are drawn, if any shape with their number of cells is
	}{{Hexagon, Hexagon.Named(), 4}, {Triangle, Triangle.Named(), 6}} {
		for n := range test.most {
			var drawn []Shape
			for _, p := range test.pieces {
				if len(p.Shape) == n+1 && p.Name != "lozenge" { // a second name of the diamond
					drawn = append(drawn, test.orientations(p.Shape, test.Lattice.group(Free))[0])
				}
			}
			slices.SortFunc(drawn, compareShapes)
			if free := test.freeShapes(n + 1); drawn != nil && !reflect.DeepEqual(drawn, free) {
				t.Errorf("%s: the named pieces of %d cells are %v, want %v", test, n+1, drawn, free)
			}
		}
	}
}

// TestNamesFit: pieces have the symmetries that their names suggest.
func TestNamesFit(t *testing.T) {
	for _, test := range []struct {
		*Lattice
		name, group string
		points      int // number of triangles that point up, minus the number that point down
	}{
		{Hexagon, "bar", "D2", 0},
		{Hexagon, "worm", "C1", 0},
		{Hexagon, "pistol", "C1", 0},
		{Hexagon, "propeller", "D3", 0},
		{Hexagon, "arch", "D1", 0},
		{Hexagon, "bee", "D2", 0},
		{Hexagon, "wave", "C2", 0},
		{Triangle, "bar", "C2", 0},
		{Triangle, "crook", "C1", 0},
		{Triangle, "crown", "D1", 0},
		{Triangle, "sphinx", "C1", 2},
		{Triangle, "snake", "C2", 0},
		{Triangle, "yacht", "C1", 2},
		{Triangle, "chevron", "D1", 0},
		{Triangle, "signpost", "C1", 0},
		{Triangle, "lobster", "D1", 0},
		{Triangle, "hook", "C1", 0},
		{Triangle, "hexagon", "D6", 0},
		{Triangle, "butterfly", "D2", 0},
	} {
		i := slices.IndexFunc(test.Named(), func(p NamedShape) bool { return p.Name == test.name })
		if i < 0 {
			t.Errorf("%s: no %s", test, test.name)
			continue
		}
		s := test.Named()[i].Shape
		var g []motion
		points := 0
		for _, m := range test.Lattice.group(Free) {
			if slices.Equal(test.Shape(test.moved(m, s)...), s) {
				g = append(g, m)
			}
		}
		for _, c := range s {
			points += 1 - 2*odd(c)
		}
		if got := test.groupName(g); got != test.group || test.Lattice == Triangle && max(points, -points) != test.points {
			t.Errorf("%s %s: group %s, points %d, want %s, %d", test, test.name, got, points, test.group, test.points)
		}
	}
}
