package bdd

import (
	"bufio"
	"context"
	le "encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"slices"
)

// Decode reads a diagram that [Diagram.Encode] has written, and not a byte more. It checks
// all that makes a diagram: that children lie below their node, that the nodes of a variable
// rise, so that no two are equal, that the root reaches all of them. So whatever it returns
// is a diagram in canonical form, even if it is not the one that was written.
//
// At most some forty bytes of memory are taken for each byte that was read; those of real
// diagrams need about ten. The error wraps [ErrEncoding], [ErrVersion] or [ErrLimit], or is
// r's or ctx's. The limits' Progress is not called.
func Decode(ctx context.Context, r io.Reader, l Limits) (*Diagram, error) {
	d := &decoder{ctx: ctx, from: r, limits: l}
	if err := d.header(); err != nil {
		return nil, err
	}
	if err := d.directory(); err != nil {
		return nil, err
	}
	if err := d.nodes(); err != nil {
		return nil, err
	}
	if n, ok := d.unreached(); ok {
		return nil, d.wrong("node %d is the child of no other, want one that the root %d reaches", n, d.root)
	}
	return &Diagram{root: d.root, lo: d.lo, hi: d.hi, offset: d.offset}, nil
}

type decoder struct {
	ctx    context.Context
	from   io.Reader
	limits Limits
	at     int64 // bytes read

	vars, size int
	root       uint32
	bytes      int64 // of the directory

	offset  []uint32 // as Diagram's, once the directory is read
	records []byte   // by variable from the highest one down
	lo, hi  []uint32
	reached bitset // that are children
	chunk   []byte
}

// wrong is an error about the bytes before d.at.
func (d *decoder) wrong(format string, args ...any) error {
	return fmt.Errorf("%w: before byte %d: %s", ErrEncoding, d.at, fmt.Sprintf(format, args...))
}

// read fills b.
func (d *decoder) read(b []byte) error {
	n, err := io.ReadFull(d.from, b)
	d.at += int64(n)
	return d.ended(err)
}

// ended names the place where the bytes end too early.
func (d *decoder) ended(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%w: they end at byte %d, want more", ErrEncoding, d.at)
	}
	return err
}

func (d *decoder) header() error {
	b := make([]byte, headerBytes)
	if err := d.read(b); err != nil {
		return err
	}
	if string(b[:8]) != encodingMagic {
		return d.wrong("they begin with %q, want %q", b[:8], encodingMagic)
	}
	word := func(at int) uint32 { return le.LittleEndian.Uint32(b[at:]) }
	if v := word(8); v != encodingVersion {
		return fmt.Errorf("%w: %d, want %d", ErrVersion, v, encodingVersion)
	}
	vars, size, root, bytes := word(12), word(16), word(20), le.LittleEndian.Uint64(b[24:])
	switch {
	case vars > MaxVars:
		return d.wrong("%d variables, want at most %d", vars, MaxVars)
	case size < 2 || size > maxNodes:
		return d.wrong("%d nodes, want 2 to %d", size, uint32(maxNodes))
	case size == 2 && root > Top, size > 2 && root != size-1:
		return d.wrong("the root is %d of %d nodes, want the last, or a terminal if there are no others", root, size)
	case bytes < uint64(vars) || bytes > maxEntry*uint64(vars):
		return d.wrong("a directory of %d bytes, want %d to %d for %d variables", bytes, vars, maxEntry*uint64(vars), vars)
	}
	d.vars, d.size, d.root, d.bytes = int(vars), int(size), root, int64(bytes)
	return d.fits()
}

// fits refuses what would take more than the limits. While arrays grow, old ones live too.
func (d *decoder) fits() error {
	if err := d.limits.checkNodes(d.size); err != nil {
		return err
	}
	nodes, vars := int64(d.size), int64(d.vars)
	return d.limits.checkBytes(8*nodes + 2*nodes + nodes/8 + 5*vars + 2*vars + chunkBytes)
}

// directory reads how many nodes each variable has, and how they are written.
func (d *decoder) directory() error {
	begun := d.at
	in := bufio.NewReaderSize(&io.LimitedReader{R: d.from, N: d.bytes}, int(min(d.bytes, chunkBytes)))
	offset := []uint32{2} // by variable from the one behind the highest down
	for v := d.vars - 1; v >= 0; v-- {
		if v%pollEvery == 0 && d.ctx.Err() != nil {
			return d.ctx.Err()
		}
		last := offset[len(offset)-1]
		count, written, err := d.entry(in, v, d.size-int(last))
		if err != nil {
			return err
		}
		offset = append(roomFor(offset, 1, d.vars+1), last+count)
		d.records = append(roomFor(d.records, 1, d.vars), written)
	}
	if read := d.at - begun; read != d.bytes {
		return d.wrong("the directory has %d bytes, want %d", read, d.bytes)
	}
	if sum := int(offset[d.vars]); sum != d.size {
		return d.wrong("the variables have %d nodes with the terminals, want %d", sum, d.size)
	}
	slices.Reverse(offset)
	d.offset = offset
	return nil
}

