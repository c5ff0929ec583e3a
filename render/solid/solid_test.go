package solid

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/qmuntal/gltf"
	"github.com/qmuntal/gltf/modeler"

	"github.com/pavage/pavage/tiling"
)

// dominoes is a model of two dominoes and a single cube, with gaps.
func dominoes(t testing.TB) *Model {
	t.Helper()
	m := &Model{Title: "Example", Scale: 20}
	domino := mustBuild(t, tiling.Cube, []tiling.Cell{{0, 0, 0}, {0, 0, 1}}, 0.1)
	one := mustBuild(t, tiling.Cube, []tiling.Cell{{0, 0, 0}}, 0.1)
	for _, p := range []Part{
		{Name: "domino", Mesh: domino, Colour: [3]float64{1, 0.5, 0}},
		{Name: "domino", Mesh: domino, At: Point{0, -1, 0}, Colour: [3]float64{1, 0.5, 0}},
		{Name: "one", Mesh: one, At: Point{0, 0, 1}, Colour: [3]float64{0, 0, 1}},
	} {
		if err := m.Add(p); err != nil {
			t.Fatal(err)
		}
	}
	m.ToOrigin()
	return m
}

func mustBuild(t testing.TB, l *tiling.Lattice, cells []tiling.Cell, gap float64) *Mesh {
	t.Helper()
	m, err := Build(l, cells, gap)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestSTL reads a file by the specification of its format and checks its length, its text, no
// coordinate below 0, the normals, which must agree with the corners, and the volume.
func TestSTL(t *testing.T) {
	var first, second bytes.Buffer
	if err := errors.Join(STL.Write(&first, dominoes(t)), STL.Write(&second, dominoes(t))); err != nil {
		t.Fatal(err)
	}
	b := first.Bytes()
	if !bytes.Equal(b, second.Bytes()) {
		t.Error("two files of one model differ")
	}
	n := int(binary.LittleEndian.Uint32(b[80:]))
	if len(b) != 84+50*n || bytes.HasPrefix(b, []byte("solid")) {
		t.Fatalf("%d bytes for %d triangles, beginning %q", len(b), n, b[:20])
	}
	volume, most := 0.0, Point{}
	for at := 84; at < len(b); at += 50 {
		var p [4]Point
		for k := range 12 {
			v := float64(math.Float32frombits(binary.LittleEndian.Uint32(b[at+4*k:])))
			if p[k/3][k%3] = v; k >= 3 && (v < 0 || math.Signbit(v)) {
				t.Fatalf("a coordinate of %v", v)
			}
		}
		cross := p[2].Minus(p[1]).cross(p[3].Minus(p[1]))
		if off := p[0].Minus(cross.times(1 / math.Sqrt(cross.dot(cross)))); off.dot(off) > 1e-9 || b[at+48] != 0 || b[at+49] != 0 {
			t.Fatalf("normal %v of %v, and %v behind it", p[0], p[1:], b[at+48:at+50])
		}
		volume += p[1].dot(p[2].cross(p[3])) / 6
		for _, q := range p[1:] {
			for k := range q {
				most[k] = max(most[k], q[k])
			}
		}
	}
	if want := 8000 * (5*0.9*0.9*0.9 + 2*0.1*0.9*0.9); math.Abs(volume-want) > 1e-2 {
		t.Errorf("volume %v, want %v", volume, want)
	}
	if want := (Point{38, 38, 38}); most != want {
		t.Errorf("the greatest coordinates are %v, want %v", most, want)
	}
}

// TestGLTF reads a file with the library.
func TestGLTF(t *testing.T) {
	var first, second bytes.Buffer
	if err := errors.Join(GLTF.Write(&first, dominoes(t)), GLTF.Write(&second, dominoes(t))); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Error("two files of one model differ")
	}
	d := new(gltf.Document)
	if err := gltf.NewDecoder(&first).Decode(d); err != nil {
		t.Fatal(err)
	}
	if d.Asset.Version != "2.0" || len(d.Scenes) != 1 || len(d.Scenes[0].Nodes) != 3 || len(d.Nodes) != 3 || len(d.Meshes) != 2 || len(d.Materials) != 2 || len(d.Accessors) != 4 {
		t.Fatalf("version %s, %d nodes, %d meshes, %d materials, %d accessors", d.Asset.Version, len(d.Nodes), len(d.Meshes), len(d.Materials), len(d.Accessors))
	}
	if n := d.Nodes[0]; n.Name != "domino" || *n.Mesh != *d.Nodes[1].Mesh || math.Abs(n.Translation[2]-d.Nodes[1].Translation[2]+0.02) > 1e-9 {
		t.Errorf("dominoes %+v and %+v, want one mesh, and the second to be 20 mm further to the front", n, d.Nodes[1])
	}
	if up := d.Nodes[2].Translation[1] - d.Nodes[0].Translation[1]; math.Abs(up-0.02) > 1e-9 {
		t.Errorf("the cube is %v m above, want 0.02", up)
	}
	m := d.Materials[0].PBRMetallicRoughness
	if *m.BaseColorFactor != [4]float64{1, 0.5, 0, 1} || *m.MetallicFactor != 0 {
		t.Errorf("material %+v", m)
	}
	volume := 0.0
	for _, n := range d.Nodes {
		p := d.Meshes[*n.Mesh].Primitives[0]
		at, err := modeler.ReadPosition(d, d.Accessors[p.Attributes[gltf.POSITION]], nil)
		if err != nil {
			t.Fatal(err)
		}
		indices, err := modeler.ReadIndices(d, d.Accessors[*p.Indices], nil)
		if err != nil {
			t.Fatal(err)
		}
		mesh := &Mesh{}
		for _, v := range at {
			mesh.add(Point{float64(v[0]), float64(v[1]), float64(v[2])}.times(50))
		}
		for k := 0; k < len(indices); k += 3 {
			mesh.Triangles = append(mesh.Triangles, [3]int{int(indices[k]), int(indices[k+1]), int(indices[k+2])})
		}
		checkClosed(t, n.Name, mesh)
		volume += mesh.volume()
	}
	if want := 5*0.9*0.9*0.9 + 2*0.1*0.9*0.9; math.Abs(volume-want) > 1e-4 {
		t.Errorf("volume %v, want %v: is the inside out?", volume, want)
	}
}

