package bdd

import (
	"context"
	le "encoding/binary"
	"fmt"
	"io"
	"math/big"

	"github.com/pavage/pavage/internal/engine/limb"
)

// Region is a sequence of bytes with random access. A read with an error may return wrong bytes.
type Region interface {
	io.ReaderAt
	Size() int64
}

// Mapped is an encoded diagram with its counts, in a file for example. NewMapped reads only the
// directories. A walk from the root reads only the nodes and counts on its way:
//
//	directory: variable 3 has the nodes 17 to 40 ─┐ from byte 96, 3 bytes each
//	                                              ▼
//	… │ node 17 │ node 18 │ node 19 │ …    node 19 lies at byte 96 + 2·3
//
// A walk checks that each child has a lower number than the nodes of its parent's variable.
// [Mapped.Unrank] also checks that the rank is 0 at the end of the walk. [Mapped.Diagram] also
// checks that the nodes of a variable are sorted. No method checks that a count is the sum of two
// counts. So forged bytes can lead to a wrong set, but not to an endless walk or a panic.
type Mapped struct {
	root   uint32
	offset []uint32 // like Diagram.offset
	places []place  // indexed by variable
	nodes  Region
	counts Region
	width  int
	count  *big.Int
}

type place struct {
	record
	counts         uint32 // size of each count, in bytes
	nodesAt, numAt int64
}

var _ Counted = (*Mapped)(nil)