// entry reads that of variable v, which has at most so many nodes.
func (d *decoder) entry(in *bufio.Reader, v, most int) (count uint32, written byte, err error) {
	n, err := d.varint(in)
	switch {
	case err != nil:
		return 0, 0, err
	case n > uint64(most):
		return 0, 0, d.wrong("variable %d has %d nodes, want at most the %d that are left", v, n, most)
	case n == 0:
		return 0, 0, nil
	}
	written, err = d.byte(in)
	if r := recordOf(written); err == nil && (r.hi > 4 || r.lo > 4) {
		err = d.wrong("nodes of variable %d have %d and %d bytes for hi and lo, want 0 to 4", v, r.hi, r.lo)
	}
	return uint32(n), written, err
}

func (d *decoder) byte(in *bufio.Reader) (byte, error) {
	b, err := in.ReadByte()
	if err != nil {
		return 0, d.ended(err)
	}
	d.at++
	return b, nil
}

// varint reads a number below 2^35 that is written in as few bytes as can be.
func (d *decoder) varint(in *bufio.Reader) (n uint64, err error) {
	for shift := 0; shift < 35; shift += 7 {
		b, err := d.byte(in)
		if err != nil {
			return 0, err
		}
		n |= uint64(b&0x7f) << shift
		if b < 0x80 {
			if b == 0 && shift > 0 {
				return 0, d.wrong("a number is written with more bytes than it needs")
			}
			return n, nil
		}
	}
	return 0, d.wrong("a number has more than 5 bytes")
}

// nodes reads the nodes of all variables.
func (d *decoder) nodes() error {
	d.lo, d.hi = []uint32{Bottom, Top}, []uint32{Bottom, Top}
	d.chunk = make([]byte, min(chunkBytes, 8*d.size)+8) // a record is read as a word
	for v := d.vars - 1; v >= 0; v-- {
		if d.offset[v] == d.offset[v+1] {
			continue
		}
		if err := d.variable(v, recordOf(d.records[d.vars-1-v])); err != nil {
			return err
		}
	}
	return nil
}

// variable reads the nodes of a variable that has some.
func (d *decoder) variable(v int, r record) error {
	first, end := int(d.offset[v+1]), int(d.offset[v])
	most := record{}
	for n := first; n < end; n = len(d.lo) {
		if err := d.ctx.Err(); err != nil {
			return err
		}
		count := min(end-n, chunkBytes/max(1, r.bytes()))
		if r.bytes() == 0 {
			count = min(count, 2) // equal nodes, which are refused
		}
		if err := d.read(d.chunk[:count*r.bytes()]); err != nil {
			return err
		}
		seen, err := d.take(v, first, count, r)
		if err != nil {
			return err
		}
		most = record{max(most.hi, seen.hi), max(most.lo, seen.lo)}
	}
	if most != r {
		return d.wrong("nodes of variable %d have %d and %d bytes for hi and lo, want no more than they need, %d and %d", v, r.hi, r.lo, most.hi, most.lo)
	}
	return nil
}

// take appends so many nodes from the chunk, and tells the record that they need.
func (d *decoder) take(v, first, count int, r record) (record, error) {
	d.lo, d.hi = roomFor(d.lo, count, d.size), roomFor(d.hi, count, d.size)
	if more := (first+63)/64 - len(d.reached); more > 0 { // children lie below first
		d.reached = append(roomFor(d.reached, more, d.size/64+1), make(bitset, more)...)
	}
	m, below := r.masks(), uint32(first)
	last := branch{}
	if n := len(d.lo); n > first {
		last = branch{hi: d.hi[n-1], lo: d.lo[n-1]}
	}
	var mostHi, mostLo uint32
	for at := range count {
		codeHi, codeLo := m.split(le.LittleEndian.Uint64(d.chunk[at*r.bytes():]))
		hi, okHi := hiOf(below, codeHi)
		lo, okLo := loOf(below, codeLo)
		if !okHi || !okLo || compareBranches(last, branch{hi: hi, lo: lo}) >= 0 {
			d.at -= int64((count - at - 1) * r.bytes())
			if okHi && okLo {
				return r, d.wrong(
					"node %d of variable %d does not come after the one before it, want nodes that rise by hi and lo",
					len(d.lo), v)
			}
			return r, d.wrong("node %d of variable %d has a child that does not lie below the variable",
				len(d.lo), v)
		}
		mostHi, mostLo = max(mostHi, codeHi), max(mostLo, codeLo)
		last = branch{hi: hi, lo: lo}
		d.hi, d.lo = append(d.hi, hi), append(d.lo, lo)
		d.reached.set(hi)
		d.reached.set(lo)
	}
	return narrowest(mostHi, mostLo), nil
}

// unreached is a node that is no child of another, and not the root.
func (d *decoder) unreached() (n int, ok bool) {
	for n := 2; n < d.size-1; n++ {
		if n%64 == 0 && n+64 < d.size && bits.OnesCount64(d.reached[n/64]) == 64 {
			n += 63
			continue
		}
		if n/64 >= len(d.reached) || !d.reached.has(uint32(n)) {
			return n, true
		}
	}
	return 0, false
}

// roomFor is s with room for n more, growing fourfold up to a length that is known to be
// enough: what was read pays for what is taken.
func roomFor[S ~[]E, E any](s S, n, most int) S {
	if len(s)+n <= cap(s) {
		return s
	}
	t := make(S, len(s), min(most, max(len(s)+n, 4*cap(s), 1<<10)))
	copy(t, s)
	return t
}