// TestLimits: nothing is made of too many cells, and no model of too many triangles.
func TestLimits(t *testing.T) {
	if _, err := Build(tiling.Square, make([]tiling.Cell, MaxTriangles/30), 0); !errors.Is(err, ErrTooLarge) {
		t.Errorf("many cells: %v", err)
	}
	for _, gap := range []float64{-0.1, 0.51, math.NaN(), math.Inf(1)} {
		if _, err := Build(tiling.Cube, []tiling.Cell{{}}, gap); err == nil {
			t.Errorf("no error for a gap of %v", gap)
		}
	}
	m := &Model{}
	big := &Mesh{Triangles: make([][3]int, MaxTriangles/2)}
	if err := errors.Join(m.Add(Part{Mesh: big}), m.Add(Part{Mesh: big})); err != nil {
		t.Error(err)
	}
	if err := m.Add(Part{Mesh: &Mesh{Triangles: make([][3]int, 1)}}); !errors.Is(err, ErrTooLarge) {
		t.Errorf("a triangle too many: %v", err)
	}
}

// TestOrderOfCells: the same cells in any order have the same surface.
func TestOrderOfCells(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for round := range 40 {
		l := lattices[round%len(lattices)]
		cells := randomCells(rng, l)
		a := mustBuild(t, l, cells, 0)
		rng.Shuffle(len(cells), func(i, j int) { cells[i], cells[j] = cells[j], cells[i] })
		b := mustBuild(t, l, cells, 0)
		var one, other bytes.Buffer
		if err := errors.Join(
			STL.Write(&one, &Model{Scale: 1, Parts: []Part{{Mesh: a}}}), STL.Write(&other, &Model{Scale: 1, Parts: []Part{{Mesh: b}}}),
		); err != nil || !bytes.Equal(one.Bytes(), other.Bytes()) {
			t.Fatalf("%s, %v: two surfaces, %v", l, cells, err)
		}
	}
}

// TestBounds: a bar of three cells with a gap is as long as it should be, on every lattice.
func TestBounds(t *testing.T) {
	for _, c := range []struct {
		lattice *tiling.Lattice
		size    Point
	}{
		{tiling.Square, Point{3 - 0.1, 1 - 0.1, 1}},
		{tiling.Cube, Point{3 - 0.1, 1 - 0.1, 1 - 0.1}},
		{tiling.Hexagon, Point{3*math.Sqrt(3) - 0.1, 2 - 0.1*2/math.Sqrt(3), 1}},
		{tiling.Triangle, Point{2 - 0.1*math.Sqrt(3), math.Sqrt(3)/2 - 0.1, 1}},
	} {
		least, most := mustBuild(t, c.lattice, []tiling.Cell{{0, 0, 0}, {0, 0, 1}, {0, 0, 2}}, 0.1).Bounds()
		if off := most.Minus(least).Minus(c.size); off.dot(off) > 1e-12 {
			t.Errorf("%s: %v, want %v", c.lattice, most.Minus(least), c.size)
		}
	}
}
