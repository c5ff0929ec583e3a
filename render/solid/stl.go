package solid

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
)

const stlHeader = 80

// writeSTL writes a binary file in millimetres: a text of 80 bytes, the number of triangles and,
// for each triangle, 12 numbers of 32 bits (the normal and three corners) and a 0 of 16 bits.
func writeSTL(w io.Writer, m *Model) error {
	out := bufio.NewWriter(w)
	header := make([]byte, stlHeader, stlHeader+4)
	copy(header, fmt.Sprintf("pavage: %d parts, a cell is %g mm wide", len(m.Parts), m.Scale)) // must not begin with "solid", as text files of STL do
	out.Write(binary.LittleEndian.AppendUint32(header, uint32(m.triangles())))
	record := make([]byte, 0, 50)
	for _, p := range m.Parts {
		for _, t := range p.Mesh.Triangles {
			var points [4]Point // the normal, and the corners
			for k, vertex := range t {
				points[k+1] = p.Mesh.Vertices[vertex].plus(p.At).times(m.Scale)
			}
			normal := points[2].Minus(points[1]).cross(points[3].Minus(points[1]))
			points[0] = normal.times(1 / math.Sqrt(normal.dot(normal)))
			record = record[:0]
			for _, point := range points {
				for _, v := range point {
					record = binary.LittleEndian.AppendUint32(record, math.Float32bits(float32(v)+0)) // + 0 changes -0 to 0
				}
			}
			out.Write(append(record, 0, 0))
		}
	}
	return out.Flush() // a bufio.Writer keeps its errors until Flush
}
