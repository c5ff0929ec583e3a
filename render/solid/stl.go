package solid

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
)

// stlHeader is how many bytes of text a file begins with.
const stlHeader = 80

// writeSTL writes a binary file in millimetres: a text, the number of triangles, and for each one its
// normal and its corners as 12 numbers of 32 bits and a word that is 0.
func writeSTL(w io.Writer, m *Model) error {
	out := bufio.NewWriter(w)
	header := make([]byte, stlHeader, stlHeader+4)
	copy(header, fmt.Sprintf("pavage: %d parts, a cell is %g mm wide", len(m.Parts), m.Scale)) // not "solid": that is the other STL
	out.Write(binary.LittleEndian.AppendUint32(header, uint32(m.triangles())))
	record := make([]byte, 0, 50)
	for _, p := range m.Parts {
		for _, t := range p.Mesh.Triangles {
			record = appendTriangle(record[:0], [3]Point{
				p.Mesh.Vertices[t[0]].plus(p.At).times(m.Scale),
				p.Mesh.Vertices[t[1]].plus(p.At).times(m.Scale),
				p.Mesh.Vertices[t[2]].plus(p.At).times(m.Scale),
			})
			out.Write(record)
		}
	}
	return out.Flush() // errors of Write stay until then
}

func appendTriangle(record []byte, corners [3]Point) []byte {
	normal := corners[1].Minus(corners[0]).cross(corners[2].Minus(corners[0]))
	normal = normal.times(1 / math.Sqrt(normal.dot(normal)))
	for _, p := range [4]Point{normal, corners[0], corners[1], corners[2]} {
		for _, v := range p {
			record = binary.LittleEndian.AppendUint32(record, math.Float32bits(float32(v)+0)) // -0 becomes 0
		}
	}
	return append(record, 0, 0)
}
