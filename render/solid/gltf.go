package solid

import (
	"fmt"
	"io"

	"github.com/qmuntal/gltf"
	"github.com/qmuntal/gltf/modeler"
)

// writeGLTF writes a binary glTF in metres: (x, y, z) becomes (x, z, -y). Parts with the same mesh
// share its data. Parts with the same name and colour share a material.
func writeGLTF(w io.Writer, m *Model) error {
	d := &document{Document: gltf.NewDocument(), scale: m.Scale / 1000, surfaces: map[*Mesh]gltf.Primitive{}, materials: map[material]int{}, meshes: map[meshKey]int{}}
	d.Asset.Generator = "pavage"
	d.Scenes[0].Name = m.Title
	for _, p := range m.Parts {
		at := d.turned(p.At)
		d.Scenes[0].Nodes = append(d.Scenes[0].Nodes, len(d.Nodes))
		d.Nodes = append(d.Nodes, &gltf.Node{Name: p.Name, Mesh: gltf.Index(d.mesh(p)), Translation: at})
	}
	if err := gltf.NewEncoder(w).Encode(d.Document); err != nil {
		return fmt.Errorf("glTF: %w", err)
	}
	return nil
}

type material struct {
	name   string
	colour [3]float64
}

type meshKey struct {
	material
	mesh *Mesh
}

type document struct {
	*gltf.Document
	scale     float64 // metres per unit
	surfaces  map[*Mesh]gltf.Primitive
	materials map[material]int
	meshes    map[meshKey]int
}

func (d *document) turned(p Point) [3]float64 {
	// + 0 changes -0 to 0
	return [3]float64{p[0] * d.scale, p[2] * d.scale, -p[1]*d.scale + 0}
}

func (d *document) mesh(p Part) int {
	key := meshKey{material{p.Name, p.Colour}, p.Mesh}
	if n, known := d.meshes[key]; known {
		return n
	}
	surface := d.surface(p.Mesh)
	if _, known := d.materials[key.material]; !known {
		d.materials[key.material] = len(d.Materials)
		colour := [4]float64{p.Colour[0], p.Colour[1], p.Colour[2], 1}
		d.Materials = append(d.Materials, &gltf.Material{Name: p.Name, PBRMetallicRoughness: &gltf.PBRMetallicRoughness{
			BaseColorFactor: &colour,
			MetallicFactor:  gltf.Float(0),
			RoughnessFactor: gltf.Float(0.8),
		}})
	}
	surface.Material = gltf.Index(d.materials[key.material])
	d.meshes[key] = len(d.Meshes)
	d.Meshes = append(d.Meshes, &gltf.Mesh{Name: p.Name, Primitives: []*gltf.Primitive{&surface}})
	return d.meshes[key]
}

func (d *document) surface(m *Mesh) gltf.Primitive {
	if s, known := d.surfaces[m]; known {
		return s
	}
	positions, indices := make([][3]float32, len(m.Vertices)), make([]uint32, 0, 3*len(m.Triangles))
	for i, v := range m.Vertices {
		for k, x := range d.turned(v) {
			positions[i][k] = float32(x)
		}
	}
	for _, t := range m.Triangles {
		indices = append(indices, uint32(t[0]), uint32(t[1]), uint32(t[2]))
	}
	s := gltf.Primitive{
		Indices:    gltf.Index(modeler.WriteIndices(d.Document, indices)),
		Attributes: gltf.PrimitiveAttributes{gltf.POSITION: modeler.WritePosition(d.Document, positions)},
	}
	d.surfaces[m] = s
	return s
}
