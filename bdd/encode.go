package bdd

import (
	"bufio"
	"context"
	le "encoding/binary"
	"errors"
	"io"
	"math/bits"
)

// Format of a diagram, version 1. Numbers of fixed size are little endian. A varint has seven bits
// in each byte, the lowest seven bits first, and the smallest possible number of bytes.
//
//	0   "PAVAGEdd"
//	8   version, 4 bytes
//	12  variables, 4 bytes
//	16  nodes, 4 bytes, terminals included
//	20  root, 4 bytes: the last node, or a terminal if there are no others
//	24  size of the directory in bytes, 8 bytes
//	32  directory: for each variable, the highest first,
//	        varint: the number of its nodes; if it is 0, the next byte is left out
//	        1 byte: the number of bytes of hi, 0..4, + 16 × the number of bytes of lo, 0..4
//	    nodes: for each variable, the highest first, its nodes in their order:
//	        hi   0: ⊤   c: node f-c, where f is the variable's first node
//	        lo   0: ⊥   1: ⊤   c: node f-(c-1)
//
// For all nodes of a variable, hi has the number of bytes that the largest hi needs, and lo has the
// number of bytes that the largest lo needs. So a diagram has exactly one encoding, and the offset
// of a node can be computed. A hi is never ⊥, so ⊥ needs no code there. A child is written as a
// distance, because most distances are small: 8x8 dominoes need 2.3 bytes for each node.
//
// The encoding has no checksum: the program that stores the bytes must add one.
const (
	encodingMagic   = "PAVAGEdd"
	encodingVersion = 1
	headerBytes     = 32

	// maxEntry is the largest size of the entry of a variable in the directory, in bytes.
	maxEntry   = 6
	chunkBytes = 1 << 16
)

var (
	// ErrEncoding is wrapped by [NewMapped] and methods of [Mapped] if bytes are no valid diagram.
	ErrEncoding = errors.New("decision diagram: wrong bytes")
	// ErrVersion is wrapped by [NewMapped] when the version of the bytes is unknown.
	ErrVersion = errors.New("decision diagram: unknown version")
)

// hiCode and loCode return the codes of the children of a node. first is the first node that has
// the variable of this node.
func hiCode(first, hi uint32) uint32 {
	if hi == Top {
		return 0
	}
	return first - hi
}

func loCode(first, lo uint32) uint32 {
	if lo <= Top {
		return lo
	}
	return first + 1 - lo
}

// hiOf and loOf return the child that a code stands for. ok is false if the code is too large.
func hiOf(first, code uint32) (hi uint32, ok bool) {
	if code == 0 {
		return Top, true
	}
	return first - code, code <= first-2
}

func loOf(first, code uint32) (lo uint32, ok bool) {
	if code <= Top {
		return code, true
	}
	return first + 1 - code, code < first
}

type record struct{ hi, lo uint8 } // numbers of bytes of hi and lo

func (r record) bytes() int   { return int(r.hi) + int(r.lo) }
func (r record) byte() byte   { return r.hi | r.lo<<4 }
func recordOf(b byte) record  { return record{b & 15, b >> 4} }
func (r record) masks() masks { return masks{1<<(8*r.hi) - 1, 1<<(8*r.lo) - 1, 8 * r.hi} }

func narrowest(hi, lo uint32) record { return record{bytesOf(hi), bytesOf(lo)} }

func bytesOf(n uint32) uint8 { return uint8(bits.Len32(n)+7) / 8 }

type masks struct {
	hi, lo uint64
	shift  uint8
}

func (m masks) split(word uint64) (hi, lo uint32) {
	return uint32(word & m.hi), uint32(word >> m.shift & m.lo)
}

func (m masks) join(hi, lo uint32) uint64 { return uint64(hi) | uint64(lo)<<m.shift }

// Encode writes the diagram in the format that [NewMapped] reads. The error is from w or ctx.
func (d *Diagram) Encode(ctx context.Context, w io.Writer) error {
	directory := make([]byte, 0, 2*d.Vars())
	var records []record // for each variable with nodes, the highest first
	for v := d.Vars() - 1; v >= 0; v-- {
		first, end := d.Nodes(v)
		directory = le.AppendUvarint(directory, uint64(end-first))
		if first == end {
			continue
		}
		var hi, lo uint32
		for n := first; n < end; n++ {
			if n%pollEvery == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			hi, lo = max(hi, hiCode(first, d.hi[n])), max(lo, loCode(first, d.lo[n]))
		}
		r := narrowest(hi, lo)
		records, directory = append(records, r), append(directory, r.byte())
	}
	header := append(make([]byte, 0, headerBytes), encodingMagic...)
	for _, n := range []uint32{encodingVersion, uint32(d.Vars()), uint32(d.Size()), d.root} {
		header = le.LittleEndian.AppendUint32(header, n)
	}
	header = le.LittleEndian.AppendUint64(header, uint64(len(directory)))
	out := bufio.NewWriterSize(w, chunkBytes) // Flush returns the first error of all writes
	out.Write(header)
	out.Write(directory)
	for v := d.Vars() - 1; v >= 0; v-- {
		first, end := d.Nodes(v)
		if first == end {
			continue
		}
		m, size := records[0].masks(), records[0].bytes()
		records = records[1:]
		for n := first; n < end; n++ {
			if n%pollEvery == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			word := m.join(hiCode(first, d.hi[n]), loCode(first, d.lo[n]))
			out.Write(le.LittleEndian.AppendUint64(out.AvailableBuffer(), word)[:size])
		}
	}
	return out.Flush()
}