// NewMapped reads the directories, and needs about 30 bytes of memory for each variable. Errors
// wrap [ErrEncoding] or [ErrVersion], or are errors of the regions or of ctx.
func NewMapped(ctx context.Context, diagram, counts Region) (*Mapped, error) {
	m := &Mapped{nodes: diagram, counts: counts, width: 1}
	directory, size, err := m.header()
	if err != nil {
		return nil, err
	}
	if err := m.readDirectory(ctx, directory, size); err != nil {
		return nil, err
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

func wrong(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrEncoding, fmt.Sprintf(format, args...))
}

func readAt(from Region, b []byte, at int64) error {
	n, err := from.ReadAt(b, at)
	switch {
	case n == len(b):
		return nil
	case err == io.EOF:
		return wrong("the bytes end at byte %d, expected more bytes", from.Size())
	}
	return err
}

// header returns the directory and the number of nodes. It checks sizes before it allocates memory.
func (m *Mapped) header() (directory []byte, size uint32, err error) {
	b := make([]byte, headerBytes)
	if err := readAt(m.nodes, b, 0); err != nil {
		return nil, 0, err
	}
	if string(b[:8]) != encodingMagic {
		return nil, 0, wrong("the bytes begin with %q, expected %q", b[:8], encodingMagic)
	}
	word := func(at int) uint32 { return le.LittleEndian.Uint32(b[at:]) }
	if v := word(8); v != encodingVersion {
		return nil, 0, fmt.Errorf("%w %d, expected version %d", ErrVersion, v, encodingVersion)
	}
	vars, size, root, length := word(12), word(16), word(20), le.LittleEndian.Uint64(b[24:])
	switch {
	case vars > MaxVars:
		return nil, 0, wrong("there are %d variables, expected at most %d", vars, MaxVars)
	case size < 2 || size > maxNodes:
		return nil, 0, wrong("there are %d nodes, expected 2 to %d", size, uint32(maxNodes))
	case size == 2 && root > Top, size > 2 && root != size-1:
		return nil, 0, wrong("the root is node %d of %d nodes, expected the last node, or a terminal if all nodes are terminals", root, size)
	case length < uint64(vars) || length > maxEntry*uint64(vars):
		return nil, 0, wrong("the directory has %d bytes, expected %d to %d bytes for %d variables", length, vars, maxEntry*uint64(vars), vars)
	case headerBytes+int64(length) > m.nodes.Size():
		return nil, 0, wrong("the bytes end at byte %d, expected more bytes", m.nodes.Size())
	}
	m.root, m.offset, m.places = root, make([]uint32, vars+1), make([]place, vars)
	directory = make([]byte, length)
	return directory, size, readAt(m.nodes, directory, headerBytes)
}

func (m *Mapped) readDirectory(ctx context.Context, directory []byte, size uint32) error {
	at := headerBytes + int64(len(directory))
	last := Top + 1
	m.offset[len(m.places)] = last
	for v := len(m.places) - 1; v >= 0; v-- {
		if v%pollEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		n, err := number(&directory)
		switch most := uint64(size - last); {
		case err != nil:
			return err
		case n > most:
			return wrong("variable %d has %d nodes, but the header leaves at most %d for it", v, n, most)
		case n > 0 && len(directory) == 0:
			return wrong("the directory ends within the entry of variable %d, expected more bytes", v)
		case n > 0:
			m.places[v] = place{record: recordOf(directory[0]), nodesAt: at}
			directory = directory[1:]
		}
		r := m.places[v].record
		switch {
		case r.hi > 4 || r.lo > 4:
			return wrong("nodes of variable %d have %d bytes for hi and %d bytes for lo, expected 0 to 4 bytes for each", v, r.hi, r.lo)
		case r.bytes() == 0 && n > 1:
			return wrong("node %d of variable %d does not come after the node before it, expected nodes sorted by hi and lo", last+1, v)
		}
		last += uint32(n)
		m.offset[v] = last
		at += int64(r.bytes()) * int64(n)
	}
	switch {
	case len(directory) > 0:
		return wrong("the directory is %d bytes too long", len(directory))
	case last != size:
		return wrong("the directory has %d nodes, including terminals, but the number of nodes in the header is %d", last, size)
	case at != m.nodes.Size():
		return wrong("the nodes have %d bytes, expected %d bytes", m.nodes.Size(), at)
	}
	return nil
}

func number(directory *[]byte) (uint64, error) {
	n, size := le.Uvarint(*directory)
	switch {
	case size <= 0:
		return 0, wrong("the directory ends within a number, or has a number of more than 64 bits")
	case size > 1 && (*directory)[size-1] == 0:
		return 0, wrong("the directory has a number with more bytes than the number needs")
	}
	*directory = (*directory)[size:]
	return n, nil
}

func (m *Mapped) readWidths(ctx context.Context) error {
	b := make([]byte, countsHeader)
	if err := readAt(m.counts, b, 0); err != nil {
		return err
	}
	length := le.LittleEndian.Uint64(b)
	if most := min(maxEntry*uint64(len(m.places)), uint64(m.counts.Size()-countsHeader)); length > most {
		return wrong("the directory of counts has %d bytes, expected at most %d bytes", length, most)
	}
	directory := make([]byte, length)
	if err := readAt(m.counts, directory, countsHeader); err != nil {
		return err
	}
	at := countsHeader + int64(length)
	for v := len(m.places) - 1; v >= 0; v-- {
		if v%pollEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		nodes := int64(m.offset[v] - m.offset[v+1])
		if nodes == 0 {
			continue
		}
		width, err := number(&directory)
		if err != nil {
			return err
		}
		// A node of variable v has at most 2^(number of variables - v) sets.
		if most := uint64(len(m.places)-v)/8 + 1; width == 0 || width > most {
			return wrong("counts of variable %d have %d bytes, expected 1 to %d bytes", v, width, most)
		}
		m.places[v].counts, m.places[v].numAt = uint32(width), at
		m.width = max(m.width, int(width+7)/8)
		if at += nodes * int64(width); at > m.counts.Size() {
			break // so the check after the loop fails
		}
	}
	if len(directory) > 0 || at != m.counts.Size() {
		return wrong("there are %d bytes of counts, expected %d bytes", m.counts.Size(), at)
	}
	return nil
}

// Diagram reads all nodes. It checks that children have higher variables than their parents, that
// the nodes of a variable are sorted, and that the root reaches all nodes. So even forged bytes
// give a canonical diagram or an error.
//
// It needs at most about 40 bytes of memory for each byte of the region, usually 10 bytes. The
// error wraps [ErrEncoding] or [ErrLimit], or is an error of the region or of ctx. Diagram does not
// call l.Progress.
func (m *Mapped) Diagram(ctx context.Context, l Limits) (*Diagram, error) {
	size := m.Size()
	if err := l.checkNodes(size); err != nil {
		return nil, err
	}
	if err := l.checkBytes(8*int64(size) + int64(size)/8 + 4*int64(len(m.offset)) + chunkBytes); err != nil {
		return nil, err
	}
	d := &Diagram{root: m.root, lo: make([]uint32, size), hi: make([]uint32, size), offset: m.offset}
	d.lo[Top], d.hi[Top] = Top, Top
	// Uint64 reads 8 bytes for each node, so chunk has 8 bytes after the last node.
	reached, chunk := make(bitset, size/64+1), make([]byte, chunkBytes+8)
	for v := m.Vars() - 1; v >= 0; v-- {
		first, end := d.Nodes(v)
		r, masks, at := m.places[v].record, m.places[v].masks(), m.places[v].nodesAt
		last := branch{}
		var mostHi, mostLo uint32
		for from := first; from < end; {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			to := min(end, from+uint32(chunkBytes/max(1, r.bytes())))
			b := chunk[:int(to-from)*r.bytes()]
			if err := readAt(m.nodes, b, at); err != nil {
				return nil, err
			}
			at += int64(len(b))
			for k := 0; from < to; from, k = from+1, k+r.bytes() {
				codeHi, codeLo := masks.split(le.LittleEndian.Uint64(chunk[k:]))
				hi, okHi := hiOf(first, codeHi)
				lo, okLo := loOf(first, codeLo)
				switch {
				case !okHi || !okLo:
					return nil, wrong("node %d of variable %d has a wrong child, expected a child of a greater variable", from, v)
				case compareBranches(last, branch{hi: hi, lo: lo}) >= 0:
					return nil, wrong("node %d of variable %d does not come after the node before it, expected nodes sorted by hi and lo", from, v)
				}
				mostHi, mostLo = max(mostHi, codeHi), max(mostLo, codeLo)
				last = branch{hi: hi, lo: lo}
				d.hi[from], d.lo[from] = hi, lo
				reached.set(hi)
				reached.set(lo)
			}
		}
		if need := narrowest(mostHi, mostLo); need != r {
			return nil, wrong("nodes of variable %d have %d bytes for hi and %d bytes for lo, but need only %d bytes for hi and %d bytes for lo", v, r.hi, r.lo, need.hi, need.lo)
		}
	}
	for n := Top + 1; n < d.root; n++ {
		if !reached.has(n) {
			return nil, wrong("node %d cannot be reached from the root, node %d", n, d.root)
		}
	}
	return d, nil
}

// Vars returns the number of variables.
func (m *Mapped) Vars() int { return len(m.places) }

// Size returns the number of nodes, including terminals.
func (m *Mapped) Size() int { return int(m.offset[0]) }

// Width returns the number of limbs of the widest count.
func (m *Mapped) Width() int { return m.width }

// Bytes returns the memory held, in bytes, without the regions.
func (m *Mapped) Bytes() int64 { return 24*int64(cap(m.places)) + 4*int64(cap(m.offset)) }

func (m *Mapped) Count() *big.Int { return new(big.Int).Set(m.count) }

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
		return nil, wrong("the counts do not match the nodes")
	}
	return set, nil
}

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
			return nil, ErrMember // no set of n has this variable
		}
		below, err := w.number(v, lo)
		if err != nil {
			return nil, err
		}
		if limb.Add(rank, below) != 0 {
			return nil, wrong("the counts do not match the nodes")
		}
		set, n = set[1:], hi
	}
	if n != Top || len(set) > 0 {
		return nil, ErrMember
	}
	return limb.Int(rank), nil
}

