package count

import (
	"bufio"
	"context"
	"crypto/sha256"
	"io"
	"slices"

	"github.com/pavage/pavage/cover"
)

// A certificate of a count up to symmetry has the whole certificate of each quotient
// that the mean is made of, one behind the other:
//
//	cover, order of the group
//	  class 1: elements, the least of them, certificate, its count    the identity
//	  class 2: …
//	number of classes of solutions, SHA-256

// distinctMagic is what such a certificate begins with: see doc/certificate.md.
const distinctMagic = "pavage certificate 4\n"

// pieceBytes are those of a piece of a certificate within another, but for the last.
const pieceBytes = 1 << 16

// CertifyDistinct is [Distinct] with a certificate: of all solutions, and of those that an
// element of each class fixes. The element is the least of its class; Class.Elements begin
// with it. Engines and errors are those of [Certify] and Distinct; Memory holds for each.
func CertifyDistinct(ctx context.Context, p *cover.Problem, group []cover.Symmetry, w io.Writer, e Engine, o Options) (*DistinctResult, error) {
	if err := certifies(e); err != nil {
		return nil, err
	}
	sorted, index := sortedGroup(group)
	d := &distinctCertificate{problem: p, group: sorted, engine: e, file: w, mean: burnside{group: len(group)}}
	err := eachClass(ctx, p, sorted, o, func(elements []int, q *cover.Quotient, o Options) error {
		fixed, err := d.class(ctx, elements, q, o)
		if err != nil {
			return err
		}
		given := make([]int, len(elements)) // indices in the group as it was given
		for i, k := range elements {
			given[i] = index[k]
		}
		d.result.Classes = append(d.result.Classes, Class{given, fixed})
		return nil
	})
	if err != nil {
		return nil, err
	}
	d.result.Total = d.result.Classes[0].Fixed
	if d.result.Count, err = d.mean.classes(); err != nil {
		return nil, err
	}
	d.large(words(d.result.Count))
	return &d.result, d.close()
}

// sortedGroup has the elements of a group by their images, so the identity first, and the
// index that each had.
func sortedGroup(group []cover.Symmetry) (sorted []cover.Symmetry, index []int) {
	for k := range group {
		index = append(index, k)
	}
	slices.SortFunc(index, func(a, b int) int { return slices.Compare(group[a], group[b]) })
	for _, k := range index {
		sorted = append(sorted, group[k])
	}
	return sorted, index
}

// distinctCertificate is one under way.
type distinctCertificate struct {
	*numbers // nil before the first class: until then the group may be none
	problem  *cover.Problem
	group    []cover.Symmetry
	engine   Engine
	file     io.Writer
	mean     burnside
	result   DistinctResult
}

// class writes what there is of a class of elements.
func (d *distinctCertificate) class(ctx context.Context, elements []int, q *cover.Quotient, o Options) (*Result, error) {
	if err := d.begin(); err != nil {
		return nil, err
	}
	d.number(uint64(len(elements)))
	for _, to := range d.group[elements[0]] {
		d.number(uint64(to))
	}
	file := &pieces{to: d.numbers}
	fixed, err := certifyValid(ctx, q.Problem, file, d.engine, o)
	if err != nil {
		return nil, err
	}
	file.piece()
	d.mean.add(len(elements), fixed.Count)
	d.large(words(fixed.Count))
	return fixed, d.err
}

// begin writes what stands before the classes.
func (d *distinctCertificate) begin() error {
	if d.numbers != nil {
		return nil
	}
	if _, err := io.WriteString(d.file, distinctMagic); err != nil {
		return err
	}
	d.numbers = &numbers{sum: sha256.New()}
	d.to = bufio.NewWriterSize(io.MultiWriter(d.sum, d.file), 1<<16)
	digest := Digest(d.problem)
	d.raw(digest[:])
	d.number(uint64(len(d.group)))
	return d.err
}

// pieces writes a certificate within another, in pieces: their lengths, and their bytes.
type pieces struct {
	to  *numbers
	buf []byte
}

func (p *pieces) Write(b []byte) (int, error) {
	n := len(b)
	for len(p.buf)+len(b) >= pieceBytes {
		some := pieceBytes - len(p.buf)
		p.buf = append(p.buf, b[:some]...)
		b = b[some:]
		p.piece()
	}
	p.buf = append(p.buf, b...)
	return n, p.to.err
}

// piece writes what there is. The last piece is shorter than the others, perhaps empty.
func (p *pieces) piece() {
	p.to.number(uint64(len(p.buf)))
	p.to.raw(p.buf)
	p.buf = p.buf[:0]
}
