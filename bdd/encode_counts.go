package bdd

import (
	"context"
	le "encoding/binary"
	"io"
	"math/bits"
)

// The numbers of sets of a diagram's nodes as bytes, beside the bytes of the diagram:
//
//	0   bytes of the directory, 8 bytes
//	8   directory: for each variable that has nodes, the highest first,
//	        varint: how many bytes each of its counts takes
//	    counts: for each of these variables, in the same order, those of its nodes in
//	        their order, the lowest byte first
//
// The counts of a variable take as few bytes as its largest needs. So there is one encoding,
// and as with the nodes the place of each count is known once the directory is read. Of the
// 19.6 million nodes of dominoes and trominoes on 11x11 the counts take 7 bytes each.

// countsHeader is the length of what comes before the directory of counts.
const countsHeader = 8

// EncodeCounts writes the counts of the diagram's nodes, which are counts without weights. Its
// errors are those of w and ctx.
func (d *Diagram) EncodeCounts(ctx context.Context, c *Counts, w io.Writer) error {
	var widths []int // of variables with nodes, from the highest down
	var directory []byte
	for v := d.Vars() - 1; v >= 0; v-- {
		first, end := d.Nodes(v)
		if first == end {
			continue
		}
		width, err := c.bytesOf(ctx, first, end)
		if err != nil {
			return err
		}
		widths, directory = append(widths, width), le.AppendUvarint(directory, uint64(width))
	}
	header := le.LittleEndian.AppendUint64(nil, uint64(len(directory)))
	if _, err := w.Write(append(header, directory...)); err != nil {
		return err
	}
	chunk := make([]byte, 0, chunkBytes)
	for v := d.Vars() - 1; v >= 0; v-- {
		first, end := d.Nodes(v)
		if first == end {
			continue
		}
		for n := first; n < end; n++ {
			if len(chunk)+8*len(c.Limbs(n)) > chunkBytes {
				if err := flush(ctx, w, &chunk); err != nil {
					return err
				}
			}
			chunk = appendNumber(chunk, c.Limbs(n), widths[0])
		}
		widths = widths[1:]
	}
	return flush(ctx, w, &chunk)
}

// bytesOf is how many bytes the largest count of some nodes needs.
func (c *Counts) bytesOf(ctx context.Context, first, end uint32) (int, error) {
	most := 0
	for n := first; n < end; n++ {
		if n%pollEvery == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		limbs := c.Limbs(n)
		for k := len(limbs) - 1; k >= 0 && 8*k+8 > most; k-- {
			if limbs[k] != 0 {
				most = max(most, 8*k+(bits.Len64(limbs[k])+7)/8)
				break
			}
		}
	}
	return most, nil
}

// appendNumber appends so many bytes of a number, which are all that are not 0.
func appendNumber(b []byte, limbs []uint64, bytes int) []byte {
	at := len(b)
	for _, l := range limbs {
		b = le.LittleEndian.AppendUint64(b, l)
	}
	for len(b) < at+bytes {
		b = append(b, 0)
	}
	return b[:at+bytes]
}
