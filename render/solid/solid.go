// Package solid makes solid bodies of pieces, and writes STL for printers and glTF for viewers.
//
// # Purpose
//
// A printer wants a closed surface for each piece, made of triangles. [Build] makes the surface
// of any set of cells of any lattice. Cells of a flat lattice are plates of thickness 1, so that
// a hexagon is a prism. The running example, a domino, has ten faces of two triangles each:
//
//	   +-------+-------+
//	  /       /       /|       a face of a cell is on the surface if there is
//	 /       /       / |       no cell of the piece behind it
//	+-------+-------+  |
//	|       |       |  +       z is up, rows go to the front, columns to the right
//	|       |       | /
//	+-------+-------+
//
// # How it works
//
// Each edge of the surface is an edge of exactly two faces. A way around the edge, through the
// cells of the body, leads from one of these faces to the other:
//
//	  face                        . . . . + . . . .       two cells that meet
//	------+     from the face     .       | body  .       only in an edge:
//	 body |     through cells     .       |       .       four faces have this
//	  (   |     to the next face  +-------+-------+       edge, and the way
//	   '->|                       | body  |       .       joins two faces of
//	      | face                  |       |       .       the same cell
//
// Corners of faces that are joined in this way are one vertex. So two cells that meet only in an
// edge or in a corner have different vertices there. If they meet in an edge, the middle of the
// edge moves a little into each cell. Otherwise a reader of STL, which has only the coordinates of
// vertices, would join vertices at the same place.
//
// With a gap, all faces of a piece move inwards by half of the gap, so that printed pieces fit
// together. In the plane, each corner moves to the point where its two moved sides meet. In space
// the faces at a corner can look in opposite directions. So in space each cell is divided at half
// the gap from its faces. A part remains if all cells in which it lies belong to the piece:
//
//	  line 0   1       2   3       4   5        cells 0 and 1 are there:
//	       |   | cell0 |   | cell1 |   |        the parts 1, 2 and 3 stay
//	       |-g-|       |-g-|       |-g-|        part 2k lies in cells k-1 and k,
//	parts    0     1     2     3     4          part 2k+1 the rest of cell k
//
// Plates keep their thickness, since no piece lies on them.
//
// # Non-goals
//
// Faces are not joined into larger faces, and edges are not rounded. This package does not check
// whether a piece can be printed without support, or can be moved to its place.
//
// # Size and cost
//
// Time and memory are linear in the number of faces. A model has at most [MaxTriangles] triangles.
// This is checked before memory is allocated for them. Copies of a piece share their mesh.
//
// # References
//
// 3D Systems, StereoLithography Interface Specification (1989); Khronos Group, glTF 2.0
// Specification (2021), written by github.com/qmuntal/gltf.
package solid

import (
	"errors"
	"fmt"
	"io"

	"github.com/pavage/pavage/tiling"
)

// MaxTriangles is the largest number of triangles of a model, for an STL file of 100 megabytes.
const MaxTriangles = 2_000_000

// ErrTooLarge is wrapped by errors about a model with too many triangles.
var ErrTooLarge = errors.New("the model is too large")

// Mesh is the surface of a body. Each edge of a triangle is also an edge of exactly one other
// triangle, in the opposite direction. Triangles are counter-clockwise as seen from outside.
type Mesh struct {
	Vertices  []Point
	Triangles [][3]int
}

// Point is a place in space or a vector. Coordinates grow to the right, to the back and up.
type Point [3]float64

func (p Point) plus(q Point) Point { return Point{p[0] + q[0], p[1] + q[1], p[2] + q[2]} }

// Minus returns the vector from q to p.
func (p Point) Minus(q Point) Point { return Point{p[0] - q[0], p[1] - q[1], p[2] - q[2]} }

func (p Point) times(f float64) Point { return Point{p[0] * f, p[1] * f, p[2] * f} }

func (p Point) dot(q Point) float64 {
	return float64(p[0]*q[0]) + float64(p[1]*q[1]) + float64(p[2]*q[2])
}

func (p Point) cross(q Point) Point {
	return Point{
		float64(p[1]*q[2]) - float64(p[2]*q[1]),
		float64(p[2]*q[0]) - float64(p[0]*q[2]),
		float64(p[0]*q[1]) - float64(p[1]*q[0]),
	}
}

// Bounds returns the least and the greatest coordinates of the vertices.
func (m *Mesh) Bounds() (least, most Point) {
	least, most = m.Vertices[0], m.Vertices[0]
	for _, v := range m.Vertices {
		for k := range v {
			least[k], most[k] = min(least[k], v[k]), max(most[k], v[k])
		}
	}
	return least, most
}

// Part is a copy of a piece at a place.
type Part struct {
	Name   string
	Mesh   *Mesh
	At     Point      // the place of the origin of the mesh
	Colour [3]float64 // linear red, green and blue, 0..1
}

// Model is a list of parts.
type Model struct {
	Title string
	Scale float64 // millimetres per unit of the meshes
	Parts []Part
}

// Add adds a part to the model.
func (m *Model) Add(p Part) error {
	if n := m.triangles() + len(p.Mesh.Triangles); n > MaxTriangles {
		return fmt.Errorf("%w: the model needs more than %d triangles", ErrTooLarge, MaxTriangles)
	}
	m.Parts = append(m.Parts, p)
	return nil
}

func (m *Model) triangles() (n int) {
	for _, p := range m.Parts {
		n += len(p.Mesh.Triangles)
	}
	return n
}

// ToOrigin moves all parts by the same vector, so that the least coordinates are 0.
func (m *Model) ToOrigin() {
	var least Point
	for i, p := range m.Parts {
		here, _ := p.Mesh.Bounds()
		for k := range here {
			if at := here[k] + p.At[k]; i == 0 || at < least[k] {
				least[k] = at
			}
		}
	}
	for i := range m.Parts {
		m.Parts[i].At = m.Parts[i].At.Minus(least)
	}
}

// Format is a way to write models: a row of the table Formats.
type Format struct {
	Name      string // name in flags and requests
	Extension string // extension of file names, with the dot
	MediaType string // media type in HTTP
	What      string // description of a file
	Write     func(io.Writer, *Model) error
}

// The formats.
var (
	STL = &Format{
		Name: "stl", Extension: ".stl", MediaType: "model/stl", What: "STL (solids for printers)", Write: writeSTL,
	}
	GLTF = &Format{
		Name: "gltf", Extension: ".glb", MediaType: "model/gltf-binary", What: "binary glTF (coloured solids for viewers)", Write: writeGLTF,
	}
)

// Formats are the formats of models.
var Formats = []*Format{STL, GLTF}

// MaxGap returns the widest gap, in sides of a cell: the radius of the largest circle in a cell.
func MaxGap(l *tiling.Lattice) float64 {
	outline := l.Outline(tiling.Cell{})
	a, b := flat(l, outline[0]), flat(l, outline[1])
	var middle Point
	for _, c := range outline {
		middle = middle.plus(flat(l, c).times(1 / float64(len(outline))))
	}
	return -b.Minus(a).cross(middle.Minus(a))[2] // a distance, since |b - a| is 1
}

// Place returns the place of the first corner of a cell's outline, at the bottom of the cell.
func Place(l *tiling.Lattice, c tiling.Cell) Point {
	p := flat(l, l.Outline(c)[0])
	p[2] = float64(c[0])
	return p
}

// flat returns a corner of a cell as a point. Rows go to the front, so Y is negated.
func flat(l *tiling.Lattice, c tiling.Corner) Point {
	x, y := l.Unit()
	return Point{float64(c.X) * x, -float64(c.Y) * y}
}
