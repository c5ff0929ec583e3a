package cover_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pavage/pavage/cover"
)

// TestAllImages: images of many symmetries at once equal the images of each alone, in any order,
// of a group or of a part of a group, and with some there twice.
func TestAllImages(t *testing.T) {
	const side = 4
	p := &cover.Problem{}
	for i := range side * side {
		p.Items = append(p.Items, cover.Item{Min: 1, Max: 1})
		p.Options = append(p.Options, cover.Option{{Item: i, Times: 1}})
	}
	for i := range side * (side - 1) { // the lines of a square: its symmetries and some more
		a := i/(side-1)*side + i%(side-1)
		b := i%(side-1)*side + i/(side-1)
		p.Options = append(p.Options,
			cover.Option{{Item: a, Times: 1}, {Item: a + 1, Times: 1}},
			cover.Option{{Item: b, Times: 1}, {Item: b + side, Times: 1}})
	}
	var group []cover.Symmetry
	for k := range 8 {
		s := make(cover.Symmetry, side*side)
		for i := range s {
			x, y := i%side, i/side
			if k&1 != 0 {
				x = side - 1 - x
			}
			if k&2 != 0 {
				y = side - 1 - y
			}
			if k&4 != 0 {
				x, y = y, x
			}
			s[i] = y*side + x
		}
		group = append(group, s)
	}
	rng := rand.New(rand.NewPCG(1, 16))
	for range 200 {
		var some []cover.Symmetry
		for range rng.IntN(12) {
			some = append(some, group[rng.IntN(len(group))])
		}
		all, err := p.AllImages(t.Context(), some)
		if err != nil || len(all) != len(some) {
			t.Fatal(len(all), err)
		}
		for k, s := range some {
			if want, err := p.Images(s); err != nil || !slices.Equal(all[k], want) {
				t.Fatalf("%v: images %v, want %v (%v)", s, all[k], want, err)
			}
		}
	}
	wrong := slices.Clone(group[3])
	wrong[0], wrong[1] = wrong[1], wrong[0]
	if _, err := p.AllImages(t.Context(), []cover.Symmetry{group[0], group[1], wrong}); err == nil {
		t.Error("a permutation that is no symmetry has images")
	}
}
