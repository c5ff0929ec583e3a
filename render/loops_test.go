package render

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/pavage/pavage/render/pen"
	"github.com/pavage/pavage/tiling"
)

// packed lays random dominoes on a board of rows and columns until no more fit, or most of them.
func packed(r *rand.Rand, rows, cols, most int) (t []tiling.Placement) {
	taken := make([]bool, rows*cols)
	for _, k := range r.Perm(2 * rows * cols) {
		a := k / 2
		b := a + 1
		if k%2 == 1 {
			b = a + cols
		}
		if k%2 == 0 && b%cols == 0 || b >= rows*cols || taken[a] || taken[b] || len(t) == most {
			continue
		}
		taken[a], taken[b] = true, true
		t = append(t, tiling.Placement{Cells: []int{a, b}})
	}
	return t
}

// TestLoops: along each loop the placements are of the two tilings in turn, a path ends where only
// one tiling covers a cell, and each placement is in one loop or pair.
func TestLoops(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		rows, cols := 1+r.IntN(5), 1+r.IntN(5)
		var by [2]map[[2]int]bool
		var both [2][]tiling.Placement
		for k := range both {
			both[k], by[k] = packed(r, rows, cols, r.IntN(14)), map[[2]int]bool{}
			for _, pl := range both[k] {
				by[k][[2]int(pl.Cells)] = true
			}
		}
		l, err := newLoops(rows*cols, both[0], both[1])
		if err != nil {
			t.Fatal(err)
		}
		placements := 2 * len(l.pairs)
		for _, pair := range l.pairs {
			if !by[0][pair] || !by[1][pair] {
				t.Fatalf("%v: no pair %v", both, pair)
			}
		}
		for k, cells := range l.cells {
			steps := len(cells)
			if l.open[k] {
				steps--
			}
			placements += steps
			if k > 0 && len(cells) > len(l.cells[k-1]) || !l.open[k] && (steps < 4 || steps%2 > 0) {
				t.Fatalf("%v: loop %d of %d cells", both, k, len(cells))
			}
			for i := range steps {
				a, b := cells[i], cells[(i+1)%len(cells)]
				step := [2]int{min(a, b), max(a, b)}
				first := by[0][[2]int{min(cells[0], cells[1]), max(cells[0], cells[1])}]
				if tiling := i % 2; !by[tiling][step] && first || !by[1-tiling][step] && !first || by[0][step] && by[1][step] {
					t.Fatalf("%v: loop %v takes step %v", both, cells, step)
				}
			}
			ends := []int{cells[0], cells[len(cells)-1]}
			for i, c := range cells {
				covered := 0
				for _, t := range both {
					for _, pl := range t {
						if slices.Contains(pl.Cells, c) {
							covered++
						}
					}
				}
				if l.of[c] != k || covered != 2 && !(l.open[k] && covered == 1 && slices.Contains(ends, c)) {
					t.Fatalf("%v: cell %d of loop %v is covered %d times", both, i, cells, covered)
				}
			}
		}
		if placements != len(both[0])+len(both[1]) {
			t.Fatalf("%v: %d placements in loops and pairs", both, placements)
		}
	}
}

// TestDouble: the picture of two tilings is the file's, and one of few pixels a cell has areas.
func TestDouble(t *testing.T) {
	p := inline(t, "2x4", "domino=any")
	lay := func(cells ...[]int) (all []tiling.Placement) {
		for _, c := range cells {
			all = append(all, tiling.Placement{Cells: c})
		}
		return all
	}
	tilings := [][]tiling.Placement{
		lay([]int{0, 1}, []int{4, 5}, []int{2, 6}, []int{3, 7}),
		lay([]int{0, 4}, []int{1, 5}, []int{2, 6}, []int{3, 7}),
	}
	for _, f := range []*Format{FormatOf("svg"), FormatOf("sheet")} {
		var out bytes.Buffer
		w := f.Begin(&out, p, Options{Picture: PictureOptions{Double: true}})
		for _, one := range tilings {
			if err := w.Add(Tiling{Placements: one}); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		const file = "testdata/double.svg"
		if *update {
			if err := os.WriteFile(file, out.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if want, err := os.ReadFile(file); err != nil || !bytes.Equal(out.Bytes(), want) {
			t.Errorf("%s: not the bytes of %s (%v):\n%s", f.Name, file, err, out.Bytes())
		}
	}
	var out bytes.Buffer
	if err := Sheet(&out, p, tilings, PictureOptions{Double: true, Format: pen.PNG, Cell: 4}); err != nil {
		t.Fatal(err)
	}
	picture := decodedPNG(t, out.Bytes())
	if loop, pair := picture.At(3, 3), picture.At(11, 3); loop != rgba(hues[0]) || pair != rgba(faint) {
		t.Errorf("a loop of colour %v, a pair of colour %v", loop, pair)
	}
	pentominoes := inline(t, "1x5", "I5=any")
	bar := lay([]int{0, 1, 2, 3, 4})
	solid := inline(t, "3x3x3", "soma")
	for _, c := range []struct {
		p    *tiling.Puzzle
		t    [][]tiling.Placement
		o    PictureOptions
		want string
	}{
		{p, tilings[:1], PictureOptions{}, "loops need pairs of tilings, but the number of tilings is 1"},
		{p, tilings, PictureOptions{ColorBy: byKind}, "chosen colours"},
		{p, tilings, PictureOptions{Heights: true}, "cannot have heights"},
		{pentominoes, [][]tiling.Placement{bar, bar}, PictureOptions{}, "a piece has 5 cells, but a picture of two tilings needs pieces of two cells"},
		{solid, [][]tiling.Placement{lay([]int{0, 1}), lay([]int{0, 1})}, PictureOptions{}, "drawn only on flat boards"},
	} {
		c.o.Double = true
		if err := Sheet(&out, c.p, c.t, c.o); !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}
