package bdd

import (
	"bufio"
	"context"
	le "encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/big"

	"github.com/pavage/pavage/internal/engine/limb"
)

// Region is bytes that can be read in any order, such as a section of a file. An error of
// ReadAt means that what was asked for cannot be believed.
type Region interface {
	io.ReaderAt
	Size() int64
}

// Mapped is a diagram with its counts that stays where it is encoded. Opening reads the
// directories; a walk reads the nodes and counts on its way, and nothing else:
//
//	directory: variable 3 has the nodes 17 to 40 ─┐ from byte 96, 3 bytes each
//	                                              ▼
//	… │ node 17 │ node 18 │ node 19 │ …    node 19 lies at byte 96 + 2·3
//
// What is read is checked as far as it can be: children lie below their node, a walk ends
// in ⊤ with no rank left over. That nodes rise and counts are sums is seen by [Decode] and
// by counting again. So bytes that somebody made up can give a wrong set, but no
// walk without an end and no panic.
type Mapped struct {
	root   uint32
	offset []uint32 // as a Diagram's
	places []place  // by variable
	nodes  Region
	counts Region
	width  int
	count  *big.Int
}

// place says where the nodes and counts of a variable lie.
type place struct {
	record
	counts         uint32 // bytes of each count
	nodesAt, numAt int64
}

var _ Counted = (*Mapped)(nil)

// NewMapped reads the directories of a diagram that [Diagram.Encode] wrote and of the counts
// that [Diagram.EncodeCounts] wrote. Its errors are those of [Decode], or the regions'. A Mapped
// takes some thirty bytes for each variable.
func NewMapped(ctx context.Context, diagram, counts Region) (*Mapped, error) {
	d := &decoder{ctx: ctx, from: bufio.NewReaderSize(io.NewSectionReader(diagram, 0, diagram.Size()), 1<<12)}
	if err := d.header(); err != nil {
		return nil, err
	}
	if err := d.directory(); err != nil {
		return nil, err
	}
	m := &Mapped{root: d.root, offset: d.offset, places: make([]place, d.vars), nodes: diagram, counts: counts, width: 1}
	at := headerBytes + d.bytes
	for v := d.vars - 1; v >= 0; v-- {
		r := recordOf(d.records[d.vars-1-v])
		m.places[v] = place{record: r, nodesAt: at}
		at += int64(r.bytes()) * int64(m.offset[v]-m.offset[v+1])
	}
	if at != diagram.Size() {
		return nil, fmt.Errorf("%w: they are %d, want %d", ErrEncoding, diagram.Size(), at)
	}
	if err := m.readWidths(ctx); err != nil {
		return nil, err
	}
	count, err := m.walk().number(0, m.root)
	if err != nil {
		return nil, err
	}
	m.count = limb.Int(count)
	return m, nil
}

// readWidths reads the directory of the counts.
func (m *Mapped) readWidths(ctx context.Context) error {
	d := &decoder{ctx: ctx, from: io.NewSectionReader(m.counts, 0, m.counts.Size())}
	b := make([]byte, countsHeader)
	if err := d.read(b); err != nil {
		return err
	}
	length := le.LittleEndian.Uint64(b)
	if most := maxEntry * uint64(len(m.places)); length > most {
		return d.wrong("a directory of counts of %d bytes, want at most %d", length, most)
	}
	d.from = io.LimitReader(d.from, int64(length))
	in := bufio.NewReaderSize(d.from, int(min(length, chunkBytes)))
	at := countsHeader + int64(length)
	for v := len(m.places) - 1; v >= 0; v-- {
		nodes := int64(m.offset[v] - m.offset[v+1])
		if nodes == 0 {
			continue
		}
		width, err := d.varint(in)
		// A family of so many variables has at most 2 to the power of that many sets.
		if most := uint64(len(m.places)-v)/8 + 1; err == nil && (width == 0 || width > most) {
			err = d.wrong("counts of variable %d have %d bytes, want 1 to %d", v, width, most)
		}
		if err != nil {
			return err
		}
		m.places[v].counts, m.places[v].numAt = uint32(width), at
		m.width = max(m.width, int(width+7)/8)
		at += nodes * int64(width)
		if at > m.counts.Size() {
			break // told below
		}
	}
	if d.at != countsHeader+int64(length) || at != m.counts.Size() {
		return fmt.Errorf("%w: %d bytes of counts, want %d", ErrEncoding, m.counts.Size(), at)
	}
	return nil
}

