package render

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pavage/pavage/render/solid"
	"github.com/pavage/pavage/tiling"
)

// TestSides compares the three sides of random stacks with the nearest of all cubes.
func TestSides(t *testing.T) {
	for seed := range uint64(100) {
		s := mustScene(t, seed)
		if !s.stacked() {
			continue
		}
		for k, v := range s.sideScenes(1) {
			want := slices.Repeat([]int{hole}, len(v.owner))
			nearest := slices.Repeat([]int{-1}, len(v.owner))
			for _, c := range s.puzzle.Board.Cells {
				up, front, right := c[0], c[1], c[2]
				at := [3]tiling.Cell{
					{up, front, right}, {front, s.layers() - 1 - up, right}, {right, s.layers() - 1 - up, s.rows() - 1 - front},
				}[k] // how near, row, column
				place := at[1]*v.columns() + at[2]
				if s.solid(c) && at[0] > nearest[place] {
					nearest[place], want[place] = at[0], s.at(c)
				}
			}
			if !slices.Equal(v.owner, want) {
				t.Fatalf("seed %d, %s: %v, want %v", seed, v.caption, v.owner, want)
			}
		}
	}
}

// TestExploded: layers are so far apart, and all that is placed is placed.
func TestExploded(t *testing.T) {
	for seed := range uint64(50) {
		s := mustScene(t, seed)
		if !s.stacked() {
			if _, err := s.exploded(1); err == nil {
				t.Fatal("the layers of a flat board are lifted")
			}
			continue
		}
		e, err := s.exploded(2)
		if err != nil || e.layers() != 3*s.layers()-2 {
			t.Fatalf("%v, %d layers of %d", err, e.layers(), s.layers())
		}
		for _, c := range s.puzzle.Board.Cells {
			if s.at(c) != e.at(tiling.Cell{3 * c[0], c[1], c[2]}) {
				t.Fatalf("seed %d: cell %v has another owner", seed, c)
			}
		}
	}
}

// TestLying: pieces of Soma lie flat or as low as they can, and are not their mirror images.
func TestLying(t *testing.T) {
	p := inline(t, "3x3x3", "soma")
	for _, piece := range p.Pieces {
		piece.Motions = tiling.OneSided
		all := piece.Orientations()
		piece.Motions = tiling.Free
		got := lying(piece)
		if !slices.ContainsFunc(all, func(o tiling.Shape) bool { return slices.Equal(o, got) }) {
			t.Errorf("%s is turned into its mirror image", piece.Name)
		}
		for _, o := range all {
			top, lowest := o[len(o)-1][0], got[len(got)-1][0]
			if top < lowest || top == lowest && ground(o) > ground(got) {
				t.Errorf("%s lies as %v, want %v", piece.Name, got, o)
			}
		}
	}
}

// TestSpread: parts on a plate are apart and on the ground.
func TestSpread(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for range 50 {
		var parts []solid.Part
		for range 1 + rng.IntN(12) {
			var cells []tiling.Cell
			for c := range 1 + rng.IntN(4) {
				cells = append(cells, tiling.Cell{0, c, c % 2}, tiling.Cell{1, c, 1})
			}
			m, err := solid.Build(tiling.Cube, tiling.Cube.Shape(cells...), 0.1)
			if err != nil {
				t.Fatal(err)
			}
			parts = append(parts, solid.Part{Mesh: m})
		}
		spread(parts)
		for i, p := range parts {
			a, b := p.Mesh.Bounds()
			if math.Abs(a[2]+p.At[2]) > 1e-9 || a[0]+p.At[0] < -1e-9 || a[1]+p.At[1] < -1e-9 {
				t.Fatalf("part %d is at %v", i, p.At)
			}
			for _, q := range parts[:i] {
				c, d := q.Mesh.Bounds()
				apart := func(k int) bool {
					return a[k]+p.At[k] > d[k]+q.At[k]+plateGap-1e-9 || c[k]+q.At[k] > b[k]+p.At[k]+plateGap-1e-9
				}
				if !apart(0) && !apart(1) {
					t.Fatalf("part %d is too near", i)
				}
			}
		}
	}
}

// TestSolid: a tiling and the same one in another order have the same bytes, and a volume of one
// for each cell, on every lattice.
func TestSolid(t *testing.T) {
	for seed := range uint64(40) {
		p, pls := randomScene(rand.New(rand.NewPCG(seed, 4)))
		var one, other bytes.Buffer
		if err := Solid(&one, p, pls, solid.STL, PictureOptions{Cell: 10}); err != nil {
			t.Fatal(err)
		}
		slices.Reverse(pls)
		if err := Solid(&other, p, pls, solid.STL, PictureOptions{Cell: 10}); err != nil || !bytes.Equal(one.Bytes(), other.Bytes()) {
			t.Fatalf("seed %d: error %v, or the order matters", seed, err)
		}
		cells := 0
		for _, pl := range pls {
			cells += len(pl.Cells)
		}
		if len(pls) == 0 {
			cells = len(p.Board.Cells)
		}
		if got := stlVolume(one.Bytes()) / 1000; math.Abs(got-float64(cells)) > 1e-3*float64(cells) {
			t.Fatalf("seed %d: volume of %v cells, want %d", seed, got, cells)
		}
	}
}

func stlVolume(b []byte) (sum float64) {
	for at := 84; at < len(b); at += 50 {
		var v [9]float64
		for k := range v {
			v[k] = float64(math.Float32frombits(binary.LittleEndian.Uint32(b[at+12+4*k:])))
		}
		sum += v[0]*(v[4]*v[8]-v[5]*v[7]) + v[1]*(v[5]*v[6]-v[3]*v[8]) + v[2]*(v[3]*v[7]-v[4]*v[6])
	}
	return sum / 6
}