type mappedWalk struct {
	m     *Mapped
	word  [8]byte
	bytes []byte
	limbs []uint64
}

func (m *Mapped) walk() *mappedWalk {
	return &mappedWalk{m: m, bytes: make([]byte, 8*m.width), limbs: make([]uint64, m.width)}
}

func (w *mappedWalk) node(v int, n uint32) (hi, lo uint32, err error) {
	p, first := &w.m.places[v], w.m.offset[v+1]
	size := p.bytes()
	if err := readAt(w.m.nodes, w.word[:size], p.nodesAt+int64(n-first)*int64(size)); err != nil {
		return 0, 0, err
	}
	codeHi, codeLo := p.masks().split(le.LittleEndian.Uint64(w.word[:]))
	hi, okHi := hiOf(first, codeHi)
	lo, okLo := loOf(first, codeLo)
	if !okHi || !okLo {
		err = wrong("node %d of variable %d has a wrong child, expected a child of a greater variable", n, v)
	}
	return hi, lo, err
}

// number reads the count of n, whose variable is at least v. The next call overwrites the result.
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
	if err := readAt(w.m.counts, b[:p.counts], p.numAt+int64(n-w.m.offset[v+1])*int64(p.counts)); err != nil {
		return nil, err
	}
	for k := range limbs {
		w.limbs[k] = le.LittleEndian.Uint64(b[8*k:])
	}
	return w.limbs[:limbs], nil
}
