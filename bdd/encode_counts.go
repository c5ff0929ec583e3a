package bdd

import (
	"bufio"
	"context"
	le "encoding/binary"
	"io"

	"github.com/pavage/pavage/internal/engine/limb"
)

// Format of the counts of the nodes of a diagram, which are separate from the bytes of the diagram:
//
//	0   size of the directory in bytes, 8 bytes
//	8   directory: for each variable that has nodes, the highest first,
//	        varint: the number of bytes of each of its counts
//	    counts: for each of these variables, in the same order, the counts of its nodes
//	        in their order, the lowest byte first
//
// The counts of a variable have the number of bytes that the largest of them needs. (The counts of
// the 19.6 million nodes for dominoes and trominoes on 11x11 need 7 bytes for each node.)

const countsHeader = 8

// EncodeCounts writes the counts, without weights, of the nodes of d. The error is from w or ctx.
func (d *Diagram) EncodeCounts(ctx context.Context, c *Counts, w io.Writer) error {
	var widths []int // for each variable with nodes, the highest first
	var directory []byte
	for v := d.Vars() - 1; v >= 0; v-- {
		first, end := d.Nodes(v)
		if first == end {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		s := c.steps[c.step(first)]
		width := (limb.BitLength(c.limbs[s.base+int(first)*s.width:s.base+int(end)*s.width], s.width) + 7) / 8
		widths, directory = append(widths, width), le.AppendUvarint(directory, uint64(width))
	}
	out := bufio.NewWriterSize(w, chunkBytes) // Flush returns the first error of all writes
	out.Write(le.LittleEndian.AppendUint64(nil, uint64(len(directory))))
	out.Write(directory)
	for v := d.Vars() - 1; v >= 0; v-- {
		first, end := d.Nodes(v)
		if first == end {
			continue
		}
		for n := first; n < end; n++ {
			if n%pollEvery == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			b := out.AvailableBuffer()
			for _, l := range c.Limbs(n) {
				b = le.LittleEndian.AppendUint64(b, l)
			}
			for len(b) < widths[0] {
				b = append(b, 0)
			}
			out.Write(b[:widths[0]])
		}
		widths = widths[1:]
	}
	return out.Flush()
}