// Vars is the number of variables.
func (m *Mapped) Vars() int { return len(m.places) }

// Size is the number of nodes, terminals included.
func (m *Mapped) Size() int { return int(m.offset[0]) }

// Width is the number of limbs of the widest count.
func (m *Mapped) Width() int { return m.width }

// Bytes implements Counted: what lies in the regions is not in it.
func (m *Mapped) Bytes() int64 { return 24*int64(cap(m.places)) + 4*int64(cap(m.offset)) }

// Count implements Counted.
func (m *Mapped) Count() *big.Int { return new(big.Int).Set(m.count) }

// Unrank implements Counted.
func (m *Mapped) Unrank(r []uint64, set []int) ([]int, error) {
	w, v := m.walk(), 0
	for n := m.root; n > Top; {
		v = varFrom(m.offset, v, n)
		hi, lo, err := w.node(v, n)
		if err != nil {
			return nil, err
		}
		below, err := w.number(v, lo)
		if err != nil {
			return nil, err
		}
		if n = lo; limb.Take(r, below) {
			set, n = append(set, v), hi
		}
	}
	if limb.BitLength(r, len(r)) > 0 {
		return nil, w.wrong("the counts are not those of the nodes")
	}
	return set, nil
}

// Rank implements Counted.
func (m *Mapped) Rank(set []int) (*big.Int, error) {
	w, rank, v, n := m.walk(), make([]uint64, m.width), 0, m.root
	for n > Top {
		v = varFrom(m.offset, v, n)
		hi, lo, err := w.node(v, n)
		switch {
		case err != nil:
			return nil, err
		case len(set) == 0 || set[0] > v:
			n = lo
			continue
		case set[0] < v:
			return nil, ErrMember // no set below has this variable
		}
		below, err := w.number(v, lo)
		if err != nil {
			return nil, err
		}
		if limb.Add(rank, below) != 0 {
			return nil, w.wrong("the counts are not those of the nodes")
		}
		set, n = set[1:], hi
	}
	if n != Top || len(set) > 0 {
		return nil, ErrMember
	}
	return limb.Int(rank), nil
}

// mappedWalk is where a walk reads to.
type mappedWalk struct {
	m     *Mapped
	word  [8]byte
	bytes []byte
	limbs []uint64
}

func (m *Mapped) walk() *mappedWalk {
	return &mappedWalk{m: m, bytes: make([]byte, 8*m.width), limbs: make([]uint64, m.width)}
}

// wrong is an error about what a walk has read.
func (w *mappedWalk) wrong(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrEncoding, fmt.Sprintf(format, args...))
}

// node reads the children of node n of variable v.
func (w *mappedWalk) node(v int, n uint32) (hi, lo uint32, err error) {
	p, first := &w.m.places[v], w.m.offset[v+1]
	size := p.bytes()
	if err := w.read(w.m.nodes, w.word[:size], p.nodesAt+int64(n-first)*int64(size)); err != nil {
		return 0, 0, err
	}
	codeHi, codeLo := p.masks().split(le.LittleEndian.Uint64(w.word[:]))
	hi, okHi := hiOf(first, codeHi)
	lo, okLo := loOf(first, codeLo)
	if !okHi || !okLo {
		err = w.wrong("node %d of variable %d has a child that does not lie below the variable", n, v)
	}
	return hi, lo, err
}

// number reads the count of node n, of a variable of at least v. It is good until the next
// call.
func (w *mappedWalk) number(v int, n uint32) ([]uint64, error) {
	if n <= Top {
		clear(w.limbs)
		w.limbs[0] = uint64(n)
		return w.limbs, nil
	}
	v = varFrom(w.m.offset, v, n)
	p := &w.m.places[v]
	limbs := int(p.counts+7) / 8
	b := w.bytes[:8*limbs]
	clear(b[8*limbs-8:])
	if err := w.read(w.m.counts, b[:p.counts], p.numAt+int64(n-w.m.offset[v+1])*int64(p.counts)); err != nil {
		return nil, err
	}
	for k := range limbs {
		w.limbs[k] = le.LittleEndian.Uint64(b[8*k:])
	}
	return w.limbs[:limbs], nil
}

// read fills b.
func (w *mappedWalk) read(from Region, b []byte, at int64) error {
	if len(b) == 0 {
		return nil
	}
	n, err := from.ReadAt(b, at)
	switch {
	case n == len(b):
		return nil
	case err == nil || errors.Is(err, io.EOF):
		return w.wrong("they end within a node or count")
	}
	return err
}
